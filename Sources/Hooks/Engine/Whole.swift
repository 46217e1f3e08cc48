import PhaseWatch

/// What hooks with one subject are about: the states of the session, and everything that a hook of the level `all` matches.
struct Whole: Sendable {
    /// What has begun each state of the session that holds.
    private(set) var states: [SessionLimit: HookTrigger] = [:]
    /// The phases of everything that hooks of the level `all` match, by the name of the hook.
    private var members: [String: [SubjectID: ScenePhase]] = [:]

    /// Takes the states of the session that begin or end at one time.
    mutating func take(_ triggers: [HookTrigger]) {
        for trigger in triggers {
            guard let change = trigger.session else { continue }
            states[change.limit] = change.begins ? trigger : nil
        }
    }

    mutating func forgetMembers(ofOthersThan hooks: Set<String>) {
        members = members.filter { hooks.contains($0.key) }
    }

    /// The states that hold, for hooks that are loaded now.
    var found: [HookTrigger] {
        states.sorted { $0.key < $1.key }.map { _, trigger in
            var trigger = trigger
            trigger.isFound = true
            return trigger
        }
    }

    /// Returns the step of the subject of a hook after all simultaneous triggers; nil if it goes on as it was. What ends as
    /// something else of the hook begins is no step.
    mutating func step(of hook: Hook, among triggers: [HookTrigger], _ wasInside: Bool) -> HookTrigger? {
        hook.condition.session.isEmpty
            ? step(ofAll: hook, triggers) : step(of: hook.condition.session, triggers, wasInside)
    }

    /// Returns the first trigger that begins one of the states, or the last one that ends it.
    private func step(
        of own: Set<SessionLimit>, _ triggers: [HookTrigger], _ wasInside: Bool
    ) -> HookTrigger? {
        let isInside = states.keys.contains(where: own.contains)
        if isInside == wasInside { return nil }
        let possible = triggers.filter { trigger in
            trigger.session.map { own.contains($0.limit) && $0.begins == isInside } ?? false
        }
        return isInside ? possible.first : possible.last
    }

    /// Returns the change of everything that the hook matches.
    private mutating func step(ofAll hook: Hook, _ triggers: [HookTrigger]) -> HookTrigger? {
        var members = members[hook.name] ?? [:]
        let former = members.values.max()
        var last: HookTrigger?
        for trigger in triggers {
            guard let change = trigger.change, change.level == hook.condition.changes else { continue }
            let id = change.subjectID
            let phase = hook.condition.concerns(change) ? change.to : nil
            if phase != nil || members[id] != nil { last = trigger }
            members[id] = phase
        }
        self.members[hook.name] = members
        let phase = members.values.max()
        guard var step = last, var change = step.change, phase != former else { return nil }
        let isFound = change.kind == .initial && former == nil
        change.from = former
        change.to = phase
        change.kind = phase == nil ? .closed : isFound ? .initial : former == nil ? .opened : .phase
        step.occasion = .change(change)
        return step
    }
}
