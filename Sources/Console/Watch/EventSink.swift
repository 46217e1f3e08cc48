import PhaseWatch
import System

/// Where the events of a watch go.
public protocol EventSink: AnyObject {
    /// The descriptor to poll: for room when there is a backlog, for the reader's end at any time.
    var descriptor: Int32 { get }
    /// Lines wait for the reader.
    var hasBacklog: Bool { get }
    /// So many lines wait that further ones are to be given up.
    var isFull: Bool { get }

    /// The details of scenes that it needs.
    var details: PhaseWatcher.Details { get }

    /// Takes events that were told at one time, and passes on what it can without waiting.
    ///
    /// - Returns: The number of each event's line; nil where it is none.
    @discardableResult
    func take(_ events: ChangeBatch, at time: Timestamp) throws -> [Int?]
    /// How many of some events would have been lines.
    func count(_ events: ChangeBatch) -> Int
    /// Passes on what waits, as far as the reader takes it at once.
    func flush() throws
}

/// Gives up events while a sink is full, and tells everything anew once its reader has caught up, so that
/// the last line about anything is true.
struct Backlog {
    /// What was believed when the last line was passed on; nil while none is given up.
    private var lastTold: PhaseWatcher.State?
    private var lost = 0

    /// To be called before the watcher moves on.
    mutating func prepare(_ state: @autoclosure () -> PhaseWatcher.State, _ sink: some EventSink) {
        if lastTold == nil && sink.isFull { lastTold = state() }
    }

    /// - Returns: The number of each event's line; nil where it is none.
    mutating func pass(_ events: ChangeBatch, at time: Timestamp, to sink: some EventSink) throws -> [Int?] {
        guard lastTold == nil else {
            lost += sink.count(events)
            return [Int?](repeating: nil, count: events.count)
        }
        return try sink.take(events, at: time)
    }

    /// To be called when the sink has passed on something.
    ///
    /// - Parameter resync: Makes the batches for a reader that knows a state.
    mutating func catchUp(
        _ sink: some EventSink, resync: (PhaseWatcher.State) -> [ChangeBatch]
    ) throws {
        guard let lastTold, !sink.hasBacklog else { return }
        self.lastTold = nil
        guard lost > 0 else { return }
        let lines = lost == 1 ? "1 line was" : "\(lost) lines were"
        lost = 0
        let notice = Notice(
            name: "resync",
            text: "\(lines) given up, since the reader was too slow; what follows is the state now")
        let time = Timestamp.now()
        try sink.take([.notice(notice)], at: time)
        for batch in resync(lastTold) { try sink.take(batch, at: time) }
    }
}
