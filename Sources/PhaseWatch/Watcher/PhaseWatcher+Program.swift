import Scenes
import System
import X11

/// What only the command line uses: the present state, questions to the server, and events of other clients.
extension PhaseWatcher {
    /// The reported state at one moment, for `resync(since:)`.
    package typealias State = SceneTable

    /// The present state, as changes of the kind `initial`. Sends no request to the X server.
    package var present: [Change] { tracker.present() }

    /// Returns the active scene as a change of the kind `initial`; nil if there is none. Titles need `Details.titles`.
    ///
    /// - Parameter monitor: The name of a monitor. If given, returns the scene on it that was active last and is not in
    ///   the background, or the topmost one if none has been active. Needs `Details.places`.
    package func activeScene(on monitor: String? = nil) -> Change? {
        let scenes = present.filter { $0.level == .scene && $0.to != .background }
        guard let monitor else { return scenes.first { $0.to == .active } }
        let desktop = observer.desktop
        func rank(_ change: Change) -> (Int64, Int) {
            guard let scene = change.scene else { return (0, 0) }
            let window = desktop.windows.facts(of: scene.id.xid)?.topLevel
            let height = window.flatMap { desktop.stacking.index(of: $0) } ?? -1
            // `present` reports an active scene as if it had become active at the start.
            return (change.to == .active ? .max : tracker.lastActive(scene.id), height)
        }
        return scenes.filter { $0.scene?.monitor == monitor }.max { rank($0) < rank($1) }
    }

    /// The state reported so far.
    package var state: State { tracker.table }

    /// Returns the present state for a reader that missed changes: everything that is gone as closed, and the rest as
    /// changes of the kind `initial`.
    ///
    /// - Parameter state: The state that the reader knows.
    package func resync(since state: State) -> [Event] {
        tracker.resync(since: state, at: Clock.nanoseconds()).map(Event.change)
    }

    /// Whether more must be read before reports match the display.
    package var isReading: Bool { observer.isStale }

    /// Waits until the X server responds, for `limit` at most. A grabbed server responds only to the client that holds
    /// the grab. If that client is stopped, the grab lasts forever.
    ///
    /// - Returns: true also if the connection is lost, which the next `update()` throws.
    package func isServerAnswering(within limit: Duration) -> Bool {
        (try? observer.isAnswering(within: limit)) ?? true
    }

    /// Requests a reply. The events of everything that the server has done before precede it.
    package func askServer() -> ServerMoment {
        observer.askServer()
        lookAgain()
        return ServerMoment()
    }

    /// Returns whether all phases that result from events before a moment have been reported. Ask after each update.
    package func hasReported(_ moment: inout ServerMoment) -> Bool {
        if moment.read == nil && hasBegun && !isReading && !hasQueuedEvents {
            moment.read = Clock.nanoseconds()
        }
        return moment.read.map(tracker.hasSettled) ?? false
    }

    /// Counts the user as idle only after `confirmIdle()`: a program may know of inhibitors, the X server does not.
    package func askBeforeIdle() { observer.asksBeforeIdle = true }

    /// Whether the user has been idle for the time in the options, and `confirmIdle()` is awaited.
    package var awaitsIdle: Bool { observer.awaitsIdle }

    /// Counts the user as idle from the next `update()` on, unless there was input meanwhile.
    package func confirmIdle() {
        observer.confirmIdle()
        lookAgain()
    }

    /// Opens another connection to the display, which reports messages, keys and buttons for clients that cannot
    /// respond because they are stopped.
    ///
    /// - Parameter windows: At least one window of each client.
    /// - Returns: nil if the server lacks RECORD.
    /// - Throws: `MonitorFailure`. XOpenDisplay has no time limit.
    package func deliveredEvents(to windows: Set<UInt32>) throws(MonitorFailure) -> DeliveredEvents? {
        guard let record = observer.extensions.record else { return nil }
        return try DeliveredEvents(to: windows, on: displayName, record: record)
    }
}

extension [Event] {
    /// Returns whether these events may replace the result of `PhaseWatcher.activeScene(on:)`, or change its facts.
    package func concernsActiveScene(on monitor: String?) -> Bool {
        contains { event in
            guard let change = event.change else { return false }
            return change.kind == .facts
                || change.level == .scene
                    && (monitor != nil || change.from == .active || change.to == .active)
        }
    }
}

/// A moment in the event order of the X server; see `PhaseWatcher.askServer()`.
package struct ServerMoment: Sendable {
    /// When all earlier events had been read; nil until then.
    fileprivate var read: Int64?
}
