import PhaseWatch
import Scenes

/// Which events become lines.
final class EventFilter {
    private let levels: Set<Change.Level>
    private let patterns: [ApplicationPattern]
    private let hidesInitial: Bool
    /// The applications that were told of. One that is chosen by an instance name stays so when that instance
    /// goes, or its last line would not be true for long.
    private var followed: Set<String> = []

    /// - Parameter patterns: None of them for all applications.
    init(levels: Set<Change.Level>, patterns: [ApplicationPattern], hidesInitial: Bool) {
        self.levels = levels
        self.patterns = patterns
        self.hidesInitial = hidesInitial
    }

    /// Notices pass: without them a reader could not tell what to believe.
    func accepts(_ event: Event) -> Bool {
        guard case .change(let change) = event else { return true }
        return levels.contains(change.level) && isChosen(change) && !isHidden(change)
    }

    func accepts(_ level: Change.Level) -> Bool { levels.contains(level) }

    /// What a resync tells was not there when the watch began.
    private func isHidden(_ change: Change) -> Bool {
        hidesInitial && change.kind == .initial && change.cause == .start
    }

    private func isChosen(_ change: Change) -> Bool {
        if patterns.isEmpty { return true }
        let isMatch = patterns.contains { $0.matches(change) }
        guard change.level == .application else { return isMatch }
        let isFollowed = followed.contains(change.application)
        if change.kind == .closed {
            followed.remove(change.application)
        } else if isMatch {
            followed.insert(change.application)
        }
        return isMatch || isFollowed
    }
}
