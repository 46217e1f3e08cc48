import PhaseWatch
import System

/// Gives up events while the lines of a sink are too many, and reports everything anew once its reader has caught up, so
/// that the last line about anything is true.
struct Backlog {
    /// What was believed when the last line was passed on; nil while none is given up.
    private var lastReported: PhaseWatcher.State?
    private var lost = 0

    /// To be called before the watcher moves on.
    mutating func prepare(_ state: @autoclosure () -> PhaseWatcher.State, _ sink: (any Sink)?) {
        if lastReported == nil, sink?.isFull == true { lastReported = state() }
    }

    /// Counts events instead of passing them on.
    ///
    /// - Returns: Whether the sink is to get none of them.
    mutating func givesUp(_ events: ChangeBatch, of sink: any Sink) -> Bool {
        guard lastReported != nil, sink.output != nil else { return false }
        lost += sink.count(events)
        return true
    }

    /// To be called when the sink has passed on something.
    ///
    /// - Parameter resync: Makes the batches for a reader that knows a state.
    mutating func catchUp(
        _ sink: any Sink, resync: (PhaseWatcher.State) -> [ChangeBatch]
    ) throws {
        guard let lastReported, !sink.hasBacklog else { return }
        self.lastReported = nil
        guard lost > 0 else { return }
        let time = Timestamp.now()
        try sink.take([.notice(.resync(lost: lost))], at: time)
        lost = 0
        for batch in resync(lastReported) { try sink.take(batch, at: time) }
    }
}

extension Notice {
    /// Precedes a report of the current state.
    ///
    /// - Parameter lost: How many lines the reader does not get.
    public static func resync(lost: Int) -> Notice {
        let lines = lost == 1 ? "1 line was" : "\(lost) lines were"
        return Notice(
            name: "resync",
            text: "\(lines) given up, since the reader was too slow; what follows is the state now")
    }
}
