import Console
import Glibc
import PhaseWatch
import System

/// What of the reactions must be immediate: freezing, and thawing where a sign says that the application is wanted.
extension HookRunner {
    /// What was thawed for a while, and when it is frozen again.
    struct TemporaryThaw {
        let job: Job
        let end: Duration
        let reason: String
        /// It runs because of `wake`, not of a sign.
        var isWake = false
    }

    private static let thawedAll = "thawed by 'xphase hooks thaw-all'"
    private static let stopped = "xphase is stopped"
    private static let wanted = "it is shown, focused or asked for"
    private static let silence = "the X server did not answer within 100 ms: the program may have grabbed it"
    /// How long a sign counts at least: the change of the phase may still settle, or there may be none.
    static let signDuration = Duration.seconds(10)

    func isFrozen(_ job: Job) -> Bool { owed.holds(of: job).contains(where: \.isFreeze) }

    /// Thaws an application, as far as no other hook has frozen it, too.
    ///
    /// - Parameter ending: What of that is about to be thawed as well.
    func thaw(_ job: Job, because reason: String?, beside ending: [Job] = []) {
        let processes = owed.holds(of: job).flatMap(\.stopped)
        guard release(job, beside: ending) else { return }
        if processes.mayBeStopped {
            looks.append((job, processes, due: Clock.now() + [ProcessIdentity].lookDelay))
        }
        let others = holders(beside: [job] + ending, of: job)
        context.say(
            others.isEmpty
                ? RunWords.thawed(job, because: reason) : RunWords.staysFrozen(job, for: others))
    }

    /// Reports what was thawed and is stopped all the same.
    func lookAtThawed(at now: Duration) {
        let held = Set(schedule.owedJobs.flatMap(owed.holds).flatMap(\.stopped))
        for look in looks where look.due <= now {
            for cause in look.processes.filter({ !held.contains($0) }).stillStopped {
                context.say(RunWords.notDone(look.job, "is still stopped: \(cause)"))
            }
        }
        looks.removeAll { $0.due <= now }
    }

    /// What cannot be thawed stays in the record: `leave` tries again.
    ///
    /// - Returns: Whether it held anything frozen, and does so no longer.
    private func release(_ job: Job, beside ending: [Job] = []) -> Bool {
        // What was done is told before its end.
        tellDone(job)
        temporaryThaws[job.key] = nil
        unperformed.remove(job.key)
        wakes[job.key] = nil
        let holds = owed.holds(of: job)
        guard holds.contains(where: \.isFreeze) else { return false }
        let kept = holders(beside: [job] + ending, of: job).flatMap(owed.holds)
        let (left, faults) = holds.filter(\.isFreeze).compactMap { $0.without(kept) }.undone()
        for fault in faults { sayNotDone(job, "is not thawed: \(fault)") }
        sayFailure { try owed.setHolds(holds.filter { !$0.isFreeze } + left, of: job) }
        stopListeningToNobody()
        return left.isEmpty
    }

    /// The other hooks that have frozen the application of a job.
    private func holders(beside jobs: [Job], of job: Job) -> [Job] {
        schedule.owedJobs.filter { other in
            other.subject.application == job.subject.application
                && !jobs.contains { $0.key == other.key }
                && isFrozen(other)
        }
    }

    /// Thaws applications at once after a sign, before it settles.
    func thaw(_ applications: Set<String>, because reason: String = wanted) {
        let now = Clock.now()
        for application in applications { signs[application] = now }
        signs = signs.filter { now - $0.value < Self.signDuration }
        let wanted = schedule.owedJobs.filter { applications.contains($0.subject.application) }
        for job in wanted { stopReclaim(job) }
        let jobs = wanted.filter(isFrozen)
        for job in jobs {
            thaw(job, because: reason, beside: jobs)
            leaveThawed(job, since: now, because: reason)
        }
    }

    /// Stops this process, and freezes again once it is continued: nothing else would thaw an application meanwhile.
    func stopProcess(by signal: Int32) {
        let jobs = schedule.owedJobs.filter(isFrozen)
        for job in jobs { thaw(job, because: Self.stopped, beside: jobs) }
        EventLoop.takeDefaultAction(of: signal)
        for job in jobs { leaveThawed(job, since: Clock.now(), because: Self.stopped) }
    }

