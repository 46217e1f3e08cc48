import Console
import PhaseWatch

/// Which events become lines.
final class EventFilter {
    /// By level: scene, group, application.
    private let wanted: [Bool]
    private let patterns: [ApplicationPattern]
    private let hidesInitial: Bool
    private var followed = FollowedApplications()

    /// - Parameter patterns: None of them for all applications.
    init(levels: Set<Change.Level>, patterns: [ApplicationPattern], hidesInitial: Bool) {
        wanted = [.scene, .group, .application].map { levels.contains($0) }
        self.patterns = patterns
        self.hidesInitial = hidesInitial
    }

    /// Whether an element of a batch becomes a line. Its strings are made only where patterns ask for them.
    func accepts(_ delta: Delta, of batch: ChangeBatch) -> Bool {
        guard let level = delta.level else { return true }
        guard accepts(level), !isHidden(delta.kind, delta.cause) else { return false }
        if patterns.isEmpty { return true }
        return batch.change(delta).map(isChosen) ?? false
    }

    /// Notices pass: without them a reader could not tell what to believe.
    func accepts(_ event: Event) -> Bool {
        guard case .change(let change) = event else { return true }
        return accepts(change.level) && isChosen(change)
            && !isHidden(change.kind, change.cause)
    }

    func accepts(_ level: Change.Level) -> Bool {
        switch level {
        case .scene: wanted[0]
        case .group: wanted[1]
        case .application: wanted[2]
        }
    }

    /// What a resync tells was not there when the watch began.
    private func isHidden(_ kind: Change.Kind, _ cause: Cause) -> Bool {
        hidesInitial && kind == .initial && cause == .start
    }

    private func isChosen(_ change: Change) -> Bool {
        if patterns.isEmpty { return true }
        let isMatch = patterns.contains { $0.matches(change) }
        return change.level == .application ? followed.takes(change, isMatch: isMatch) : isMatch
    }
}
