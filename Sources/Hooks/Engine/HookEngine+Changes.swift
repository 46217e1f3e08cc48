import PhaseWatch
import System

/// The effects of changes on hooks.
extension HookEngine {
    mutating func react(to triggers: [HookTrigger], only names: Set<String>?) {
        guard !isStopping else { return }
        for trigger in triggers {
            let change = trigger.change
            if change.kind == .closed, !pairs.isEmpty { dropNotes(of: change.subjectID) }
            if change.level == .application && !(hands.isEmpty && applications.all.isEmpty) {
                followHand(change)
            }
            // Most hooks are about other applications. To copy a hook takes longer than to check that.
            for index in hooks.indices
            where hooks[index].condition.level == change.level && change.isOf(hooks[index]) {
                if let names, !names.contains(hooks[index].name) { continue }
                let isConcerned = hooks[index].condition.concerns(change)
                if !isConcerned && pairs.isEmpty { continue }
                let part: Job.Part = hooks[index].phases == nil ? .run : .enter
                let key = Job.Key(
                    hook: hooks[index].name, subject: change.subjectID, isPair: part == .enter)
                if !isConcerned && pairs[key] == nil { continue }
                let job = Job(hook: hooks[index], part: part, trigger: trigger)
                if let phases = job.hook.phases { decidePair(job, phases) } else { decideRun(job) }
            }
            // Start the job before the next change, which would remove it from the queue. Pairs wait for all changes:
            // an application that closes enters no pair for its last moment in the background.
            startQueued { $0 == .run }
        }
    }

    mutating func decideRun(_ job: Job) {
        let change = job.trigger.change
        if job.hook.followsFacts {
            let isInside = change.to != nil && job.hook.condition.concerns(change)
            // A subject that still matches triggers no further run.
            if setInside(job.key, isInside) == isInside, change.keepsPhase { return }
            // Phases and titles trigger runs; a desktop or a process only filters them.
            if isInside, !job.hook.followsTitles, change.keepsPhase { return }
        }
        dropWaiting(job.key)
        if change.kind != .closed {
            // A waiting job runs even if the application closes, since it may clean up after it.
            dropQueued(job, .run)
            stopCheck(job.key)
        }
        guard job.hook.condition.matches(change) else { return }
        say(.matched(job))
        if !suspended.contains(job.hook.name) { enqueue(job) }
    }

    mutating func decidePair(_ job: Job, _ phases: Set<ScenePhase>) {
        let change = job.trigger.change
        var isInside = change.to.map(phases.contains) ?? false
        var wasInside = change.from.map(phases.contains) ?? false
        if job.hook.followsFacts {
            isInside = isInside && job.hook.condition.concerns(change)
            wasInside = setInside(job.key, isInside)
        }
        guard isInside else {
            dropWaiting(job.key)
            dropQueued(job, .enter)
            stopCheck(job.key)
            leave(job.key, on: job.trigger)
            noteEnd(of: job, phases)
            return
        }
        let isNew = !wasInside && job.hook.condition.matches(change)
        if isNew { say(.matched(job)) }
        let state = pairs[job.key]?.state
        // A suspended hook keeps its vote, which does not count.
        if case .voting(let voting, _) = state, voting.hook == job.hook { return }
        if suspended.contains(job.hook.name) {
            if isNew { park(job, due: moment + job.hook.after) }
            return
        }
        // If the hook has changed since, the `leave` of its old version continues.
        if let entry = state?.entry, entry.job.hook == job.hook, !entry.isRestored, state?.isLeaving == false
        {
            dropQueued(job, .leave)
            // An `enter` may be queued behind that `leave`.
            queue.remove(job)
            pairs[job.key]?.waiting = nil
        } else if isNew {
            enqueue(job)
        }
    }

    /// Replaces the note about what prevented the reaction, once the pair ends.
    private mutating func noteEnd(of job: Job, _ phases: Set<ScenePhase>) {
        guard let former = pairs[job.key]?.note, [.excepted, .entered].contains(former.state),
            let phase = job.trigger.change.to
        else { return }
        let words = phases.sorted().map { $0 == .background ? "in the background" : $0.rawValue }
        let end =
            phases.contains(phase) ? "no longer matches" : "is no longer \(words.joined(separator: " or "))"
        note(.ready, of: job, "it \(end); before that: \(former.reason)")
    }

    /// Records whether a hook that follows facts matches its subject now.
    ///
    /// - Returns: Whether it matched before.
    mutating func setInside(_ key: Job.Key, _ isInside: Bool) -> Bool {
        defer { if isInside || pairs[key] != nil { update(key) { $0.isInside = isInside } } }
        return pairs[key]?.isInside ?? false
    }

    mutating func update(_ key: Job.Key, _ change: (inout Pair) -> Void) {
        if pairs[key] == nil { lastNumber += 1 }
        change(&pairs[key, default: Pair(number: lastNumber)])
    }

    /// Removes pairs without data, and the oldest notes if there are more than `mostNotes`.
    mutating func forgetPairs() {
        var notes = 0
        for (key, pair) in pairs {
            if pair.isForgettable { pairs[key] = nil } else if pair.note != nil { notes += 1 }
        }
        guard notes > Self.mostNotes else { return }
        let noted = pairs.compactMap { key, pair in pair.note.map { (key, $0.time, pair.number) } }
        for (key, _, _) in noted.sorted(by: { ($0.1, $0.2) < ($1.1, $1.2) }).prefix(notes - Self.mostNotes) {
            pairs[key]?.note = nil
        }
    }
}
