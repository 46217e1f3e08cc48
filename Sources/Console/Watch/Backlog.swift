import PhaseWatch
import System

/// A filter that drops events while too many lines of a sink are waiting. Once the reader has caught up, it reports the
/// state again, so the last line about each subject is true.
struct Backlog {
    /// The state when the last line was passed on; nil while no events are dropped.
    private var lastReported: PhaseWatcher.State?
    private var lost = 0

    /// Keeps the state if the sink is full. Must be called before the watcher advances.
    mutating func prepare(_ state: @autoclosure () -> PhaseWatcher.State, _ sink: (any Sink)?) {
        if lastReported == nil, sink?.isFull == true { lastReported = state() }
    }

    /// Counts events that are dropped.
    ///
    /// - Returns: Whether the events are dropped for the sink.
    mutating func givesUp(_ events: [Event], of sink: any Sink) -> Bool {
        guard lastReported != nil, sink.output != nil else { return false }
        lost += sink.count(events)
        return true
    }

    /// Reports the state again once there is no backlog. Must be called after the sink has passed on lines.
    ///
    /// - Parameter resync: Returns the events for a reader that knows the given state.
    mutating func catchUp(
        _ sink: any Sink, resync: (PhaseWatcher.State) -> [Event]
    ) throws {
        guard let lastReported, !sink.hasBacklog else { return }
        self.lastReported = nil
        guard lost > 0 else { return }
        let time = Timestamp.now()
        try sink.take([.notice(.resync(lost: lost))], at: time)
        lost = 0
        try sink.take(resync(lastReported), at: time)
    }
}

extension Notice {
    /// Returns the notice that precedes a report of the current state.
    ///
    /// - Parameter lost: The number of dropped lines.
    public static func resync(lost: Int) -> Notice {
        let lines = lost == 1 ? "1 line was" : "\(lost) lines were"
        return Notice(
            name: "resync",
            text: "\(lines) dropped, since the reader was too slow; the current state follows")
    }
}