    /// Does it later, in as long as the hook waits, or as a sign counts.
    func leaveThawed(_ job: Job, since start: Duration, because reason: String) {
        temporaryThaws[job.key] = TemporaryThaw(
            job: job, end: start + max(job.hook.after, Self.signDuration), reason: reason)
    }

    /// Lets everything go on until its phase is entered the next time: somebody has thawed it from the record.
    func thawAll() {
        var waiting: [Job] = []
        update { waiting = $0.giveUpWaiting { $0.builtIns.contains(.freeze) }.map(\.job) }
        for job in waiting { note(job, .excepted, Self.thawedAll) }
        let jobs = schedule.owedJobs.filter { $0.hook.builtIns.contains(.freeze) }
        for job in jobs {
            // It may be about to be frozen.
            thawedByUser.insert(job.key)
            note(job, isFrozen(job) || temporaryThaws[job.key] != nil ? .entered : .excepted, Self.thawedAll)
            thaw(job, because: "'xphase hooks thaw-all' asks for it", beside: jobs)
        }
    }

    /// Wakes what has slept for its time: one timer, since all of one rhythm have the same moments. All hooks that wake an
    /// application let it go together, for the longest time that is due; one that does not wake it keeps it frozen.
    func wakeSleepers(at now: Duration) {
        let due = schedule.owedJobs.filter { wakes[$0.key].map { $0 <= now } ?? false }
        for job in due {
            guard wakes[job.key] != nil, let wake = job.hook.wake else { continue }
            wakes[job.key] = wake.next(after: now)
            let sleepers = [job] + holders(beside: [job], of: job)
            guard sleepers.allSatisfy({ $0.hook.wake != nil }) else { continue }
            let times = due.filter { $0.subject.application == job.subject.application }
                .compactMap { $0.hook.wake?.duration }
            let time = times.reduce(wake.duration, max)
            for sleeper in sleepers where release(sleeper, beside: sleepers) {
                temporaryThaws[sleeper.key] = TemporaryThaw(
                    job: sleeper, end: now + time, reason: "awake for \(time.text)", isWake: true)
            }
        }
    }

    /// What a sign announced has come about: from now on, the phases count.
    func resolveSigns(by changes: [Change]) {
        if signs.isEmpty { return }
        for change in changes
        where change.level == .application && change.to.map({ $0 > .background }) ?? true {
            signs[change.application] = nil
        }
    }

    /// Freezes again what was thawed for a while, where that led to nothing.
    func endTemporaryThaws(at now: Duration) {
        for thaw in temporaryThaws.values where thaw.end <= now {
            temporaryThaws[thaw.job.key] = nil
            lastReaction -= 1
            if !schedule.isStillEntered(thaw.job) { continue }
            if thaw.isWake { woken.insert(thaw.job.key) }
            if unperformed.contains(thaw.job.key) {
                react(lastReaction, thaw.job)
            } else {
                ask(lastReaction, thaw.job)
            }
        }
    }

    /// - Parameter exception: The exception that holds; nil for none.
    func freezeAgain(_ job: Job, unless exception: String?) {
        // Every few minutes a line that tells nothing new would fill the log.
        let isQuiet = woken.remove(job.key) != nil
        guard schedule.isStillEntered(job) else { return }
        if let exception {
            return leaveThawed(job, since: Clock.now(), because: exception)
        }
        do {
            let frozen = try freezeUnlessWanted(job)
            if let frozen, !isQuiet { context.say(RunWords.done(job, [frozen])) }
        } catch {
            sayNotDone(job, "is not frozen: \(error)")
        }
    }

