import PhaseWatch
import System

/// The delays and turns of jobs, and how each job begins and ends.
extension HookEngine {
    /// Queues the job, after its delay if there is one.
    mutating func enqueue(_ job: Job) {
        guard hasRoom(for: job) else { return }
        if job.hook.after > .zero {
            wait(for: job, until: moment + job.hook.after)
        } else {
            queue.append(job)
        }
    }

    mutating func hasRoom(for job: Job) -> Bool {
        if waitingCount + queue.count < bound { return true }
        if !isOverflowing { say(.overflow(job, bound: bound)) }
        isOverflowing = true
        return false
    }

    var waitingCount: Int { pairs.values.count { $0.waiting?.isParked == false } }

    mutating func wait(for job: Job, until due: Duration, isParked: Bool = false) {
        lastNumber += 1
        let number = lastNumber
        update(job.key) { $0.waiting = Waiting(job: job, due: due, number: number, isParked: isParked) }
    }

    /// Queues the `leave` of an entered pair, unless the pair is being left already.
    mutating func leave(_ key: Job.Key, on trigger: HookTrigger) {
        if case .voting = pairs[key]?.state { pairs[key]?.state = .idle }
        guard let state = pairs[key]?.state, let entry = state.entry, !state.isLeaving else { return }
        var job = entry.job
        (job.part, job.trigger) = (.leave, trigger)
        if !queue.contains(job) { queue.append(job) }
    }

    mutating func dropWaiting(_ key: Job.Key) {
        guard let waiting = pairs[key]?.waiting else { return }
        pairs[key]?.waiting = nil
        if !waiting.isParked { say(.leftTooEarly(waiting.job)) }
    }

    /// Drops a part of the job's hook that waits for its turn.
    mutating func dropQueued(_ job: Job, _ part: Job.Part) {
        var job = job
        job.part = part
        if queue.remove(job), part != .leave { say(.collapsed(job)) }
        if part == .leave && retries[job.lane]?.key == job.key { retries[job.lane] = nil }
    }

    /// Abandons a check: the hook does not run, whatever the answer is.
    mutating func stopCheck(_ key: Job.Key) {
        guard case .checking(let id, let job) = pairs[key]?.state else { return }
        pairs[key]?.state = .abandoned(id, job)
        effects.append(.end(id))
    }

    /// Starts the queued jobs whose lanes are free, in order.
    mutating func startQueued(_ isWanted: (Job.Part) -> Bool = { _ in true }) {
        guard !isClosed else { return }
        if case .unread = memory { return }
        while busy.count < limit,
            let job = queue.takeNext(
                of: isWanted, where: { [busy, retries] in busy[$0] == nil && retries[$0]?.due == nil },
                if: { [pairs] job in
                    let state = pairs[job.key]?.state
                    return job.part == .leave ? state?.isLeavable ?? true : state?.isIdle ?? true
                })
        {
            busy[job.lane] = job.key
            if job.part == .leave { beginLeave(job) } else { begin(job, isChecked: job.hook.unless == nil) }
        }
        if isOverflowing, waitingCount + queue.count < bound / 2 { isOverflowing = false }
    }

    mutating func begin(_ job: Job, isChecked: Bool) {
        if isClosed { return endTurn(of: job) }
        update(job.key) { $0.note = nil }
        // Refuse before any check: the record may be read before the answer arrives, and may contain this pair.
        if job.part == .enter, case .failed(let reason) = memory { return refuse(job, reason) }
        if !isChecked {
            let id = newRun(of: job.key)
            pairs[job.key]?.state = .checking(id, job)
            effects.append(.run(id, job, isCheck: true, processes: nil))
        } else if !job.hook.builtIns.isEmpty {
            endTurn(of: job, .voting(job, since: moment.time))
            keep(.ran, of: job, RunWords.verb(job))
        } else if job.part == .run {
            run(job) { .running($0, job) }
        } else {
            let entry = Entry(job: job, since: moment.time)
            guard isRecorded else { return enter(entry) }
            let write = nextWrite
            pairs[job.key]?.state = .recording(write, entry)
            entering.append(job)
            isChanged = true
        }
    }

    mutating func refuse(_ job: Job, _ reason: String) {
        endTurn(of: job)
        fail(job, .notStarted("not run, since its 'leave' cannot be recorded: \(reason)"), after: .zero)
        dropQueued(job, .leave)
    }

    mutating func run(
        _ job: Job, processes: [ProcessIdentity]? = nil, _ state: (RunID) -> PairState
    ) {
        let id = newRun(of: job.key)
        pairs[job.key]?.state = state(id)
        effects.append(.run(id, job, isCheck: false, processes: processes))
        say(.started(job))
    }

    mutating func enter(_ entry: Entry) { run(entry.job) { .entering($0, entry) } }

    mutating func beginLeave(_ job: Job) {
        guard var entry = pairs[job.key]?.state.entry else {
            busy[job.lane] = nil
            return
        }
        entry.since = moment.time
        if isClosed { return hold(entry) }
        run(job, processes: entry.processes) { .leaving($0, entry, job) }
    }

    /// Forgets the entry of a pair that owes nothing any longer.
    mutating func release(_ job: Job) {
        pairs[job.key]?.state = .idle
        busy[job.lane] = nil
        if retries[job.lane]?.key == job.key { retries[job.lane] = nil }
        isChanged = true
    }

    mutating func retry(_ job: Job) {
        guard let entry = pairs[job.key]?.state.entry else { return }
        hold(entry)
        let delay = Application.Retry.delay(after: retries[job.lane]?.delay)
        retries[job.lane] = Retry(key: job.key, delay: delay, due: moment + delay)
        queue.prepend(job)
        say(.retry(job, in: delay))
    }
}
