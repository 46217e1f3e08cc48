import PhaseWatch
import System

/// The life cycle of the hooks: the start after a crash, reloads, pauses and the end.
extension HookEngine {
    mutating func restore(_ restored: [RestoredPair]) {
        memory = .read
        // The whole record is written again.
        isChanged = true
        var leaves: [Job] = []
        for item in restored {
            let job = Job(item.pair.entry, time: moment.time)
            let key = job.key
            let part = item.pair.started?.part
            // The `leave` has run and must not run twice.
            if part == .leave && !item.isRunning { continue }
            if job.program == nil {
                send(.restored(key.subject.application, item.pair.holds, job))
                continue
            }
            var entry = Entry(
                job: job, isRestored: true, since: moment.time, processes: item.pair.entry.processes)
            update(key) { $0.state = .held(entry) }
            if let started = item.pair.started, item.isRunning, busy[job.lane] == nil {
                entry.started = started
                let id = newRun(of: key)
                var running = job
                running.part = started.part
                busy[job.lane] = key
                pairs[key]?.state =
                    started.part == .leave ? .leaving(id, entry, running) : .entering(id, entry)
                effects.append(.follow(id, running, started.process))
                say(.followed(running))
            }
            if pairs[key]?.state.isLeaving == true { continue }
            var leaving = job
            (leaving.part, leaving.trigger) = (.leave, job.trigger.abandoned(at: moment.time))
            if !leaves.contains(where: { $0.key == key }) { leaves.append(leaving) }
        }
        // A queued job may be the next `enter` of the same pair.
        for job in leaves.reversed() { queue.prepend(job) }
    }

    mutating func reload(_ hooks: [Hook]) {
        let kept = Set(hooks)
        self.hooks = hooks
        let known = Dictionary(grouping: hooks, by: \.name)
        history.keep(Array(known.keys))
        for key in pairs.keys where known[key.hook]?.contains(where: \.followsFacts) != true {
            pairs[key]?.isInside = false
            if known[key.hook] == nil { pairs[key]?.note = nil }
        }
        giveUp { kept.contains($0) }
    }

    mutating func stop() {
        isStopping = true
        // There may be no further change to trigger a write.
        if hasWriteFailed { isChanged = true }
        for lane in retries.keys { retries[lane]?.due = nil }
        applications.retryNow()
        for name in hands.keys.sorted() { endHand(name, because: ThawReason.stopped.words) }
        // An `enter` that waits for the disk is not run.
        for key in keys(where: { if case .recording = $1.state { true } else { false } }) {
            guard let job = pairs[key]?.state.entry?.job else { continue }
            dropQueued(job, .leave)
            release(job)
        }
        giveUp { _ in false }
    }

    mutating func giveUp(unless isKept: (Hook) -> Bool) {
        queue.removeAll { $0.part != .leave && !isKept($0.hook) }
        for key in keys(where: { _, _ in true }) {
            if let waiting = pairs[key]?.waiting, !isKept(waiting.job.hook) { pairs[key]?.waiting = nil }
            if case .checking(_, let job) = pairs[key]?.state, !isKept(job.hook) { stopCheck(key) }
            if let job = pairs[key]?.state.begun, !isKept(job.hook) {
                leave(key, on: job.trigger.abandoned(at: moment.time))
            }
        }
    }

    /// Leaves the pairs of the hooks that are suspended now. Phases that would enter these pairs are remembered: if a phase
    /// still lasts when the hook reacts again, the pair is entered once `after` has passed since the phase began.
    mutating func suspend(_ names: Set<String>) {
        let new = names.subtracting(suspended)
        suspended = names
        for (job, due) in giveUpWaiting({ new.contains($0.hook.name) }) { park(job, due: due ?? moment.now) }
        for key in keys(where: { key, pair in new.contains(key.hook) && pair.state.entry != nil })
        where isStillEntered(key) {
            guard let entry = pairs[key]?.state.entry else { continue }
            park(entry.job, due: moment.now)
            leave(key, on: entry.job.trigger.abandoned(at: moment.time))
        }
        for key in keys(where: { $1.waiting?.isParked ?? false }) where !names.contains(key.hook) {
            guard let waiting = pairs[key]?.waiting else { continue }
            pairs[key]?.waiting = nil
            guard hasRoom(for: waiting.job) else { continue }
            pairs[key]?.waiting = Waiting(job: waiting.job, due: waiting.due, number: waiting.number)
        }
        advance()
    }

    /// Drops the jobs that wait for their time, their turn or an answer, until their phases begin again.
    ///
    /// - Returns: The dropped jobs, each with its due time; nil for a job that did not wait for one.
    mutating func giveUpWaiting(_ isMeant: (Job) -> Bool) -> [(job: Job, due: Duration?)] {
        var jobs: [(job: Job, due: Duration?)] = []
        for key in keys(where: { _, _ in true }) {
            if let waiting = pairs[key]?.waiting, !waiting.isParked, isMeant(waiting.job) {
                pairs[key]?.waiting = nil
                jobs.append((waiting.job, waiting.due))
            }
            if case .checking(_, let job) = pairs[key]?.state, isMeant(job) {
                jobs.append((job, nil))
                stopCheck(key)
            }
        }
        queue.removeAll { job in
            guard job.part != .leave, isMeant(job) else { return false }
            jobs.append((job, nil))
            return true
        }
        return jobs
    }

    /// Remembers a pair that would be entered if its hook were not suspended.
    mutating func park(_ job: Job, due: Duration) {
        guard job.part == .enter, pairs.values.count(where: { $0.waiting?.isParked ?? false }) < bound else {
            return
        }
        wait(for: job, until: due, isParked: true)
    }

    /// Returns whether a pair is to stay entered, since nothing has requested its `leave` yet.
    func isStillEntered(_ key: Job.Key) -> Bool {
        guard !isStopping, !isClosed, let state = pairs[key]?.state, let entry = state.entry, !state.isLeaving
        else { return false }
        var leaving = entry.job
        leaving.part = .leave
        return !queue.contains(leaving)
    }

    static let thawedByUser = "thawed by the user"

    mutating func thawForUser(_ names: Set<String>?) {
        let waiting = giveUpWaiting { job in
            job.hook.builtIns.contains(.freeze) && names?.contains(job.subject.application) ?? true
        }
        for (job, _) in waiting { note(.excepted, of: job, Self.thawedByUser) }
        for name in hands.keys.sorted() where names?.contains(name) ?? true {
            endHand(name, because: Self.thawedByUser)
        }
        send(.thaw(names))
    }
}
