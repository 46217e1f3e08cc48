import Scenes
import System

extension PhaseWatcher {
    /// The reported state at one moment, for `resync(since:)`.
    public struct State: Sendable {
        let reported: ReportedState
    }

    /// The present state, as changes of the kind `initial`. Sends no request to the X server.
    package var present: [Change] { tracker.present(names) }

    /// Returns the active scene as a change of the kind `initial`; nil if there is none. Titles need `Details.titles`.
    ///
    /// - Parameter monitor: The name of a monitor. If given, returns the scene on it that was active last and is not in
    ///   the background, or the topmost one if none has been active. Needs `Details.places`.
    package func activeScene(on monitor: String? = nil) -> Change? {
        let scenes = present.filter { $0.level == .scene && $0.to != .background }
        guard let monitor else { return scenes.first { $0.to == .active } }
        let (desktop, stacking) = (observer.desktop, observer.desktop.stacking)
        let order = desktop.screens.indices.flatMap(stacking.fromTop)
        func rank(_ change: Change) -> (Int64, Int) {
            guard let scene = change.scene else { return (0, 0) }
            let window = desktop.windows.facts(of: scene.id.xid)?.topLevel
            let depth = window.flatMap(stacking.slot(of:)).flatMap { order.firstIndex(of: $0) }
            // `present` reports an active scene as if it had become active at the start.
            return (change.to == .active ? .max : tracker.lastActive(scene.id), -(depth ?? order.count))
        }
        return scenes.filter { $0.scene?.monitor == monitor }.max { rank($0) < rank($1) }
    }

    /// The state reported so far.
    public var state: State { State(reported: tracker.reported(names)) }

    /// Returns the present state for a reader that missed changes: everything that is gone as closed, and the rest as
    /// changes of the kind `initial`.
    ///
    /// - Parameter state: The state that the reader knows.
    public func resync(since state: State) -> [Event] {
        tracker.resync(since: state.reported, names, at: Clock.nanoseconds()).map(Event.change)
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

extension PhaseWatcher {
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
}
