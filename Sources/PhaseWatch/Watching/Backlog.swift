import Scenes

/// Gives up events while a sink is full, and tells everything anew once its reader has caught up, so that
/// the last line about anything is true.
struct Backlog {
    /// The tracker as it was when the last line was passed on; nil while none is given up.
    private var lastTold: SceneTracker?
    private var lost = 0

    /// To be called before the tracker moves on.
    mutating func prepare(_ tracker: @autoclosure () -> SceneTracker, _ sink: some EventSink) {
        if lastTold == nil && sink.isFull { lastTold = tracker() }
    }

    /// - Returns: The number of each event's line; nil where it is none.
    mutating func pass(_ events: [Event], at time: Timestamp, to sink: some EventSink) throws -> [Int?] {
        guard lastTold == nil else {
            lost += sink.count(events)
            return events.map { _ in nil }
        }
        return try sink.take(events, at: time)
    }

    /// To be called when the sink has passed on something.
    mutating func catchUp(_ tracker: SceneTracker, _ sink: some EventSink) throws {
        guard let lastTold, !sink.hasBacklog else { return }
        self.lastTold = nil
        guard lost > 0 else { return }
        let lines = lost == 1 ? "1 line was" : "\(lost) lines were"
        lost = 0
        let notice = Notice(
            name: "resync",
            text: "\(lines) given up, since the reader was too slow; what follows is the state now")
        try sink.take([.notice(notice)] + tracker.resync(since: lastTold, at: Clock.now()), at: .now())
    }
}
