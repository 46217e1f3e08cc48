import Scenes
import Synchronization

extension PhaseMonitor {
    /// A monitor without a display, and a script of what happens on the one it seems to have: for the tests of programs that
    /// use a monitor.
    ///
    /// ```swift
    /// let (monitor, script) = PhaseMonitor.scripted()
    /// script.open(1, application: "Firefox", title: "Inbox")
    /// script.set(1, .active)
    /// ```
    ///
    /// - Parameter options: Those that concern no display: policy, steps, titles and delivery.
    public static func scripted(_ options: Options = Options()) -> (monitor: PhaseMonitor, script: Script) {
        let state = MonitorState(options)
        return (PhaseMonitor(state, options.details), Script(state, options))
    }

    /// What happens on a display that is not there. Everything is believed and reported at once, before a call returns: titles
    /// as well.
    public final class Script: Sendable {
        private struct Contents: Sendable {
            var desktop: Desktop
            var tracker: SceneTracker
            var now: Int64 = 0

            /// - Returns: What is reported of it.
            mutating func look() -> [ChangeBatch] {
                // The second look finds that titles have held still.
                (1...2).map { _ in
                    defer { now += 1_000_000_000 }
                    return tracker.update(to: &desktop, at: now).batch
                }
            }
        }

        private let state: MonitorState
        private let contents: Mutex<Contents>
        private let readsTitles: Bool

        init(_ state: MonitorState, _ options: Options) {
            self.state = state
            readsTitles = !options.details.isDisjoint(with: [.titles, .titleChanges])
            var screen = Screen()
            screen.manager = Screen.Manager(checkWindow: 1, name: "script")
            (screen.clients, screen.activeWindow, screen.currentDesktop) = ([], 0, 0)
            var tracker = SceneTracker(
                policy: options.policy, isStepwise: options.isStepwise, delays: Delays(settle: .zero))
            tracker.reportsTitles = true
            contents = Mutex(Contents(desktop: Desktop(screens: [screen]), tracker: tracker))
            change { _ in }
        }

        /// Opens a window, which is visible and not active.
        ///
        /// - Parameters:
        ///   - window: Its X resource id, which is not 0.
        ///   - application: The class name.
        ///   - group: The instance name; that of the application if left out.
        ///   - title: Its title.
        ///   - pid: Its process: `getpid()` for one of the program itself.
        public func open(
            _ window: UInt32, application: String, group: String? = nil, title: String? = nil,
            pid: Int32? = nil
        ) {
            change { [readsTitles] desktop in
                var seen = SeenWindow(WindowID(window))
                (seen.mapState, seen.state, seen.topLevel, seen.desktop) = (.viewable, .normal, window, 0)
                (seen.className, seen.instanceName) = (application, group ?? application)
                (seen.title, seen.pid) = (readsTitles ? title : nil, pid)
                desktop.windows[window] = seen
                desktop.screens[0].clients = WindowList((desktop.screens[0].clients?.order ?? []) + [window])
            }
        }

        /// Gives the focus to a window, takes it away, or iconifies it, as the phase says.
        ///
        /// - Parameters:
        ///   - window: One that is open.
        ///   - phase: The one that it has under the policy `focus`.
        public func set(_ window: UInt32, _ phase: ScenePhase) {
            change { desktop in
                desktop.windows[window]?.mapState = phase == .background ? .unmapped : .viewable
                desktop.windows[window]?.state = phase == .background ? .iconic : .normal
                let hadFocus = desktop.screens[0].activeWindow == window
                if phase == .active || hadFocus {
                    desktop.screens[0].activeWindow = phase == .active ? window : 0
                }
            }
        }

        /// Gives a window another title.
        ///
        /// - Parameters:
        ///   - window: One that is open.
        ///   - title: nil for none.
        public func set(_ window: UInt32, title: String?) {
            change { [readsTitles] in $0.windows[window]?.title = readsTitles ? title : nil }
        }

        /// Closes a window.
        ///
        /// - Parameter window: One that is open.
        public func close(_ window: UInt32) {
            change { desktop in
                desktop.windows[window] = nil
                desktop.screens[0].clients = WindowList(
                    (desktop.screens[0].clients?.order ?? []).filter { $0 != window })
                if desktop.screens[0].activeWindow == window { desktop.screens[0].activeWindow = 0 }
            }
        }

        /// Ends the monitor with a failure, `displayLost` say.
        ///
        /// - Parameter failure: What those who iterate are thrown.
        public func fail(_ failure: PhaseMonitor.Failure) {
            state.end(failure)
        }

        private func change(_ edit: (inout Desktop) -> Void) {
            let batches = contents.withLock { contents in
                edit(&contents.desktop)
                return contents.look()
            }
            batches.forEach(state.post)
        }
    }
}
