import PhaseWatch

/// The effects of changes of the session on the hooks that are about it.
extension HookEngine {
    /// Takes the states of the session that begin or end at one time.
    mutating func react(toSession triggers: [HookTrigger], only names: Set<String>?) {
        let steps = triggers.filter { $0.session != nil }
        if steps.isEmpty { return }
        for step in steps {
            guard let change = step.session else { continue }
            session[change.limit] = change.begins ? step : nil
        }
        for hook in hooks where names?.contains(hook.name) ?? true {
            if let step = step(of: hook, among: steps) { decide(hook, step) }
        }
    }

    /// Has new hooks find the states of the session that hold.
    mutating func findSession(unless isKept: (Hook) -> Bool) {
        let states = session.sorted { $0.key < $1.key }.map(\.value)
        for hook in hooks where !isKept(hook) {
            guard var step = step(of: hook, among: states) else { continue }
            step.isFound = true
            decide(hook, step)
        }
    }

    /// Returns the first step that begins what a hook is about, or the last one that ends it; nil if it goes on as it was. A
    /// state that ends as another of the hook's begins is no step.
    private func step(of hook: Hook, among steps: [HookTrigger]) -> HookTrigger? {
        let own = hook.condition.session
        let isInside = session.keys.contains(where: own.contains)
        guard isInside != commands[hook.sessionKey]?.isInside ?? false else { return nil }
        let possible = steps.filter { step in
            step.session.map { own.contains($0.limit) && $0.begins == isInside } ?? false
        }
        return isInside ? possible.first : possible.last
    }

    private mutating func decide(_ hook: Hook, _ trigger: HookTrigger) {
        let begins = trigger.session?.begins ?? false
        let job = Job(hook: hook, part: hook.pair == nil ? .run : .enter, trigger: trigger)
        update(job.key) { $0.isInside = begins }
        guard begins else {
            drop(job.part, of: job.key, isClosed: false)
            stopCheck(job.key)
            return leave(job.key, on: trigger)
        }
        if trigger.isFound && !hook.condition.initial { return }
        noteMatch(job)
        if hook.pair != nil {
            enter(job, isNew: true)
        } else if !suspended.contains(hook.name) {
            enqueue(job)
        }
    }
}

extension Hook {
    /// The key of a hook that is about the session.
    fileprivate var sessionKey: Job.Key { Job.Key(hook: name, subject: Job.Key.whole, isPair: pair != nil) }
}