    /// - Returns: What was frozen, in words; nil if something was seen of it just now, so that it is frozen later, or if it
    ///   was thawed by the user.
    func freezeUnlessWanted(_ job: Job) throws -> String? {
        // Nobody can tell a command, nor whatever has another runtime directory.
        noteThawByUser(of: job)
        if thawedByUser.contains(job.key) { return nil }
        let now = Clock.now()
        if let sign = signs[job.subject.application], sign + Self.signDuration > now {
            leaveThawed(job, since: sign, because: Self.wanted)
            return nil
        }
        // A new connection would wait for a server that somebody has grabbed.
        guard context.isServerAnswering else {
            leaveThawed(job, since: now, because: Self.silence)
            return nil
        }
        defer { stopListeningToNobody() }
        do {
            // Before the stop: the program may not handle what arrives in between.
            try listen(to: job.subject.application)
        } catch {
            leaveThawed(job, since: now, because: "messages to it would not be noticed: \(error)")
            return nil
        }
        do {
            let frozen = try freeze(job)
            if !context.isServerAnswering {
                // Another one may have the grab.
                thaw(frozenApplications, because: Self.silence)
                return nil
            }
            notes[job.key] = nil
            // It may have been asked for meanwhile, and have found nothing that was stopped.
            noteThawByUser(of: job)
            if thawedByUser.contains(job.key) {
                thaw(job, because: Self.thawedAll)
                return nil
            }
            wakes[job.key] = job.hook.wake?.next(after: now)
            return frozen
        } catch {
            thaw(job, because: "not all of it can be frozen")
            throw error
        }
    }

    /// Whether the record's own sign says that the user has thawed everything since the phase was entered.
    private func noteThawByUser(of job: Job) {
        guard let last = (try? HeldRecords(environment: .own))?.lastThaw else { return }
        // A clock that was set back must not forbid all freezing.
        guard max(job.trigger.time, lastSuspension) < last, last <= .now() else { return }
        if thawedByUser.insert(job.key).inserted { note(job, .entered, Self.thawedAll) }
    }

    /// Gives the processes of an application no processor any longer.
    private func freeze(_ job: Job) throws -> String {
        let plan = freezePlan(for: job, ProcessTable.current())
        let processes = try plan.processes()
        let own = owed.holds(of: job)
        let others = own.filter { !$0.isFreeze }
        // What could not be thawed.
        let former = own.filter(\.isFreeze)
        // What another hook has frozen is held by both from now on.
        let held = former + holders(beside: [job], of: job).flatMap(owed.holds)
        if let unit = ownUnit(plan, processes),
            unit.isFrozen == false || held.contains(.frozen(path: unit.path))
        {
            let members = Set(unit.processes() ?? [])
            // It may have started some in other units.
            if processes.allSatisfy({ members.contains($0.pid) }) {
                let hold = Hold.frozen(path: unit.path)
                try owed.setHolds(others + former.compactMap { $0.without([hold]) } + [hold], of: job)
                try unit.setFrozen(true)
                return RunWords.frozen(unit: unit.name, count: members.count)
            }
        }
        var stopping = plan
        let stopped = try stopping.stop(heldByOthers: Set(held.flatMap(\.stopped))) {
            let hold = Hold.stopped($0)
            try owed.setHolds(others + former.compactMap { $0.without([hold]) } + [hold], of: job)
        } signal: {
            try $0.signal(SIGSTOP)
        } look: {
            ProcessTable.current()
        }
        if stopped.isEmpty { throw FreezePlan.Refusal.stoppedAlready }
        return RunWords.frozen(unit: nil, count: stopped.count)
    }

    /// The unit of the application, if it is all its own and can be frozen.
    func ownUnit(_ plan: FreezePlan, _ processes: [ProcessRow]) -> ControlGroup? {
        guard let root = plan.roots.first, let unit = ControlGroup(of: root), unit.canBeFrozen,
            let members = unit.processes(), plan.isOwn(unit: members, unit.name, for: processes)
        else { return nil }
        return unit
    }

    func freezePlan(for job: Job, _ table: ProcessTable) -> FreezePlan {
        let application = job.subject.application
        return FreezePlan(
            table: table, roots: firstSeen.processes(of: job.trigger.change).pids,
            others: firstSeen.processes(ofOthersThan: application), application: application,
            isNamed: job.hook.names(application), own: getpid(), server: context.server, managers: managers,
            user: { ProcessFacts(pid: $0)?.user }, ownUser: getuid(), tracer: ProcessFacts.tracer)
    }
}
