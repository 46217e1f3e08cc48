import Console
import PhaseWatch

/// The changes that a hook reacts to. An empty key matches everything.
public struct Condition: Hashable, Sendable {
    public var level = Change.Level.application
    /// Globs over the class name, then the instance names.
    public var application: [ApplicationPattern] = []
    /// Globs over the instance names.
    public var group: [ApplicationPattern] = []
    /// Globs over the title, which only scenes have.
    public var title: [ApplicationPattern] = []
    /// Globs over the class name, then the instance names, of applications that do not match.
    public var exclude: [ApplicationPattern] = []
    public var from: Set<ScenePhase> = []
    public var to: Set<ScenePhase> = []
    public var cause: Set<Cause> = []
    /// Whether it matches what is there when the hook is loaded.
    public var initial = false

    public init() {}

    public func matches(_ change: Change) -> Bool {
        change.level == level && concerns(change) && isStep(change)
    }

    /// Whether the subject of the change matches, whatever its step is.
    public func concerns(_ change: Change) -> Bool {
        isEmptyOrAny(application) { $0.matches(change) }
            && isEmptyOrAny(group) { $0.matchesGroup(of: change) }
            && isEmptyOrAny(title) { $0.matchesTitle(of: change) }
            && !exclude.contains { $0.matches(change) }
    }

    private func isStep(_ change: Change) -> Bool {
        // Such a change has neither `from` nor a real cause.
        if change.kind == .initial { return initial && contains(to, change.to) }
        // The window got other names, and is still there.
        if change.kind == .closed && change.cause == .regroup { return false }
        return contains(from, change.from) && contains(to, change.to)
            && (cause.isEmpty || cause.contains(change.cause))
    }

    private func contains(_ phases: Set<ScenePhase>, _ phase: ScenePhase?) -> Bool {
        phases.isEmpty || phase.map(phases.contains) ?? false
    }

    private func isEmptyOrAny(
        _ patterns: [ApplicationPattern], _ isMatch: (ApplicationPattern) -> Bool
    ) -> Bool {
        patterns.isEmpty || patterns.contains(where: isMatch)
    }
}

extension ApplicationPattern {
    fileprivate func matchesGroup(of change: Change) -> Bool {
        switch change.subject {
        case .scene: change.group.map(matches) ?? false
        case .group(let members), .application(let members): members.groups.contains(where: matches)
        }
    }

    fileprivate func matchesTitle(of change: Change) -> Bool {
        if case .scene(let facts) = change.subject { facts.title.map(matches) ?? false } else { false }
    }
}
