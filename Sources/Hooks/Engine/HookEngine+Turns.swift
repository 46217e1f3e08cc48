import PhaseWatch
import System

/// The delays and turns of jobs, and how each job begins and ends.
extension HookEngine {
    /// Gives the job a turn, after its delay if there is one.
    mutating func enqueue(_ job: Job) {
        if job.part != .run { turns.removeAll { $0.job.key == job.key && $0.job.part == job.part } }
        // Those of suspended hooks have a bound of their own: they must not keep others from running.
        let isSuspended = suspended.contains(job.hook.name)
        let waiting = turns.count { suspended.contains($0.job.hook.name) == isSuspended }
        if waiting >= bound {
            if !isOverflowing {
                say(
                    .notice,
                    "\(bound) runs of hooks are waiting; further runs are dropped until there are fewer")
            }
            isOverflowing = true
        } else {
            turns.append(Turn(job: job, due: moment + job.hook.after))
        }
    }

    /// Drops the turns of a part after a change, and reports which condition did not last. A run whose time has come keeps
    /// its turn when the application closes, since it may clean up after it.
    mutating func drop(_ part: Job.Part, of key: Job.Key, isClosed: Bool) {
        let now = moment.now
        func isMeant(_ turn: Turn) -> Bool {
            turn.job.key == key && turn.job.part == part && (part != .run || !isClosed || turn.due > now)
        }
        let dropped = turns.filter(isMeant)
        turns.removeAll(where: isMeant)
        for turn in dropped where !suspended.contains(key.hook) {
            if turn.due > now {
                let text =
                    isClosed ? "it closed within \(turn.job.hook.after.text)" : RunWords.tooEarly(turn.job)
                say(
                    turn.job, "\(RunWords.notRun(turn.job)): \(text)", isClosed ? .collapsed : .leftTooEarly,
                    because: text)
            } else {
                history.note(.collapsed, of: turn.job, "a newer change replaced it", at: moment.time)
            }
        }
    }

    /// Ends a vote, or gives the `leave` of an entered pair a turn, unless the pair is being left already.
    mutating func leave(_ key: Job.Key, on trigger: HookTrigger) {
        if case .voting(let job, _) = commands[key]?.state {
            commands[key]?.state = .idle
            if applications[job.application]?.held.holds.isEmpty == false {
                history.note(.ran, of: job, Job.Part.leave.rawValue, at: moment.time)
            }
        }
        guard let entry = commands[key]?.state.entry, !entry.isLeaving, !isOwed(key) else { return }
        let job = Job(hook: entry.job.hook, part: .leave, trigger: trigger)
        turns.append(Turn(job: job, due: moment.now))
    }

    /// Returns whether a `leave` waits for its turn.
    func isOwed(_ key: Job.Key) -> Bool { turns.contains { $0.job.key == key && $0.job.part == .leave } }

    /// Abandons a check: the hook does not run, whatever the answer is.
    ///
    /// - Returns: The job that the check was for.
    @discardableResult
    mutating func stopCheck(_ key: Job.Key) -> Job? {
        guard case .checking(let id, let job, isAbandoned: false) = commands[key]?.state else { return nil }
        commands[key]?.state = .checking(id, job, isAbandoned: true)
        effects.append(.end(id))
        return job
    }

    /// Begins the jobs whose time and turn have come, in order.
    mutating func startDue(_ isWanted: (Job.Part) -> Bool = { _ in true }) {
        if isClosed { return }
        if case .unread = record { return }
        while let index = nextTurn(isWanted) {
            let job = turns.remove(at: index).job
            if job.part == .leave {
                beginLeave(job)
            } else if let every = rest(of: job.key) {
                history.note(.collapsed, of: job, "it ran less than \(every.text) ago", at: moment.time)
            } else if job.hook.unless == nil || refusal(of: job) != nil {
                // Before any check: the record may be read before the answer arrives, and may contain this pair.
                begin(job)
            } else {
                let id = newRun()
                update(job.key) { $0.state = .checking(id, job, isAbandoned: false) }
                effects.append(.run(id, job, isCheck: true, processes: nil))
            }
        }
        if isOverflowing, turns.count < bound / 2 { isOverflowing = false }
    }

    private func nextTurn(_ isWanted: (Job.Part) -> Bool) -> Int? {
        if turns.isEmpty { return nil }
        let busy = busyLanes
        if busy.count >= limit { return nil }
        return turns.indices.filter { index in
            let (job, due) = (turns[index].job, turns[index].due)
            return due <= moment.now && isWanted(job.part) && !busy.contains(job.lane)
                && (commands[job.key]?.state ?? .idle).mayBegin(job.part)
                && (job.part == .leave || !suspended.contains(job.hook.name))
        }.min { (turns[$0].due, $0) < (turns[$1].due, $1) }
    }

    /// Returns the time from one run to the next of a hook that does not run again yet; nil if it may run.
    func rest(of key: Job.Key) -> Duration? {
        guard let ran = commands[key]?.ran, let every = hooks.first(where: { $0.name == key.hook })?.every,
            moment.now < ran + every
        else { return nil }
        return every
    }

