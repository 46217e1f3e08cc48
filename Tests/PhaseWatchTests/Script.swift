import Synchronization

@testable import PhaseWatch
@testable import Scenes

extension PhaseMonitor {
    /// Returns a monitor without a display, and a script that simulates one.
    static func scripted(_ options: Options = Options()) -> (monitor: PhaseMonitor, script: Script) {
        let script = Script(options)
        return (script.monitor, script)
    }
}

/// The events on a simulated display. Every change, including one of a title, is reported before the call returns.
final class Script: Sendable {
    private struct Contents: Sendable {
        var desktop: Desktop
        var tracker: SceneTracker
        var now: Int64 = 0
    }

    let monitor: PhaseMonitor
    private let contents: Mutex<Contents>
    private let readsTitles: Bool

    init(_ options: PhaseMonitor.Options = .init()) {
        monitor = PhaseMonitor(MonitorState(options))
        readsTitles = options.details.readTitles
        var screen = Screen()
        screen.manager = Screen.Manager(checkWindow: 1, name: "script")
        (screen.clients, screen.activeWindow, screen.currentDesktop) = ([], 0, 0)
        var tracker = SceneTracker(
            policy: options.policy, isStepwise: options.isStepwise, delays: Delays(settle: .zero))
        tracker.reportsTitles = true
        contents = Mutex(Contents(desktop: Desktop(screen: screen), tracker: tracker))
        change { _ in }
    }

    /// Opens a window that is visible and not active.
    ///
    /// - Parameter group: The instance name; by default that of the application.
    func open(
        _ window: UInt32, application: String, group: String? = nil, title: String? = nil, pid: Int32? = nil,
        role: String? = nil
    ) {
        change { [readsTitles] desktop in
            var seen = SeenWindow(WindowID(window))
            (seen.mapState, seen.state, seen.topLevel, seen.desktop) = (.viewable, .normal, window, 0)
            (seen.className, seen.instanceName) = (application, group ?? application)
            (seen.title, seen.pid, seen.role) = (readsTitles ? title : nil, pid, role)
            desktop.windows[window] = seen
            desktop.screen.clients = (desktop.screen.clients ?? []).union([window])
        }
    }

    /// Gives the focus to a window, takes it away, or iconifies the window, depending on the phase.
    func set(_ window: UInt32, _ phase: ScenePhase) {
        change { desktop in
            desktop.windows[window]?.mapState = phase == .background ? .unmapped : .viewable
            desktop.windows[window]?.state = phase == .background ? .iconic : .normal
            let hadFocus = desktop.screen.activeWindow == window
            if phase == .active || hadFocus {
                desktop.screen.activeWindow = phase == .active ? window : 0
            }
        }
    }

    func set(_ window: UInt32, title: String?) {
        change { [readsTitles] in $0.windows[window]?.title = readsTitles ? title : nil }
    }

    func rename(_ window: UInt32, application: String) {
        change { $0.windows[window]?.className = application }
    }

    func close(_ window: UInt32) {
        change { desktop in
            desktop.windows[window] = nil
            desktop.screen.clients?.remove(window)
            if desktop.screen.activeWindow == window { desktop.screen.activeWindow = 0 }
        }
    }

    /// Ends the monitor with a failure.
    func fail(_ failure: MonitorFailure) {
        monitor.state.end(failure)
    }

    private func change(_ edit: (inout Desktop) -> Void) {
        contents.withLock { edit(&$0.desktop) }
        // The second update, after time alone has passed, finds that titles are stable.
        for hasRead in [true, false] {
            let (events, present) = contents.withLock { contents in
                defer { contents.now += 1_000_000_000 }
                let update = contents.tracker.update(
                    to: contents.desktop, hasRead: hasRead, at: contents.now)
                return (update.events, contents.tracker.present())
            }
            let changes = events.compactMap(\.change).filter { $0.kind != .facts }
            monitor.state.post(changes, present: present)
        }
    }
}
