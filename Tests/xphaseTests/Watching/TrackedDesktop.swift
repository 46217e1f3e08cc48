@testable import PhaseWatch
@testable import Scenes

/// A desktop, and a tracker without a settle time, which reports each change at once.
struct TrackedDesktop {
    private(set) var tracker = SceneTracker(delays: Delays(settle: .zero))
    private var desktop: Desktop
    private var now: Int64 = 86_400_000_000_000

    init() {
        var screen = Screen()
        screen.manager = Screen.Manager(checkWindow: 0x400_0010, name: "openbox")
        screen.clients = []
        screen.activeWindow = 0
        screen.currentDesktop = 0
        desktop = Desktop(screen: screen)
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
        desktop.screen.clients = (desktop.screen.clients ?? []).union([xid])
        return look()
    }

    mutating func close(_ xid: UInt32) -> [Event] {
        desktop.windows[xid] = nil
        desktop.screen.clients?.remove(xid)
        if desktop.screen.activeWindow == xid { desktop.screen.activeWindow = 0 }
        return look()
    }

    mutating func focus(_ xid: UInt32) -> [Event] {
        desktop.screen.activeWindow = xid
        return look()
    }

    mutating func iconify(_ xid: UInt32) -> [Event] {
        desktop.windows[xid]?.mapState = .unmapped
        desktop.windows[xid]?.state = .iconic
        desktop.windows[xid]?.states.insert(.hidden)
        if desktop.screen.activeWindow == xid { desktop.screen.activeWindow = 0 }
        return look()
    }

    mutating func rename(_ xid: UInt32, _ application: String) -> [Event] {
        desktop.windows[xid]?.className = application
        return look()
    }

    var state: SceneTable { tracker.table }

    func resync(since state: SceneTable) -> [Event] {
        tracker.resync(since: state, at: now).map(Event.change)
    }

    /// Updates the tracker, a second later.
    mutating func look() -> [Event] {
        now += 1_000_000_000
        return tracker.update(to: desktop, at: now).events
    }

    /// The phases that a reader knows who has read nothing before.
    var truth: [String: ScenePhase] { PhasesInEvents(resync(since: SceneTable())).phases }
}

/// The phases that a reader of all events knows.
struct PhasesInEvents {
    /// Keyed by application, application/group and application/group/scene.
    private(set) var phases: [String: ScenePhase] = [:]
    /// Changes whose `from` is not the previous phase.
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
