import PhaseWatch

/// The lines that are dropped while too many of them wait for a slow reader. Once the reader has caught up, it gets the
/// state again, so the last line about each subject is true.
public struct Backlog {
    /// The state when the last line was passed on; nil while no lines are dropped.
    private var lastReported: SceneTable?
    private var lost = 0

    public init() {}

    /// Keeps the state if the reader is too slow. Must be called before the watcher advances.
    package mutating func prepare(_ state: @autoclosure () -> SceneTable, isFull: Bool) {
        if isFull && lastReported == nil { lastReported = state() }
    }

    /// Returns whether lines are dropped, and counts them then.
    public mutating func drops(_ count: @autoclosure () -> Int) -> Bool {
        if lastReported == nil { return false }
        lost += count()
        return true
    }

    /// Returns what a reader must get that has read everything that waited: the number of lost lines, and the events since
    /// the state that it knows.
    package mutating func catchUp(_ resync: (SceneTable) -> [Event]) -> [Event] {
        defer { (lastReported, lost) = (nil, 0) }
        guard let lastReported, lost > 0 else { return [] }
        let lines = lost == 1 ? "1 line was" : "\(lost) lines were"
        let text = "\(lines) dropped, since the reader was too slow; the current state follows"
        return [.notice(Notice(name: "resync", text: text))] + resync(lastReported)
    }
}
