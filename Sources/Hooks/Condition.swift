import Console
import PhaseWatch

/// What a hook takes as one: a scene, a group, an application, or everything that it matches.
package enum HookLevel: String, CaseIterable, Codable, Sendable {
    case scene, group, application, all
}

/// The changes that a hook reacts to. An empty key matches everything.
@dynamicMemberLookup
package struct Condition: Hashable, Sendable {
    /// The states of the session that the hook is about; empty for a hook about applications.
    package var session: Set<SessionLimit> = []
    package var level = HookLevel.application
    package var criteria = Criteria()
    package var from: Set<ScenePhase> = []
    package var to: Set<PhaseOrClosed> = []
    package var cause: Set<Cause> = []
    /// Whether the condition matches subjects that exist when the hook is loaded.
    package var initial = false
    /// The class name of the only application that matches, if the user has chosen one.
    package var chosen: String?

    package init() {}

    package subscript<Value>(dynamicMember path: WritableKeyPath<Criteria, Value>) -> Value {
        get { criteria[keyPath: path] }
        set { criteria[keyPath: path] = newValue }
    }

    /// The level of the changes that the hook follows. If everything that it matches is one, and only scenes have what
    /// it asks for, these are the changes of scenes.
    package var changes: Change.Level {
        Change.Level(rawValue: level.rawValue) ?? (criteria.followsFacts ? .scene : .application)
    }

    /// Whether the hook has one subject: the session, or everything that it matches.
    var isOfWhole: Bool { level == .all || !session.isEmpty }

    func matches(_ trigger: HookTrigger) -> Bool {
        switch trigger.occasion {
        case .change(let change): matches(change)
        case .session(let change): change.begins && (initial || !trigger.isFound)
        }
    }

    package func matches(_ change: Change) -> Bool {
        guard change.level == changes, level == .all || concerns(change) else { return false }
        // An initial change has no `from` and no real cause.
        if change.kind == .initial { return initial && isReached(by: change) }
        // The change leaves no phase.
        if change.keepsPhase && !from.isEmpty { return false }
        // The window was renamed and still exists.
        if change.kind == .closed && change.cause == .regroup { return false }
        return (from.isEmpty || change.from.map(from.contains) ?? false) && isReached(by: change)
            && (cause.isEmpty || cause.contains(change.cause))
    }

    /// Returns whether the subject of the change matches, regardless of the phases and the cause.
    package func concerns(_ change: Change) -> Bool {
        session.isEmpty && (chosen == nil || chosen == change.application) && criteria.matches(change)
    }

    private func isReached(by change: Change) -> Bool { to.isEmpty || to.contains(PhaseOrClosed(change.to)) }
}
