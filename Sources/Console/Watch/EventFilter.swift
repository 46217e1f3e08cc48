import PhaseWatch

/// Which events become lines.
public final class EventFilter {
    /// By level: scene, group, application.
    private let wanted: [Bool]
    private let criteria: Criteria
    /// Whether `criteria` is empty, which is asked of each event.
    private let takesAll: Bool
    /// The phases that are entered; nil for all, and for the end of what is gone.
    private let phases: Set<ScenePhase>?
    private let hidesInitial: Bool
    /// Whether titles make lines, whatever the levels are, and with them the scenes that come and go.
    public let reportsTitles: Bool
    /// The same of facts: desktop, monitor, extent, role and process.
    public let reportsFacts: Bool
    private var followed = FollowedSubjects()

    public init(
        levels: Set<Change.Level>, criteria: Criteria, phases: Set<ScenePhase>? = nil, hidesInitial: Bool,
        reportsTitles: Bool = false, reportsFacts: Bool = false
    ) {
        self.phases = phases
        wanted = [.scene, .group, .application].map { levels.contains($0) }
        (self.criteria, takesAll) = (criteria, criteria.isEmpty)
        self.hidesInitial = hidesInitial
        self.reportsTitles = reportsTitles
        self.reportsFacts = reportsFacts
    }

    /// What must be read for it beside phases.
    public var details: PhaseWatcher.Details {
        criteria.details.union(reportsTitles ? [.titles, .titleChanges] : [])
            .union(reportsFacts ? .places : [])
    }

    /// Whether an element of a batch becomes a line. Its strings are made only where something is chosen by them. Notices pass:
    /// without them a reader could not tell what to believe.
    public func accepts(_ delta: Delta, of batch: ChangeBatch) -> Bool {
        guard let level = delta.level else { return true }
        guard accepts(level, delta.kind), !isHidden(delta.kind, delta.cause) else { return false }
        if let phases, !(delta.to.map(phases.contains) ?? false) { return false }
        if takesAll { return true }
        return batch.change(delta).map(isChosen) ?? false
    }

    private func accepts(_ level: Change.Level, _ kind: Change.Kind) -> Bool {
        switch kind {
        case .title: reportsTitles
        case .facts: reportsFacts && level == .scene
        case .phase: accepts(level)
        // A scene comes with its first title and facts, which end when it goes.
        case .initial, .opened, .closed: accepts(level) || (reportsTitles || reportsFacts) && level == .scene
        }
    }

    public func accepts(_ level: Change.Level) -> Bool {
        switch level {
        case .scene: wanted[0]
        case .group: wanted[1]
        case .application: wanted[2]
        }
    }

    /// With `--no-initial`, what is there at the start; not what a resync tells.
    private func isHidden(_ kind: Change.Kind, _ cause: Cause) -> Bool {
        hidesInitial && kind == .initial && cause == .start
    }

    private func isChosen(_ change: Change) -> Bool {
        followed.takes(change, isMatch: criteria.matches(change))
    }
}
