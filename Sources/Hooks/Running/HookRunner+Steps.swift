import Console
import Glibc
import PhaseWatch
import System

extension Hook {
    /// How long `unless` may take.
    fileprivate static let checkTimeout = Duration.seconds(5)
}

extension HookRunner {
    /// Carries out the steps of the schedule until there are none.
    func perform() {
        while true {
            let steps = schedule.takeSteps()
            if steps.isEmpty { break }
            let recording = Result { try record(steps) }
            for step in steps { carryOut(step, recording) }
        }
        for problem in owed.takeProblems() { context.say("hooks: \(problem)") }
    }

    /// Writes to the record which pairs are owed from now on, and which are no longer.
    ///
    /// - Returns: The number of the write that `enter`s have to wait for.
    private func record(_ steps: [Step]) throws -> Int {
        if context.isDryRun { return 0 }
        var enters: [Result<Void, any Error>] = []
        for step in steps {
            switch step {
            case .start(_, let job, isCheck: false) where job.part == .enter:
                enters.append(Result { try add(job) })
            case .release(let job):
                owed.remove(job)
                begun[job.key] = nil
                thawedByUser.remove(job.key)
            default: break
            }
        }
        if enters.isEmpty {
            sayFailure { try owed.writeUnawaited() }
            return 0
        }
        let write = try owed.write()
        for enter in enters { try enter.get() }
        return write
    }

    private func add(_ job: Job) throws {
        if let rereading { throw rereading.error }
        try owed.add(job, processes(for: job))
    }

    func sayFailure(_ body: () throws -> Void) {
        do { try body() } catch { context.say("hooks: \(error)") }
    }

    /// Reads the pairs that an earlier process left behind, unless that has been done, and schedules their `leave`s.
    ///
    /// Until they can be read, nothing is entered: it may be owed already.
    func restorePairs(at now: Duration) {
        guard !owed.isRestored, rereading.map({ $0.due <= now }) ?? true else { return }
        do {
            try readPairs()
            rereading = nil
        } catch {
            if rereading == nil { context.say("hooks: \(error)") }
            let delay = rereading.map { min($0.delay * 2, Rereading.delays.upperBound) }
            rereading = Rereading(error: error, delay: delay ?? Rereading.delays.lowerBound, after: now)
        }
    }

    private func readPairs() throws {
        var jobs: [Job] = []
        var parts: [Job.Key: Job.Part] = [:]
        for (job, started) in try owed.restore(time: .now()) {
            let program = started.flatMap {
                RunningProgram(following: $0.process, timeout: job.hook.timeout, at: Clock.now())
            }
            if started?.part == .leave, program == nil {
                // It has run, and must not run twice.
                owed.remove(job)
                continue
            }
            jobs.append(job)
            followed[job.key] = program
            if program != nil { parts[job.key] = started?.part }
        }
        sayFailure { try owed.writeUnawaited() }
        schedule.restore(jobs, running: parts, time: .now())
    }

    /// Starts the `enter`s whose lines are on disk now.
    func startRecorded() {
        switch owed.takeAnswer() {
        case .synced(let number):
            for enter in takeUnrecorded(upTo: number) { goOn(with: enter) }
        case .failed(let number, let error, let isNews):
            let enters = takeUnrecorded(upTo: number)
            if enters.isEmpty && isNews { context.say("hooks: \(error)") }
            for enter in enters { goOn(with: enter, failure: error) }
        case nil: return
        }
        perform()
    }

    private func goOn(with enter: Unrecorded, failure: (any Error)? = nil) {
        if let done = enter.done {
            performRest(enter.id, enter.job, done, failure: failure)
        } else if let failure {
            refuse(enter.id, enter.job, failure)
        } else {
            start(enter.id, enter.job, false)
        }
    }

    /// Forgets `enter`s that wait for the disk: the watch ends.
    func giveUpUnrecorded() {
        for enter in takeUnrecorded(upTo: .max) {
            schedule.ended(enter.id, enter.done == nil ? .notStarted("") : .exited(0), at: Clock.now())
        }
    }

    private func takeUnrecorded(upTo number: Int) -> [Unrecorded] {
        let taken = unrecorded.filter { $0.write <= number }
        unrecorded.removeAll { $0.write <= number }
        return taken
    }

    private func refuse(_ id: RunID, _ job: Job, _ error: any Error) {
        let reason = "not run, since its 'leave' could be forgotten: \(error)"
        finish(id, job, false, .notStarted(reason), after: .zero)
    }

