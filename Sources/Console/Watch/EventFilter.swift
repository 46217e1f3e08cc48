import PhaseWatch

/// A filter that decides which events become lines.
public final class EventFilter {
    /// Whether each level becomes lines: scene, group, application.
    private let wanted: [Bool]
    private let criteria: Criteria
    /// Whether `criteria` is empty, which is checked for each event.
    private let takesAll: Bool
    /// The phases whose entry becomes a line; nil accepts all phases, and closing.
    private let phases: Set<ScenePhase>?
    private let hidesInitial: Bool
    /// Whether titles become lines, regardless of the levels. Scenes that open and close then become lines, too.
    public let reportsTitles: Bool
    /// Whether facts become lines in the same way: desktop, monitor, extent, role and process.
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

    /// The details that the filter needs besides phases.
    public var details: PhaseWatcher.Details {
        criteria.details.union(reportsTitles ? [.titles, .titleChanges] : [])
            .union(reportsFacts ? .places : [])
    }

    /// Returns whether an event becomes a line. Notices pass: without them, a reader could not know which lines to
    /// trust.
    public func accepts(_ event: Event) -> Bool {
        guard case .change(let change) = event else { return true }
        guard accepts(change.level, change.kind), !isHidden(change.kind, change.cause) else { return false }
        if let phases, !(change.to.map(phases.contains) ?? false) { return false }
        return takesAll || isChosen(change)
    }

    private func accepts(_ level: Change.Level, _ kind: Change.Kind) -> Bool {
        switch kind {
        case .title: reportsTitles
        case .facts: reportsFacts && level == .scene
        case .phase: accepts(level)
        // A scene opens with its first title and facts, which end when it closes.
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

    /// With `--no-initial`, hides the state at the start, but not that of a resync.
    private func isHidden(_ kind: Change.Kind, _ cause: Cause) -> Bool {
        hidesInitial && kind == .initial && cause == .start
    }

    private func isChosen(_ change: Change) -> Bool {
        let isMatch = criteria.matches(change)
        // A line about a phase is not followed by one when that ends: there is no last line to keep true.
        return phases == nil ? followed.takes(change, isMatch: isMatch) : isMatch
    }
}
