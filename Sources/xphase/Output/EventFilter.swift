import PhaseWatch
import Scenes

/// Which events become lines.
struct EventFilter {
    let levels: Set<Change.Level>
    /// None of them for all applications.
    let patterns: [ApplicationPattern]
    let hidesInitial: Bool

    /// Notices pass: without them a reader could not tell what to believe.
    func accepts(_ event: Event) -> Bool {
        guard case .change(let change) = event else { return true }
        // What a resync tells was not there when the watch began.
        if hidesInitial && change.kind == .initial && change.cause == .start { return false }
        return levels.contains(change.level)
            && (patterns.isEmpty || patterns.contains { $0.matches(change) })
    }
}
