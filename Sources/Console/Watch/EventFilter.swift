import PhaseWatch

/// A filter that decides which events become lines.
public final class EventFilter {
    /// A list, since a set would hash their texts for each event.
    private let levels: [Change.Level]
    private let criteria: Criteria
    /// Whether there are no criteria, so that every subject matches.
    private let matchesAll: Bool
    /// The phases whose entry becomes a line; nil accepts all phases, and closing.
    private let phases: Set<ScenePhase>?
    private let hidesInitial: Bool
    /// Whether titles become lines, regardless of the levels. Scenes that open and close then become lines, too.
    private let reportsTitles: Bool
    /// Whether facts become lines in the same way: desktop, monitor, extent, role and process.
    private let reportsFacts: Bool
    private var followed = FollowedSubjects()

    package init(
        levels: Set<Change.Level>, criteria: Criteria, phases: Set<ScenePhase>? = nil, hidesInitial: Bool,
        reportsTitles: Bool = false, reportsFacts: Bool = false
    ) {
        self.levels = Array(levels)
        self.criteria = criteria
        self.phases = phases
        matchesAll = criteria == Criteria()
        (self.hidesInitial, self.reportsTitles, self.reportsFacts) = (
            hidesInitial, reportsTitles, reportsFacts
        )
    }

    /// The details that the filter needs besides phases.
    public var details: PhaseWatcher.Details {
        criteria.details.union(reportsTitles ? [.titles, .titleChanges] : [])
            .union(reportsFacts ? .locations : [])
    }

    /// Returns whether an event becomes a line. Notices pass: without them, a reader could not know which lines to
    /// trust.
    public func accepts(_ event: Event) -> Bool {
        guard case .change(let change) = event else { return true }
        // With `--no-initial`, hides the state at the start, but not that of a resync.
        let isHidden = hidesInitial && change.kind == .initial && change.cause == .start
        if isHidden || !reports(change.kind, of: change.level) { return false }
        if let phases, !(change.to.map(phases.contains) ?? false) { return false }
        if matchesAll { return true }
        let isMatch = criteria.matches(change)
        // A line about a phase is not followed by one when that ends: there is no last line to keep true.
        return phases == nil ? followed.takes(change, isMatch: isMatch) : isMatch
    }

    /// Returns whether events of a kind and a level may become lines.
    public func reports(_ kind: Change.Kind, of level: Change.Level) -> Bool {
        switch (kind, level) {
        case (.title, _): reportsTitles
        case (.facts, _): reportsFacts && level == .scene
        // A scene opens with its first title and facts, which end when it closes.
        case (.initial, .scene), (.opened, .scene), (.closed, .scene):
            reportsTitles || reportsFacts || levels.contains(level)
        default: levels.contains(level)
        }
    }
}
