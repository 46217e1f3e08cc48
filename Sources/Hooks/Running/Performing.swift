import Console
import Loop
import PhaseWatch

extension Hook {
    /// How long `unless` may take.
    fileprivate static let checkTimeout = Duration.seconds(5)
}

/// How the steps of the schedule are carried out.
extension HookRunner {
    /// Does all that the schedule wants.
    func perform() {
        while true {
            let steps = schedule.takeSteps()
            if steps.isEmpty { break }
            let problem = note(steps)
            for step in steps { perform(step, problem) }
        }
        do {
            try debts.keep(only: schedule.debts)
        } catch {
            surroundings.say("hooks: \(error)")
        }
    }

    /// Notes, before they run, all `enter`s at once; returns why that is not possible.
    private func note(_ steps: [Step]) -> String? {
        let jobs = steps.compactMap { step in
            if case .start(_, let job, isCheck: false) = step, job.part == .enter { job } else { nil }
        }
        guard !jobs.isEmpty, !surroundings.isDryRun else { return nil }
        do {
            try debts.add(jobs.map { ($0, processes(for: $0)) })
            return nil
        } catch {
            return "not run, since its 'leave' could be forgotten: \(error)"
        }
    }

    private func perform(_ step: Step, _ problem: String?) {
        switch step {
        case .start(let id, let job, let isCheck):
            if isClosed { return }
            if surroundings.isDryRun {
                surroundings.say(RunWords.wouldRun(job, isCheck: isCheck))
                schedule.ended(id, .exited(isCheck ? 1 : 0), at: Clock.now())
            } else if let problem, job.part == .enter, !isCheck {
                over(id, job, isCheck, .notStarted(problem), after: .zero)
            } else {
                start(id, job, isCheck)
            }
        case .stop(let id):
            // Its first signal cannot be its end yet.
            if let run = runs[id], run.program.stage == .running {
                _ = runs.signal(run, at: Clock.now(), isTimeout: false)
            }
        case .remark(let remark):
            let text = RunWords.remark(remark)
            if case .overflow = remark {
                notices.append(Notice(name: "hooks", text: text))
            } else {
                surroundings.say(text)
            }
        }
    }

    private func start(_ id: RunID, _ job: Job, _ isCheck: Bool) {
        let program = Result { () throws(StartFailure) in try launch(job, isCheck) }
        // Only now, so that the program does not wait for it.
        if !isCheck { surroundings.say(RunWords.start(job)) }
        switch program {
        case .success(let program): runs.add(Run(id: id, job: job, isCheck: isCheck, program: program))
        case .failure(let error):
            let outcome = error.isTemporary ? Outcome.postponed("\(error)") : .notStarted("\(error)")
            over(id, job, isCheck, outcome, after: .zero)
        }
    }

    private func launch(_ job: Job, _ isCheck: Bool) throws(StartFailure) -> RunningProgram {
        let program = isCheck ? job.hook.unless ?? job.program : job.program
        return try RunningProgram(
            program.arguments, environment: surroundings.variables(for: job, processes(for: job)),
            input: JSONLine.bytes(
                of: .change(job.occasion.change), sequence: job.occasion.sequence, time: job.occasion.time),
            directory: surroundings.home, timeout: isCheck ? Hook.checkTimeout : job.hook.timeout,
            at: Clock.now())
    }

    private func processes(for job: Job) -> HookVariables.Processes {
        debts.processes(for: job) ?? sightings.processes(of: job.occasion.change)
    }

    func over(_ id: RunID, _ job: Job, _ isCheck: Bool, _ outcome: Outcome, after time: Duration) {
        if let text = RunWords.end(job, isCheck: isCheck, outcome, after: time) {
            surroundings.say(text)
            hasFailures = true
        }
        schedule.ended(id, outcome, at: Clock.now())
    }
}
