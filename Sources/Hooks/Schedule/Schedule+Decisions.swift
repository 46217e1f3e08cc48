import PhaseWatch

extension Schedule {
    /// Decides what one change brings about for one hook.
    mutating func apply(_ trigger: HookTrigger, to hook: Hook, at now: Duration) {
        switch hook.reaction {
        case .run:
            decideRun(Job(hook: hook, part: .run, trigger: trigger), at: now)
        case .pair(let pair):
            decidePair(Job(hook: hook, part: .enter, trigger: trigger), pair.phases, at: now)
        }
    }

    private mutating func decideRun(_ job: Job, at now: Duration) {
        let change = job.trigger.change
        if job.hook.followsFacts {
            let isInside = change.to != nil && job.hook.condition.concerns(change)
            // What still matches is not entered anew.
            if setInside(job.key, isInside) == isInside, change.keepsPhase { return }
            // Phases and titles make a run; a desktop or a process only chooses among them.
            if isInside, !job.hook.followsTitles, change.keepsPhase { return }
        }
        dropWaiting(job.key)
        if change.kind != .closed {
            // A job that waits runs even if the application closes: it may clean up behind it.
            dropQueued(job, .run)
            stopCheck(job)
        }
        guard job.hook.condition.matches(change) else { return }
        add(.matched(job))
        if !suspended.contains(job.hook.name) { enqueue(job, at: now) }
    }

    private mutating func decidePair(_ job: Job, _ phases: Set<ScenePhase>, at now: Duration) {
        let change = job.trigger.change
        var isInside = change.to.map(phases.contains) ?? false
        var wasInside = change.from.map(phases.contains) ?? false
        if job.hook.followsFacts {
            isInside = isInside && job.hook.condition.concerns(change)
            wasInside = setInside(job.key, isInside)
        }
        guard isInside else {
            dropWaiting(job.key)
            parked[job.key] = nil
            dropQueued(job, .enter)
            stopCheck(job)
            leave(job.key, on: job.trigger)
            return
        }
        let isNew = !wasInside && job.hook.condition.matches(change)
        if isNew { add(.matched(job)) }
        if suspended.contains(job.hook.name) {
            if isNew { park(job, due: now + job.hook.after) }
            return
        }
        // Where the hook has changed since, the `leave` of its old version goes on.
        if owed[job.key]?.hook == job.hook && !isLeaving(job) {
            dropQueued(job, .leave)
        } else if isNew {
            enqueue(job, at: now)
        }
    }

    /// Notes whether a hook that follows facts is for something now.
    ///
    /// - Returns: Whether it was before.
    private mutating func setInside(_ key: Job.Key, _ isInside: Bool) -> Bool {
        isInside ? !inside.insert(key).inserted : inside.remove(key) != nil
    }

    /// Runs the job once its time has come.
    private mutating func enqueue(_ job: Job, at now: Duration) {
        guard hasRoom(for: job) else { return }
        if job.hook.after > .zero {
            wait(for: job, until: now + job.hook.after)
        } else {
            queue.append(job)
        }
    }

    /// Runs a job that was kept in mind once its time has come.
    mutating func wantAgain(_ wait: Waiting) {
        if hasRoom(for: wait.job) { waiting[wait.job.key] = wait }
    }

    private mutating func hasRoom(for job: Job) -> Bool {
        if waiting.count + queue.count < bound { return true }
        if !isOverflowing { add(.remark(.overflow(job, bound: bound))) }
        isOverflowing = true
        return false
    }

    mutating func wait(for job: Job, until moment: Duration) {
        lastWait += 1
        waiting[job.key] = Waiting(job: job, due: moment, number: lastWait)
    }

    /// Runs `leave` of what was entered, unless that is under way.
    mutating func leave(_ key: Job.Key, on trigger: HookTrigger) {
        guard var job = owed[key], !isLeaving(job) else { return }
        job.part = .leave
        job.trigger = trigger
        if !queue.contains(job) { queue.append(job) }
    }

    private func isLeaving(_ job: Job) -> Bool {
        running[job.lane].map { $0.job.key == job.key && $0.job.part == .leave } ?? false
    }

    private mutating func dropWaiting(_ key: Job.Key) {
        guard let wait = waiting.removeValue(forKey: key), wait.job.exception == nil else { return }
        add(.remark(.leftTooEarly(wait.job)))
    }

    /// Gives up a part of the job's hook that waits for its turn.
    mutating func dropQueued(_ job: Job, _ part: Job.Part) {
        var job = job
        job.part = part
        if queue.remove(job), part != .leave { add(.collapsed(job)) }
        if part == .leave && retries[job.lane]?.key == job.key { retries[job.lane] = nil }
    }

    /// The hook is not to run any longer, whatever its check says.
    mutating func stopCheck(_ job: Job) {
        guard let run = running[job.lane], run.isCheck, !run.isStopped, run.job.key == job.key else { return }
        running[job.lane]?.isStopped = true
        add(.stop(run.id))
    }
}
