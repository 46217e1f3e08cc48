import PhaseWatch

/// The states of the session that hold, for the hooks that are about them.
struct SessionStates: Sendable {
    /// What has begun each of them.
    private(set) var all: [SessionLimit: HookTrigger] = [:]

    /// Takes the states that begin or end at one time.
    mutating func take(_ steps: [HookTrigger]) {
        for step in steps {
            guard let change = step.session else { continue }
            all[change.limit] = change.begins ? step : nil
        }
    }

    /// The states that hold, for hooks that are loaded now.
    var found: [HookTrigger] {
        all.sorted { $0.key < $1.key }.map { _, trigger in
            var trigger = trigger
            trigger.isFound = true
            return trigger
        }
    }

    /// Returns the first step that begins what a hook is about, or the last one that ends it; nil if it goes on as it was. A
    /// state that ends as another of the hook's begins is no step.
    func step(of hook: Hook, among steps: [HookTrigger], wasInside: Bool) -> HookTrigger? {
        let own = hook.condition.session
        let isInside = all.keys.contains(where: own.contains)
        if isInside == wasInside { return nil }
        let possible = steps.filter { step in
            step.session.map { own.contains($0.limit) && $0.begins == isInside } ?? false
        }
        return isInside ? possible.first : possible.last
    }
}