    private func carryOut(_ step: Step, _ recording: Result<Int, any Error>) {
        switch step {
        case .start(let id, let job, let isCheck):
            if isClosed { return }
            notes[job.key] = nil
            if !isCheck { tell(.ran, of: job, RunWords.verb(job)) }
            if job.part != .run && !isCheck { begun[job.key] = .now() }
            if context.isDryRun {
                context.say(RunWords.wouldRun(job, isCheck: isCheck))
                schedule.ended(id, .exited(isCheck ? 1 : 0), at: Clock.now())
            } else if job.part == .enter && !isCheck && owed.isRecorded {
                switch recording {
                case .success(let number): unrecorded.append(Unrecorded(write: number, id: id, job: job))
                case .failure(let error): refuse(id, job, error)
                }
            } else {
                start(id, job, isCheck)
            }
        case .follow(let id, let job):
            follow(id, job)
        case .release: break
        case .stop(let id):
            // Its first signal cannot be its end yet.
            if let run = runs[id], run.program.stage == .running {
                _ = runs.signal(run, at: Clock.now(), isTimeout: false)
            }
        case .remark(let remark):
            let text = RunWords.remark(remark)
            switch remark {
            case .vetoed(let job):
                note(job, .excepted, "'unless' vetoes it")
                tell(.vetoed, of: job, "'unless' ended with 0")
            case .leftTooEarly(let job): tell(.leftTooEarly, of: job, RunWords.lasting(job))
            case .overflow:
                notices.append(Notice(name: "hooks", text: text))
                return
            case .excepted, .retry: break
            }
            context.say(text)
        case .matched(let job):
            tell(.matched, of: job, RunWords.step(job), at: job.trigger.time)
        case .collapsed(let job):
            tell(.collapsed, of: job, "something newer came before its turn")
        }
    }

    private func start(_ id: RunID, _ job: Job, _ isCheck: Bool) {
        if isCheck && job.hook.unless == nil { return ask(id, job) }
        // Before `leave`, and that only when all is as it was.
        if job.part == .leave && !undo(id, job) { return }
        guard isCheck || job.program != nil else {
            return job.part == .leave ? schedule.ended(id, .exited(0), at: Clock.now()) : react(id, job)
        }
        startProgram(id, job, isCheck)
    }

    func startProgram(_ id: RunID, _ job: Job, _ isCheck: Bool) {
        let program = Result { () throws(StartFailure) in try launch(job, isCheck) }
        // At once: until then, a crash has it run again.
        if case .success(let program) = program, !isCheck, job.part != .run { recordStart(job, program) }
        // Only now, so that the program does not wait for it.
        if !isCheck { context.say(RunWords.start(job)) }
        switch program {
        case .success(let program):
            runs.add(Run(id: id, job: job, isCheck ? .check : .part, program: program))
        case .failure(let error):
            let reason = "\(error)".escapedForTerminal
            var outcome = error.isTemporary ? Outcome.postponed(reason) : .notStarted(reason)
            if error.hasRun && job.part == .enter && !isCheck {
                // Its `leave` is owed.
                context.say(RunWords.about(job, reason))
                outcome = .killed(signal: SIGKILL)
            }
            finish(id, job, isCheck, outcome, after: .zero)
        }
    }

    /// After a crash, the next start must not leave what is still being entered.
    private func recordStart(_ job: Job, _ program: RunningProgram) {
        guard let process = program.identity else { return }
        sayFailure { try owed.setStarted(job, process) }
    }

    private func follow(_ id: RunID, _ job: Job) {
        guard let program = followed.removeValue(forKey: job.key) else {
            return schedule.ended(id, .exited(0), at: Clock.now())
        }
        context.say(RunWords.followed(job))
        runs.add(Run(id: id, job: job, .part, program: program))
    }

    private func launch(_ job: Job, _ isCheck: Bool) throws(StartFailure) -> RunningProgram {
        let program = isCheck ? job.hook.unless : job.program
        let processes = processes(for: job)
        return try RunningProgram(
            program?.arguments ?? [], environment: context.variables(for: job, processes),
            input: JSONLine.bytes(
                of: .change(job.trigger.change.naming(processes.pids)), sequence: job.trigger.sequence,
                time: job.trigger.time),
            directory: context.home, timeout: isCheck ? Hook.checkTimeout : job.hook.timeout,
            at: Clock.now())
    }

    private func processes(for job: Job) -> HookVariables.Processes {
        owed.processes(for: job) ?? firstSeen.processes(of: job.trigger.change)
    }

    func finish(_ id: RunID, _ job: Job, _ isCheck: Bool, _ outcome: Outcome, after time: Duration) {
        if let text = RunWords.end(job, isCheck: isCheck, outcome, after: time) {
            context.say(RunWords.about(job, text))
            tell(outcome == .timedOut ? .timedOut : .failed, of: job, text)
            hasFailures = true
        }
        if isCheck && job.hook.hasExceptions && outcome != .exited(0) && outcome != .stopped {
            return ask(id, job)
        }
        if outcome == .exited(0) && job.part == .enter && !isCheck && !job.hook.builtIns.isEmpty {
            return react(id, job)
        }
        schedule.ended(id, outcome, at: Clock.now())
    }
}
