import Console
import PhaseWatch

/// Which events become lines.
final class EventFilter {
    private let levels: Set<Change.Level>
    private let patterns: [ApplicationPattern]
    private let hidesInitial: Bool
    private var followed = FollowedApplications()

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
        return change.level == .application ? followed.takes(change, isMatch: isMatch) : isMatch
    }
}
