import Console
import PhaseWatch
import System

/// The life cycle of the hooks: the start after a crash, reloads, pauses and the end.
extension HookEngine {
    mutating func restore(_ pairs: [UndoRecordEntry], _ running: Set<ProcessIdentity>) {
        record = .read
        // The whole record is written again.
        isChanged = true
        for pair in pairs {
            let job = pair.job(at: moment.time)
            let started = pair.started.flatMap { running.contains($0.process) ? $0 : nil }
            // The `leave` has run and must not run twice.
            if pair.started?.part == .leave && started == nil { continue }
            if job.program == nil {
                let name = job.application
                applications[name, default: Application(name)].restore(pair.holds, job)
                endings[name] = "an earlier xphase has frozen it"
                continue
            }
            var entry = Entry(job: job, step: .held, since: moment.time, processes: pair.processes)
            // A `leave` that still runs must not run again, even if something else of its lane runs by now.
            if let started, started.part == .leave || !busyLanes.contains(job.lane) {
                let running = Job(hook: job.hook, part: started.part, trigger: job.trigger)
                let id = newRun()
                entry.started = started
                entry.step = started.part == .leave ? .leaving(id, running) : .entering(id)
                effects.append(.follow(id, running, started.process))
                let what = "\(started.part.rawValue) for \(job.trigger.occasion.path)"
                say(job, "waiting for \(what), which an earlier xphase started")
            }
            set(.paired(entry), of: job)
            leave(job.key, on: job.trigger.abandoned(at: moment.time))
        }
    }

    mutating func reload(_ hooks: [Hook]) {
        let kept = Set(hooks)
        let unchanged = Set(self.hooks.filter(kept.contains).map(\.name))
        self.hooks = hooks
        history.keep(hooks.map(\.name))
        members = members.filter { unchanged.contains($0.key) }
        for key in commands.keys where !unchanged.contains(key.hook) {
            update(key) { $0.isInside = false }
        }
        giveUp(because: "its hook has changed") { kept.contains($0) }
        findSession { unchanged.contains($0.name) }
    }

    mutating func stop() {
        isStopping = true
        // There may be no further change to trigger a write.
        if hasWriteFailed { isChanged = true }
        for index in turns.indices where turns[index].job.part == .leave {
            turns[index].due = min(turns[index].due, moment.now)
        }
        for name in applications.keys {
            // The display, which is asked, may not answer any longer.
            if case .asking = applications[name]?.step { applications[name]?.step = .settled }
            applications[name]?.thaw?.due = .zero
            applications[name]?.undo?.due = .zero
        }
        for entry in commands.values.compactMap(\.state.entry) {
            // An `enter` that waits for the disk is not run.
            if case .recording = entry.step { release(entry.job) }
        }
        giveUp(because: ThawReason.stopped.words) { _ in false }
    }

    private mutating func giveUp(because reason: String, unless isKept: (Hook) -> Bool) {
        turns.removeAll { $0.job.part != .leave && !isKept($0.job.hook) }
        for key in keys where commands[key]?.state.job.map({ !isKept($0.hook) }) ?? false {
            stopCheck(key)
            guard let job = commands[key]?.state.begun else { continue }
            endings[job.application] = reason
            leave(key, on: job.trigger.abandoned(at: moment.time))
        }
    }

    /// Leaves the pairs of the hooks that are suspended now. Jobs of `enter` keep their turns: if a phase still lasts when
    /// the hook reacts again, the pair is entered once `after` has passed since the phase began.
    mutating func suspend(_ names: Set<String>) {
        let new = names.subtracting(suspended)
        suspended = names
        turns.removeAll { $0.job.part == .run && new.contains($0.job.hook.name) }
        for key in keys where new.contains(key.hook) {
            endings[key.subject.application] = "its hook no longer reacts"
            if let job = stopCheck(key), job.part == .enter { turns.append(Turn(job: job, due: moment.now)) }
            guard let entry = commands[key]?.state.entry, !isStopping, !isClosed, !entry.isLeaving,
                !isOwed(key)
            else { continue }
            leave(key, on: entry.job.trigger.abandoned(at: moment.time))
            turns.append(Turn(job: entry.job, due: moment.now))
        }
    }

    mutating func thawForUser(_ names: Set<String>?) {
        func isMeant(_ job: Job) -> Bool {
            job.part != .leave && job.hook.builtIns.contains(.freeze) && !suspended.contains(job.hook.name)
                && names?.contains(job.application) ?? true
        }
        var given = turns.map(\.job).filter(isMeant)
        turns.removeAll { isMeant($0.job) }
        for key in keys where commands[key]?.state.job.map(isMeant) ?? false {
            if let job = stopCheck(key) { given.append(job) }
        }
        for job in given { history.note(.excepted, of: job, Hindrance(.thawedByUser).words, at: moment.time) }
        for name in applications.keys where names?.contains(name) ?? true {
            applications[name]?.clear(by: .user)
            endings[name] = "the user requested it"
        }
        // Without a hook that freezes it, no phase would end this.
        for vote in votes.filter(\.wantsFreeze) where names?.contains(vote.application) ?? true {
            applications[vote.application]?.hinder(Hindrance(.thawedByUser))
        }
    }
}