    private func refusal(of job: Job) -> String? {
        if job.part == .enter, case .failed(let reason) = record { reason } else { nil }
    }

    /// Begins a job that `unless` does not veto.
    private mutating func begin(_ job: Job) {
        if isClosed { return set(.idle, of: job) }
        if let reason = refusal(of: job) { return refuse(job, reason) }
        if !job.hook.builtIns.isEmpty {
            set(.voting(job, since: moment.time), of: job)
            history.note(.ran, of: job, job.part.rawValue, at: moment.time)
        } else if job.part == .run {
            set(.running(run(job), job), of: job)
            commands[job.key]?.ran = moment.now
        } else {
            let entry = Entry(job: job, step: .recording(nextWrite), since: moment.time)
            set(.paired(entry), of: job)
            isChanged = true
        }
    }

    private mutating func refuse(_ job: Job, _ reason: String) {
        forget(job)
        report(job, .notStarted("not run, since its 'leave' cannot be recorded: \(reason)"))
    }

    private mutating func run(_ job: Job, processes: [ProcessIdentity]? = nil) -> RunID {
        let id = newRun()
        effects.append(.run(id, job, isCheck: false, processes: processes))
        let part = job.part.rawValue
        say(job, "\(part) for \(RunWords.why(job))", .ran, because: part)
        return id
    }

    private mutating func beginLeave(_ job: Job) {
        guard var entry = commands[job.key]?.state.entry else { return }
        entry.since = moment.time
        entry.step = .leaving(run(job, processes: entry.processes), job)
        set(.paired(entry), of: job)
    }

    mutating func set(_ state: Command.State, of job: Job) { update(job.key) { $0.state = state } }

    /// Forgets the entry of a pair that owes nothing any longer.
    mutating func release(_ job: Job) {
        forget(job)
        isChanged = true
    }

    private mutating func forget(_ job: Job) {
        set(.idle, of: job)
        turns.removeAll { $0.job.key == job.key && $0.job.part == .leave }
    }

    // MARK: Answers

    mutating func started(_ id: RunID, _ process: ProcessIdentity) {
        guard let (key, command) = commands.first(where: { $0.value.state.run == id }),
            let entry = command.state.entry
        else { return }
        let part = entry.isLeaving ? Job.Part.leave : .enter
        commands[key]?.state.entry?.started = UndoRecordEntry.StartedPart(part: part, process: process)
        isChanged = true
    }

    mutating func ended(_ id: RunID, _ outcome: Outcome, after time: Duration) {
        guard let state = commands.values.first(where: { $0.state.run == id })?.state, let job = state.job
        else { return }
        let isCheck = if case .checking = state { true } else { false }
        report(job, isCheck: isCheck, outcome, after: time)
        switch state {
        case .checking(_, _, isAbandoned: false) where outcome != .exited(0): begin(job)
        case .checking(_, _, let isAbandoned):
            set(.idle, of: job)
            if isAbandoned { return }
            let text = "\(RunWords.notRun(job)): 'unless' vetoes it"
            say(job, text, .vetoed, because: "'unless' ended with 0")
        case .paired(let entry):
            if entry.isLeaving, case .postponed = outcome {
                let retry = Retry(after: entry.retry, at: moment.now)
                commands[job.key]?.state.entry?.retry = retry
                commands[job.key]?.state.entry?.step = .held
                turns.append(Turn(job: job, due: retry.due))
                say(job, RunWords.again(job, in: retry.delay))
            } else if entry.isLeaving || !outcome.hasStarted {
                // An `enter` that did not start needs no `leave`.
                release(job)
            } else {
                commands[job.key]?.state.entry?.step = .held
            }
        case .running, .idle, .voting:
            set(.idle, of: job)
            // What did not start does not count.
            if !outcome.hasStarted { commands[job.key]?.ran = nil }
        }
    }

    private mutating func report(
        _ job: Job, isCheck: Bool = false, _ outcome: Outcome, after time: Duration = .zero
    ) {
        guard let failure = RunWords.failure(job, isCheck: isCheck, outcome, after: time) else { return }
        say(job, failure, outcome == .timedOut ? .timedOut : .failed)
    }

    mutating func recorded(_ id: WriteID, _ failure: String?) {
        let hadFailed = hasWriteFailed
        hasWriteFailed = failure != nil
        var isAwaited = false
        for key in keys {
            guard let entry = commands[key]?.state.entry, case .recording(let own) = entry.step, own <= id
            else { continue }
            isAwaited = true
            if let failure {
                refuse(entry.job, failure)
            } else {
                let id = run(entry.job)
                commands[key]?.state.entry?.step = .entering(id)
            }
        }
        for name in applications.keys.sorted() {
            guard case .recording(let own) = applications[name]?.step, own <= id else { continue }
            isAwaited = true
            recorded(name, failure)
        }
        if let failure, !isAwaited, !hadFailed { say(.line, "hooks: \(failure)") }
    }
}
