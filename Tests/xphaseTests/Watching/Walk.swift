@testable import PhaseWatch
@testable import Scenes

/// A desktop that changes, and a tracker that believes each change at once.
struct Walk {
    private(set) var tracker = SceneTracker(delays: Delays(settle: .zero))
    private var desktop: Desktop
    private var now = Duration.seconds(86_400)

    init() {
        var screen = Screen()
        screen.manager = Screen.Manager(checkWindow: 0x10, name: "openbox")
        screen.clients = []
        screen.activeWindow = 0
        screen.currentDesktop = 0
        desktop = Desktop(screens: [screen])
        _ = look()
    }

    mutating func open(_ xid: UInt32, _ application: String, _ group: String? = nil) -> [Event] {
        var window = SeenWindow(WindowID(xid))
        window.mapState = .viewable
        window.state = .normal
        window.wasManaged = true
        window.desktop = 0
        window.place = Rectangle(x: 100, y: 100, width: 200, height: 100)
        window.topLevel = xid
        window.className = application
        window.instanceName = group ?? application.lowercased()
        desktop.windows[xid] = window
        desktop.screens[0].clients = WindowList((desktop.screens[0].clients?.order ?? []) + [xid])
        return look()
    }

    mutating func close(_ xid: UInt32) -> [Event] {
        desktop.windows[xid] = nil
        desktop.screens[0].clients = WindowList(
            (desktop.screens[0].clients?.order ?? []).filter { $0 != xid })
        if desktop.screens[0].activeWindow == xid { desktop.screens[0].activeWindow = 0 }
        return look()
    }

    mutating func focus(_ xid: UInt32) -> [Event] {
        desktop.screens[0].activeWindow = xid
        return look()
    }

    mutating func iconify(_ xid: UInt32) -> [Event] {
        desktop.windows[xid]?.mapState = .unmapped
        desktop.windows[xid]?.state = .iconic
        desktop.windows[xid]?.states.insert(.hidden)
        if desktop.screens[0].activeWindow == xid { desktop.screens[0].activeWindow = 0 }
        return look()
    }

    mutating func rename(_ xid: UInt32, _ application: String) -> [Event] {
        desktop.windows[xid]?.className = application
        return look()
    }

    var state: PhaseWatcher.State { PhaseWatcher.State(tracker: tracker) }

    func resync(since state: PhaseWatcher.State) -> [Event] {
        tracker.resync(since: state.tracker, at: now)
    }

    /// One more look, a second later.
    mutating func look() -> [Event] {
        now += .seconds(1)
        return tracker.update(to: desktop, at: now).events
    }

    /// The phases of all three levels, straight from what is seen.
    var truth: [String: ScenePhase] {
        var phases: [String: ScenePhase] = [:]
        for scene in desktop.scenes(under: .focus).values {
            let names = [
                scene.application, "\(scene.application)/\(scene.group)",
                "\(scene.application)/\(scene.group)/\(scene.id)",
            ]
            for name in names { phases[name] = max(phases[name] ?? .background, scene.phase) }
        }
        return phases
    }
}

/// What somebody believes who has read all lines.
struct Replay {
    /// By application, application/group and application/group/scene.
    private(set) var phases: [String: ScenePhase] = [:]
    /// Changes that do not begin where the one before them ended.
    private(set) var gaps: [Change] = []

    init(_ events: [Event]) {
        for case .change(let change) in events {
            var name = change.application
            if let group = change.group { name += "/" + group }
            if case .scene(let facts) = change.subject { name += "/\(facts.id)" }
            if change.kind != .initial && change.from != phases[name] { gaps.append(change) }
            phases[name] = change.to
        }
    }
}
