import Console
import Glibc
import PhaseWatch
import System

/// Processes of xphase's own, which do what takes its time, and their answers.
extension HookRunner {
    func launch(_ request: ReactionRequest, _ id: RunID, _ job: Job, done: [String] = []) {
        do throws(StartFailure) {
            let program = try program(request, context.variables(for: job, HookVariables.Processes()))
            runs.add(Run(id: id, job: job, .reaction(request.step, done: done), program: program))
        } catch {
            finish(id, job, request.step, ReactionAnswer(), failure: "\(error)".escapedForTerminal, done)
        }
    }

    func program(
        _ request: ReactionRequest, _ environment: [SystemString]
    ) throws(StartFailure) -> RunningProgram {
        try RunningProgram(
            // Also where its file has been replaced since.
            ["/proc/self/exe", SystemString(ReactionProgram.argument)], environment: environment,
            input: request.bytes, directory: context.home,
            timeout: request.step == .ask ? .questions : .reactions, at: Clock.now())
    }

    /// Takes the answer of a process.
    func finish(_ run: Run, _ step: ReactionRequest.Step, _ outcome: Outcome, _ done: [String]) {
        let time = Clock.now() - run.program.started
        let failure = RunWords.failure(outcome, after: time)
        // Nobody wants it any longer.
        if outcome == .stopped && [.ask, .reclaim].contains(step) {
            tellDone(run.job)
            return schedule.ended(run.id, outcome, at: Clock.now())
        }
        finish(run.id, run.job, step, ReactionAnswer(run.answer), failure: failure, done)
    }

    private func finish(
        _ id: RunID, _ job: Job, _ step: ReactionRequest.Step, _ answer: ReactionAnswer, failure: String?,
        _ done: [String]
    ) {
        // After what was done.
        defer { answer.remarks.forEach(remark) }
        for fault in answer.faults { context.say(RunWords.notDone(job, fault)) }
        if !answer.faults.isEmpty { tell(.failed, of: job, answer.faults.joined(separator: "; ")) }
        switch step {
        case .ask:
            // Rather not, where that cannot be asked.
            let exception = answer.exception ?? failure.map { "it cannot be told what it does: \($0)" }
            remember(answer, exception, job)
            if id < 0 { return freezeAgain(job, unless: exception) }
            schedule.ended(id, exception.map { .excepted($0) } ?? .exited(1), at: Clock.now())
        case .prepare:
            if let failure { sayNotDone(job, "is left as it is: \(failure)") }
            var answer = failure == nil ? answer : ReactionAnswer()
            if failure != nil && job.hook.builtIns.contains(.freeze) {
                answer.exception = "it cannot be told what it does"
            }
            remember(answer, answer.exception, job)
            perform(id, job, answer)
        case .perform:
            if let failure { sayNotDone(job, "may be left as it is: \(failure)") }
            conclude(id, job, done + answer.done)
        case .reclaim:
            if let failure { sayNotDone(job, "gives no memory back: \(failure)") }
            tellDone(job, answer.done)
        case .undo, .undoAbandoned:
            if let failure {
                tell(.failed, of: job, failure)
                // Until it is tried again, it holds as before.
                sayFailure { try owed.setHolds(owed.holds(of: job), of: job) }
                return schedule.ended(id, .postponed(failure), at: Clock.now())
            }
            sayFailure { try owed.setHolds([], of: job) }
            if !answer.done.isEmpty { context.say(RunWords.done(job, answer.done)) }
            if job.program != nil && !isClosed {
                startProgram(id, job, false)
            } else {
                schedule.ended(id, .exited(0), at: Clock.now())
            }
        }
    }

    /// Says what is worth telling once.
    func remark(_ text: String) {
        if remarks.insert(text).inserted { context.say("hooks: \(text)") }
    }

    private func remember(_ answer: ReactionAnswer, _ exception: String?, _ job: Job) {
        if job.hook.builtIns.contains(.freeze) { managers = Set(answer.managers) }
        if let exception { tell(.excepted, of: job, exception) }
    }
}

extension Duration {
    /// How long a process may take for what is built in.
    fileprivate static let reactions = seconds(30)
    /// As long as that of `unless`.
    fileprivate static let questions = seconds(5)
}
