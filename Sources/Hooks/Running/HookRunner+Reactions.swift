import Console
import Glibc
import Loop
import PhaseWatch

/// What of the reactions may take its time, or needs other programs: a process of xphase's own does it, which is started,
/// waited for and ended as every program of a hook.
extension HookRunner {
    private static let timeout = Duration.seconds(30)
    /// As long as that of `unless`.
    private static let timeoutOfQuestions = Duration.seconds(5)

    /// Asks whether something is so that the pair excepts.
    func ask(_ id: RunID, _ job: Job) {
        var request = ReactionRequest(.ask)
        request.exemptions = job.hook.except
        request.builtIns = job.hook.builtIns
        request.windows = firstSeen.windows(of: job.subject.application)
        let plan = freezePlan(for: job, ProcessTable.current())
        let processes = (try? plan.processes()) ?? []
        request.processes = members(processes, of: ownUnit(plan, processes))
        launch(request, id, job)
    }

    /// Does what is built in, after `enter`. First comes what is there before.
    func react(_ id: RunID, _ job: Job) {
        guard schedule.stays(job), !isClosed else { return schedule.ended(id, .exited(0), at: Clock.now()) }
        let plan = freezePlan(for: job, ProcessTable.current())
        do {
            guard owed.isRecorded else { throw ReactionFault.noRecord }
            let processes = try plan.processes()
            let builtIns = job.hook.builtIns
            let unit = ownUnit(plan, processes)
            let hasNoUnit = unit == nil && plan.roots.allSatisfy { ControlGroup(of: $0) == nil }
            var request = ReactionRequest(.prepare)
            request.builtIns = builtIns
            request.application = job.subject.application
            request.group = unit?.path
            request.processes = members(processes, of: unit)
            request.wantsScope = builtIns != [.mute] && hasNoUnit && UserServices(.own).isThere
            if request.wantsScope {
                // What has a unit already keeps it.
                request.processes.removeAll { ControlGroup(of: $0.pid) != nil }
            }
            if builtIns.isDisjoint(with: [.slow, .idle, .mute]) && !request.wantsScope {
                return perform(id, job, ReactionAnswer())
            }
            launch(request, id, job)
        } catch {
            note(job, .excepted, "\(error)")
            tell(.excepted, of: job, "\(error)")
            context.say(RunWords.notDone(job, "is not \(job.participles): \(error)"))
            conclude(id, job, [])
        }
    }

    /// Goes on once it is known how all of it is undone: freezes, and has the rest done.
    private func perform(_ id: RunID, _ job: Job, _ answer: ReactionAnswer) {
        var done: [String] = []
        guard schedule.stays(job), !isClosed else { return schedule.ended(id, .exited(0), at: Clock.now()) }
        do {
            let held = heldByOthers(beside: job)
            let muted = job.hook.builtIns.contains(.mute) ? held.filter(\.isMute) : []
            let holds = answer.holds.map { $0.behind(held) } + Set(muted).subtracting(answer.holds)
            if !holds.isEmpty { try owed.setHolds(holds, of: job) }
            if job.hook.builtIns.contains(.freeze) {
                if job.program == nil {
                    done += [try freezeUnlessWanted(job)].compactMap(\.self)
                } else {
                    // `enter` may have taken its time: it is asked once more what is excepted.
                    respites[job.key] = Respite(job: job, end: Clock.now(), reason: "it is asked once more")
                }
            }
        } catch {
            sayNotDone(job, "is not \(job.participles): \(error)")
        }
        var request = ReactionRequest(.perform)
        request.builtIns = job.hook.builtIns
        request.holds = owed.holds(of: job).filter { !$0.isFreeze }
        if request.builtIns.contains(.reclaim) {
            let plan = freezePlan(for: job, ProcessTable.current())
            request.group = (try? plan.processes()).flatMap { ownUnit(plan, $0) }?.path
            if request.group == nil {
                sayNotDone(job, "gives no memory back: it has no systemd unit of its own")
            }
        }
        if request.holds.isEmpty && request.group == nil { return conclude(id, job, done) }
        launch(request, id, job, done: done)
    }

    /// What was done is a line of the log. The pair is entered if there is anything to undo.
    private func conclude(_ id: RunID, _ job: Job, _ done: [String]) {
        if !done.isEmpty { context.say(RunWords.done(job, done)) }
        let isEntered =
            !done.isEmpty || !owed.holds(of: job).isEmpty || respites[job.key] != nil || job.program != nil
        schedule.ended(id, isEntered ? .exited(0) : .notStarted(""), at: Clock.now())
    }

