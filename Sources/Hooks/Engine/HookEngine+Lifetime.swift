import PhaseWatch
import System

/// The life of the hooks: a start after a crash, reloads, pauses, and the end.
extension HookEngine {
    mutating func restore(_ restored: [RestoredPair]) {
        memory = .read
        // It is written again as a whole.
        isChanged = true
        var leaves: [Job] = []
        for item in restored {
            let job = Job(item.pair.entry, time: moment.time)
            let key = job.key
            let part = item.pair.started?.part
            // It has run, and must not run twice.
            if part == .leave && !item.isRunning { continue }
            var entry = Entry(
                job: job, isRestored: true, since: moment.time, processes: item.pair.entry.processes)
            for hold in item.pair.holds where hold.isFreeze {
                holdings.addFreeze(hold, of: key.subject.application)
                entry.freeze = .frozen
            }
            holdings.add(item.pair.holds.filter { !$0.isFreeze }, of: key)
            update(key) { $0.state = .held(entry) }
            if let started = item.pair.started, item.isRunning, busy[job.lane] == nil {
                entry.started = started
                let id = newRun(of: key)
                var running = job
                running.part = started.part
                busy[job.lane] = key
                pairs[key]?.state =
                    started.part == .leave ? .leaving(id, entry, running) : .entering(id, entry)
                add(.follow(id, running, started.process))
                say(.followed(running))
            }
            if pairs[key]?.state.isLeaving == true { continue }
            var leaving = job
            (leaving.part, leaving.trigger) = (.leave, job.trigger.abandoned(at: moment.time))
            if !leaves.contains(where: { $0.key == key }) { leaves.append(leaving) }
        }
        // What waits for its turn already may be the next `enter` of the same.
        for job in leaves.reversed() { queue.prepend(job) }
    }

    mutating func reload(_ hooks: [Hook]) {
        let (kept, old) = (Set(hooks), self.hooks)
        self.hooks = hooks
        let known = Dictionary(grouping: hooks, by: \.name)
        history.keep(Array(known.keys))
        for key in pairs.keys where known[key.hook]?.contains(where: \.followsFacts) != true {
            pairs[key]?.isInside = false
            if known[key.hook] == nil { pairs[key]?.note = nil }
        }
        modes = modes.filter { name, _ in old.contains { $0.name == name && kept.contains($0) } }
        hasModes = hooks.contains { $0.mode != nil }
        giveUp { kept.contains($0) }
        if resting != restingHooks { rest() }
    }

    mutating func stop() {
        isStopping = true
        // Nothing else may come that is written.
        if hasWriteFailed { isChanged = true }
        for lane in retries.keys { retries[lane]?.due = nil }
        // No `leave` that may have to wait keeps anything frozen.
        thaw(keys { $1.state.entry != nil }, because: nil) { _ in .none }
        for key in keys(where: { _, _ in true }) {
            switch pairs[key]?.state {
            case .recording(_, let entry): dropEnter(entry.job)
            default: abandonRecording(key)
            }
        }
        giveUp { _ in false }
    }

    mutating func giveUp(unless isKept: (Hook) -> Bool) {
        queue.removeAll { $0.part != .leave && !isKept($0.hook) }
        for key in keys(where: { _, _ in true }) {
            if let waiting = pairs[key]?.waiting, !isKept(waiting.job.hook) { pairs[key]?.waiting = nil }
            if case .checking(_, let job) = pairs[key]?.state, !isKept(job.hook) { stopCheck(key) }
            if let entry = pairs[key]?.state.entry, !isKept(entry.job.hook) {
                leave(key, on: entry.job.trigger.abandoned(at: moment.time))
            }
        }
    }

    /// What the hooks that rest now had entered is left. Phases that would enter them are remembered: one that still lasts
    /// when they react again is entered, as soon as `after` has passed since it began.
    mutating func rest() {
        let names = restingHooks
        let new = names.subtracting(resting)
        resting = names
        thaw(keys { key, _ in new.contains(key.hook) }, because: nil) { _ in .none }
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

    /// Gives up what waits, for its time, its turn or an answer, until what it is for begins anew.
    ///
    /// - Returns: What that was, and when its time would have come.
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

    /// Keeps in mind that a pair would be entered, had it not been suspended.
    mutating func park(_ job: Job, due: Duration) {
        guard job.part == .enter, pairs.values.count(where: { $0.waiting?.isParked ?? false }) < bound else {
            return
        }
        wait(for: job, until: due, isParked: true)
    }

    /// Whether what was entered is to stay: nothing has asked for its `leave` yet.
    func isStillEntered(_ key: Job.Key) -> Bool {
        guard !isStopping, !isClosed, let state = pairs[key]?.state, let entry = state.entry, !state.isLeaving
        else { return false }
        var leaving = entry.job
        leaving.part = .leave
        return !queue.contains(leaving)
    }

    mutating func thawForUser(_ applications: Set<String>?) {
        let isMeant = { (job: Job) in
            job.hook.builtIns.contains(.freeze)
                && applications?.contains(job.subject.application) ?? true
        }
        for (job, _) in giveUpWaiting(isMeant) { note(.excepted, of: job, Self.thawedByUser) }
        forbidFreezing(isMeant)
    }
}
