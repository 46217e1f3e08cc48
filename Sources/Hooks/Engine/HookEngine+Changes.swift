import PhaseWatch
import System

/// The effects of changes on hooks.
extension HookEngine {
    mutating func react(to triggers: [HookTrigger], only names: Set<String>?) {
        guard !isStopping else { return }
        react(toSession: triggers, only: names)
        for trigger in triggers {
            guard let change = trigger.change else { continue }
            if change.kind == .closed { history.close(change.subjectID) }
            if change.kind == .closed && change.level == .application { closed.insert(change.application) }
            if change.kind == .opened { closed.remove(change.application) }
            // Most hooks are about other applications. To copy a hook takes longer than to check that.
            for index in hooks.indices
            where hooks[index].condition.level != .all && hooks[index].condition.changes == change.level
                && change.isOf(hooks[index]) && names?.contains(hooks[index].name) ?? true
            {
                let isConcerned = hooks[index].condition.concerns(change)
                if !isConcerned && commands.isEmpty { continue }
                let key = Job.Key(
                    hook: hooks[index].name, subject: change.subjectID, isPair: hooks[index].phases != nil)
                if isConcerned || commands[key] != nil { decide(hooks[index], trigger, change) }
            }
            // Start the job before the next change, which would remove it. Pairs wait for all changes: an application
            // that closes enters no pair for its last moment in the background.
            startDue { $0 == .run }
        }
        for hook in hooks where hook.condition.level == .all && names?.contains(hook.name) ?? true {
            if let (trigger, change) = step(of: hook, triggers) { decide(hook, trigger, change) }
        }
    }

    private mutating func decide(_ hook: Hook, _ trigger: HookTrigger, _ change: Change) {
        let job = Job(hook: hook, part: hook.phases == nil ? .run : .enter, trigger: trigger)
        if let phases = hook.phases { decidePair(job, change, phases) } else { decideRun(job, change) }
    }

    /// Returns the step of everything that a hook of the level `all` matches, after all simultaneous changes: one that
    /// ends as another begins is no step.
    private mutating func step(of hook: Hook, _ triggers: [HookTrigger]) -> (HookTrigger, Change)? {
        var members = members[hook.name] ?? [:]
        let former = members.values.max()
        var last: (trigger: HookTrigger, change: Change)?
        for trigger in triggers {
            guard let change = trigger.change, change.level == hook.condition.changes else { continue }
            let id = change.subjectID
            let phase = hook.condition.concerns(change) ? change.to : nil
            if phase != nil || members[id] != nil { last = (trigger, change) }
            members[id] = phase
        }
        self.members[hook.name] = members
        let phase = members.values.max()
        guard var step = last, phase != former else { return nil }
        (step.change.from, step.change.to) = (former, phase)
        let isFound = step.change.kind == .initial && former == nil
        step.change.kind = phase == nil ? .closed : isFound ? .initial : former == nil ? .opened : .phase
        step.trigger.occasion = .change(step.change)
        return step
    }

    private mutating func decideRun(_ job: Job, _ change: Change) {
        if job.hook.followsOneByFacts {
            let isInside = change.to != nil && job.hook.condition.concerns(change)
            // A subject that still matches triggers no further run.
            if setInside(job.key, isInside) == isInside, change.keepsPhase { return }
            // Phases and titles trigger runs; a desktop or a process only filters them.
            if isInside, !job.hook.followsTitles, change.keepsPhase { return }
        }
        // A job that waits for its turn runs even if the application closes, since it may clean up after it.
        drop(.run, of: job.key, isClosed: change.kind == .closed)
        if change.kind != .closed { stopCheck(job.key) }
        guard job.hook.condition.matches(change) else { return }
        noteMatch(job)
        if !suspended.contains(job.hook.name) { enqueue(job) }
    }

    private mutating func decidePair(_ job: Job, _ change: Change, _ phases: Set<ScenePhase>) {
        var isInside =
            change.to.map(phases.contains) ?? (job.trigger.isSurvived && job.hook.lastsClosed)
        let followsFacts = job.hook.followsOneByFacts
        if followsFacts { isInside = isInside && job.hook.condition.concerns(change) }
        var wasInside = setInside(job.key, isInside)
        if !followsFacts { wasInside = change.from.map(phases.contains) ?? false }
        guard isInside else {
            drop(.enter, of: job.key, isClosed: change.kind == .closed)
            stopCheck(job.key)
            return leave(job.key, on: job.trigger)
        }
        let isNew = !wasInside && job.hook.condition.matches(change)
        if isNew { noteMatch(job) }
        enter(job, isNew: isNew)
    }

    /// Enters a pair that is to be entered anew, or keeps one that is entered, or about to be.
    mutating func enter(_ job: Job, isNew: Bool) {
        let state = commands[job.key]?.state
        // A suspended hook keeps its vote, which does not count.
        if case .voting(let voting, _) = state, voting.hook == job.hook { return }
        // What closed and opened again is still inside, and the check goes on.
        if case .checking(_, let checked, isAbandoned: false) = state, checked.hook == job.hook { return }
        // If the hook has changed since, the `leave` of its old version continues.
        if let entry = state?.entry, entry.job.hook == job.hook, !entry.isLeaving,
            !suspended.contains(job.hook.name)
        {
            // An `enter` may wait behind that `leave`.
            turns.removeAll { $0.job.key == job.key }
            commands[job.key]?.state.entry?.retry = nil
        } else if isNew {
            enqueue(job)
        }
    }

    mutating func noteMatch(_ job: Job) {
        history.note(.matched, of: job, RunWords.step(job), at: job.trigger.time)
    }

    /// Records whether a hook matches its subject now.
    ///
    /// - Returns: Whether it matched before.
    private mutating func setInside(_ key: Job.Key, _ isInside: Bool) -> Bool {
        let wasInside = commands[key]?.isInside ?? false
        if isInside || commands[key] != nil { update(key) { $0.isInside = isInside } }
        return wasInside
    }
}

extension Change {
    /// Returns whether the change can affect a hook of its level.
    fileprivate func isOf(_ hook: Hook) -> Bool {
        switch kind {
        case .title: hook.followsTitles
        case .facts: hook.followsFacts
        default: true
        }
    }

    /// Whether the change keeps the phase.
    var keepsPhase: Bool { kind == .title || kind == .facts }
}

extension Hook {
    /// Whether facts of a subject of its own decide whether the hook reacts. Everything as one has phases alone.
    fileprivate var followsOneByFacts: Bool { followsFacts && condition.level != .all }
}