    /// Undoes what is built in; what has been undone already, or is gone, is left alone.
    ///
    /// - Returns: Whether all of it was. If not, what undoes the rest has been started.
    func undo(_ id: RunID, _ job: Job) -> Bool {
        thaw(job, because: nil)
        let held = heldByOthers(beside: job)
        let holds = owed.holds(of: job)
        var request = ReactionRequest(.undo)
        request.holds = holds.compactMap { $0.without(held) }
        if request.holds.isEmpty {
            if !holds.isEmpty { sayFailure { try owed.setHolds([], of: job) } }
            return true
        }
        undoing.insert(job.key)
        launch(request, id, job)
        return false
    }

    /// What other hooks hold of the application, but for what is being undone: the last one to let go undoes it.
    private func heldByOthers(beside job: Job) -> [Hold] {
        let others = schedule.debts.filter {
            $0.subject.application == job.subject.application && $0.key != job.key
                && !undoing.contains($0.key)
        }
        return others.flatMap(owed.holds)
    }

    private func members(_ processes: [ProcessRow], of unit: ControlGroup?) -> [ProcessIdentity] {
        let tree = processes.map(\.identity)
        let others = unit?.processes()?.filter { pid in !tree.contains { $0.pid == pid } } ?? []
        return tree + others.compactMap { ProcessIdentity(pid: $0) }
    }

    private func launch(_ request: ReactionRequest, _ id: RunID, _ job: Job, done: [String] = []) {
        do throws(StartFailure) {
            let program = try RunningProgram(
                // Also where its file has been replaced since.
                ["/proc/self/exe", SystemString(ReactionProgram.argument)],
                environment: context.variables(for: job, HookVariables.Processes()), input: request.bytes,
                directory: context.home,
                timeout: request.step == .ask ? Self.timeoutOfQuestions : Self.timeout, at: Clock.now())
            runs.add(Run(id: id, job: job, .reaction(request.step, done: done), program: program))
        } catch {
            finish(id, job, request.step, ReactionAnswer(), failure: "\(error)", done)
        }
    }

    /// Takes the answer of a process.
    func finish(_ run: Run, _ step: ReactionRequest.Step, _ outcome: Outcome, _ done: [String]) {
        let time = Clock.now() - run.program.started
        let failure = RunWords.failure(outcome, after: time)
        finish(run.id, run.job, step, ReactionAnswer(run.answer), failure: failure, done)
    }

    private func finish(
        _ id: RunID, _ job: Job, _ step: ReactionRequest.Step, _ answer: ReactionAnswer, failure: String?,
        _ done: [String]
    ) {
        for remark in answer.remarks where remarks.insert(remark).inserted { context.say("hooks: \(remark)") }
        for fault in answer.faults { context.say(RunWords.notDone(job, fault)) }
        if !answer.faults.isEmpty {
            let text = answer.faults.joined(separator: "; ")
            note(job, .failed, text)
            tell(.failed, of: job, text)
        }
        switch step {
        case .ask:
            // Rather not, where that cannot be asked.
            let exception = answer.exception ?? failure.map { "it cannot be told what it does: \($0)" }
            if let exception {
                note(job, .excepted, exception)
                tell(.excepted, of: job, exception)
            }
            if id < 0 { return freezeAgain(job, unless: exception) }
            schedule.ended(id, exception.map { .excepted($0) } ?? .exited(1), at: Clock.now())
        case .prepare:
            if let failure { sayNotDone(job, "is left as it is: \(failure)") }
            perform(id, job, failure == nil ? answer : ReactionAnswer())
        case .perform:
            if let failure { sayNotDone(job, "may be left as it is: \(failure)") }
            conclude(id, job, done + answer.done)
        case .undo:
            undoing.remove(job.key)
            if let failure {
                note(job, .failed, failure)
                tell(.failed, of: job, failure)
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
}

/// Why nothing is done.
private enum ReactionFault: Error, CustomStringConvertible {
    case noRecord

    var description: String { "there is no record that it could be undone from" }
}

extension Job {
    /// `frozen or muted`.
    fileprivate var participles: String {
        Set(hook.builtIns.map(\.participle)).sorted().joined(separator: " or ")
    }
}
