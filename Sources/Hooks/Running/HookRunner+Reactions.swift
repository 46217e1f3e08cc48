import Console
import Glibc
import PhaseWatch
import System

/// What of the reactions may take its time, or needs other programs: a process of xphase's own does it, which is started,
/// waited for and ended as every program of a hook.
extension HookRunner {
    /// Asks whether an exception of the pair holds.
    func ask(_ id: RunID, _ job: Job) {
        let plan = freezePlan(for: job, ProcessTable.current())
        let processes = (try? plan.processes()) ?? []
        var request = question(.ask, job)
        request.processes = members(processes, of: ownUnit(plan, processes))
        launch(request, id, job)
    }

    private func question(_ step: ReactionRequest.Step, _ job: Job) -> ReactionRequest {
        var request = ReactionRequest(step)
        request.builtIns = job.hook.builtIns
        request.exceptions = job.hook.except
        request.windows = firstSeen.windows(of: job.subject.application)
        return request
    }

    /// Does what is built in, after `enter`. First it reads what must be restored, and asks for exceptions once more:
    /// the disk or `enter` may have taken long.
    func react(_ id: RunID, _ job: Job) {
        guard schedule.isStillEntered(job), !isClosed else {
            return schedule.ended(id, .exited(0), at: Clock.now())
        }
        let plan = freezePlan(for: job, ProcessTable.current())
        do {
            guard owed.isRecorded else { throw ReactionFault.noRecord }
            let processes = try plan.processes()
            let unit = ownUnit(plan, processes)
            let hasNoUnit = unit == nil && plan.roots.allSatisfy { ControlGroup(of: $0) == nil }
            var request = question(.prepare, job)
            request.application = job.subject.application
            request.group = unit?.path
            request.processes = members(processes, of: unit)
            let services = UserServices(.own)
            let lack = hasNoUnit ? services.unitLack : services.lack
            if let lack, !request.builtIns.isDisjoint(with: UserServices.reactions) {
                request.builtIns.subtract(UserServices.reactions)
                tell(.failed, of: job, lack)
                remark(lack)
            }
            request.wantsScope = request.builtIns != [.mute] && hasNoUnit && lack == nil
            if request.builtIns.isEmpty && !request.wantsScope {
                return perform(id, job, ReactionAnswer())
            }
            launch(request, id, job)
        } catch {
            tell(.excepted, of: job, "\(error)")
            context.say(RunWords.notDone(job, "is not \(job.participles): \(error)"))
            schedule.ended(id, job.program == nil ? .notStarted("") : .exited(0), at: Clock.now())
        }
    }

    /// Goes on once it is known how all of it is undone: freezes, and has the rest done.
    func perform(_ id: RunID, _ job: Job, _ answer: ReactionAnswer) {
        var done: [String] = []
        guard schedule.isStillEntered(job), !isClosed else {
            return schedule.ended(id, .exited(0), at: Clock.now())
        }
        if let exception = answer.exception {
            return except(id, job, exception)
        }
        unperformed.remove(job.key)
        do {
            if !answer.holds.isEmpty { try owed.setHolds(answer.holds, of: job) }
            // A menu, a selection or a stream that comes up in the few milliseconds since that was asked is not seen: X has no
            // request that looks and stops at once. A sign, or thaw-all, lets it go on.
            if job.hook.builtIns.contains(.freeze) {
                done += [try freezeUnlessWanted(job)].compactMap(\.self)
            }
        } catch {
            sayNotDone(job, "is not \(job.participles): \(error)")
        }
        do {
            // A sound server remembers across a loss of power what was muted. Nothing else has to wait for the disk.
            guard owed.holds(of: job).contains(where: { $0.muted?.memory != nil }) else {
                return performRest(id, job, done)
            }
            unrecorded.append(Unrecorded(write: try owed.sync(), id: id, job: job, done: done))
        } catch {
            performRest(id, job, done, failure: error)
        }
    }

    /// Asks again later. Where `enter` has run, the pair stays entered until then.
    private func except(_ id: RunID, _ job: Job, _ exception: String) {
        if job.program == nil { return schedule.ended(id, .excepted(exception), at: Clock.now()) }
        unperformed.insert(job.key)
        leaveThawed(job, since: Clock.now(), because: exception)
        schedule.ended(id, .exited(0), at: Clock.now())
    }

    /// Starts the reactions that take time.
    ///
    /// - Parameter failure: Why the disk may not know what is muted, so that nothing is.
    func performRest(_ id: RunID, _ job: Job, _ done: [String], failure: (any Error)? = nil) {
        guard schedule.isStillEntered(job), !isClosed else {
            return schedule.ended(id, .exited(0), at: Clock.now())
        }
        if let failure { sayNotDone(job, "is not muted: \(failure)") }
        var request = ReactionRequest(.perform)
        request.builtIns = job.hook.builtIns
        request.holds = owed.holds(of: job).filter { !$0.isFreeze && (failure == nil || $0.muted == nil) }
        if request.holds.isEmpty { return conclude(id, job, done) }
        let roots = freezePlan(for: job, ProcessTable([])).roots
        request.group = roots.first.flatMap(ControlGroup.init(of:))?.path
        launch(request, id, job, done: done)
    }

    /// What was done is a line of the log, together with the memory that is taken back. The pair is entered if there is
    /// anything to undo.
    func conclude(_ id: RunID, _ job: Job, _ done: [String]) {
        untold[job.key] = done
        let reclaims = startReclaim(job)
        if !reclaims { tellDone(job) }
        let isEntered =
            !done.isEmpty || !owed.holds(of: job).isEmpty || temporaryThaws[job.key] != nil || reclaims
            || job.program != nil
        if !isEntered && notes[job.key] == nil && job.hook.builtIns.contains(.mute) {
            note(job, .ready, "it has no stream that is heard")
        }
        schedule.ended(id, isEntered ? .exited(0) : .notStarted(""), at: Clock.now())
    }

    /// - Parameter more: What was done since.
    func tellDone(_ job: Job, _ more: [String] = []) {
        let done = (untold.removeValue(forKey: job.key) ?? []) + more
        if !done.isEmpty { context.say(RunWords.done(job, done)) }
    }

    func members(_ processes: [ProcessRow], of unit: ControlGroup?) -> [ProcessIdentity] {
        let tree = processes.map(\.identity)
        let others = unit?.processes()?.filter { pid in !tree.contains { $0.pid == pid } } ?? []
        return tree + others.compactMap { ProcessIdentity(pid: $0) }
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
