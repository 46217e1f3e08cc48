import Console
import Glibc
import Loop
import PhaseWatch

/// What of the reactions must be immediate: freezing, and thawing where a sign says that the application is wanted.
extension HookRunner {
    /// What was thawed for a while, and when it is frozen again.
    struct Respite {
        let job: Job
        let end: Duration
        let reason: String
        /// Nothing has happened: it is only to take in what has come.
        var isWake = false
    }

    private static let wanted = "it is shown, focused or asked for"
    /// How long a sign counts at least: the change of the phase may still settle, or there may be none.
    private static let respite = Duration.seconds(10)
    /// How often it is looked for processes that were started while others were stopped.
    private static let mostRounds = 64

    /// Thaws an application, as far as no other hook has frozen it, too.
    ///
    /// - Parameter ending: What of that is about to be thawed as well.
    func thaw(_ job: Job, because reason: String?, beside ending: [Job] = []) {
        guard release(job, beside: ending) else { return }
        let others = holders(beside: [job] + ending, of: job)
        context.say(
            others.isEmpty
                ? RunWords.thawed(job, because: reason) : RunWords.staysFrozen(job, for: others))
    }

    /// What cannot be thawed stays in the record: `leave` tries again.
    ///
    /// - Returns: Whether it held anything frozen, and does so no longer.
    private func release(_ job: Job, beside ending: [Job] = []) -> Bool {
        respites[job.key] = nil
        wakes[job.key] = nil
        let holds = owed.holds(of: job)
        guard holds.contains(where: \.isFreeze) else { return false }
        let kept = holders(beside: [job] + ending, of: job).flatMap(owed.holds)
        let (left, faults) = holds.filter(\.isFreeze).compactMap { $0.without(kept) }.undone()
        for fault in faults { sayNotDone(job, "is not thawed: \(fault)") }
        sayFailure { try owed.setHolds(holds.filter { !$0.isFreeze } + left, of: job) }
        return left.isEmpty
    }

    /// The other hooks that have frozen the application of a job.
    private func holders(beside jobs: [Job], of job: Job) -> [Job] {
        schedule.debts.filter { other in
            other.subject.application == job.subject.application
                && !jobs.contains { $0.key == other.key }
                && owed.holds(of: other).contains(where: \.isFreeze)
        }
    }

    /// Lets applications go on at once that something was seen of, before it settles.
    func thaw(_ applications: Set<String>) {
        let now = Clock.now()
        for application in applications { signs[application] = now }
        signs = signs.filter { now - $0.value < Self.respite }
        let wanted = schedule.debts.filter { applications.contains($0.subject.application) }
        for job in wanted { stopReclaim(job) }
        let jobs = wanted.filter { owed.holds(of: $0).contains(where: \.isFreeze) }
        for job in jobs {
            thaw(job, because: Self.wanted, beside: jobs)
            respites[job.key] = Respite(
                job: job, end: now + max(job.hook.after, Self.respite), reason: Self.wanted)
        }
    }

    /// Lets everything go on until its phase is entered the next time: somebody has thawed it from the record.
    func thawAll() {
        let reason = "thawed by 'xphase hooks thaw-all'"
        var waiting: [Job] = []
        update { waiting = $0.giveUpWaiting { $0.builtIns.contains(.freeze) }.map(\.job) }
        for job in waiting { note(job, .excepted, reason) }
        let jobs = schedule.debts.filter { $0.hook.builtIns.contains(.freeze) }
        for job in jobs {
            // It may be about to be frozen.
            thawedByUser.insert(job.key)
            let isHeld = owed.holds(of: job).contains(where: \.isFreeze)
            note(job, isHeld || respites[job.key] != nil ? .entered : .excepted, reason)
            thaw(job, because: "'xphase hooks thaw-all' asks for it", beside: jobs)
        }
    }

    /// Wakes what has slept for its time: one timer, since all of one rhythm have the same moments. What another hook keeps
    /// frozen sleeps on.
    func wakeSleepers(at now: Duration) {
        for job in schedule.debts {
            guard let moment = wakes[job.key], moment <= now, let wake = job.hook.wake else { continue }
            wakes[job.key] = wake.next(after: now)
            guard holders(beside: [job], of: job).isEmpty, release(job) else { continue }
            respites[job.key] = Respite(
                job: job, end: now + wake.duration, reason: "awake for \(wake.duration.text)", isWake: true)
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
    func endRespites(at now: Duration) {
        for respite in respites.values where respite.end <= now {
            respites[respite.job.key] = nil
            lastReaction -= 1
            if !schedule.stays(respite.job) { continue }
            if respite.isWake { woken.insert(respite.job.key) }
            ask(lastReaction, respite.job)
        }
    }

    /// - Parameter exception: What is so that the pair excepts.
    func freezeAgain(_ job: Job, unless exception: String?) {
        // Every few minutes a line that tells nothing new would fill the log.
        let isQuiet = woken.remove(job.key) != nil
        guard schedule.stays(job) else { return }
        if let exception {
            respites[job.key] = Respite(
                job: job, end: Clock.now() + max(job.hook.after, Self.respite), reason: exception)
            return
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
        if thawedByUser.contains(job.key) { return nil }
        let now = Clock.now()
        if let sign = signs[job.subject.application], sign + Self.respite > now {
            respites[job.key] = Respite(
                job: job, end: sign + max(job.hook.after, Self.respite), reason: Self.wanted)
            return nil
        }
        do {
            let frozen = try freeze(job)
            wakes[job.key] = job.hook.wake?.next(after: now)
            return frozen
        } catch {
            thaw(job, because: "not all of it can be frozen")
            throw error
        }
    }

    /// Gives the processes of an application no processor any longer.
    private func freeze(_ job: Job) throws -> String {
        let plan = freezePlan(for: job, ProcessTable.current())
        let processes = try plan.processes()
        let others = owed.holds(of: job).filter { !$0.isFreeze }
        // What another hook has frozen is held by both from now on.
        let held = holders(beside: [job], of: job).flatMap(owed.holds)
        if let unit = ownUnit(plan, processes),
            unit.isFrozen == false || held.contains(.frozen(path: unit.path))
        {
            let count = unit.processes()?.count ?? 0
            try owed.setHolds(others + [.frozen(path: unit.path)], of: job)
            try unit.setFrozen(true)
            return RunWords.frozen(unit: unit.name, count: count)
        }
        let count = try stop(job, plan, beside: others, held)
        if count == 0 { throw FreezePlan.Refusal.stoppedAlready }
        return RunWords.frozen(unit: nil, count: count)
    }

    /// Stops processes, parents first, until no new one appears. Each is in the record before it is stopped.
    private func stop(_ job: Job, _ plan: FreezePlan, beside others: [Hold], _ held: [Hold]) throws -> Int {
        var plan = plan
        let known = Set(held.flatMap(\.stopped))
        var stopped = try plan.processes().map(\.identity).filter(known.contains)
        if !stopped.isEmpty { try owed.setHolds(others + [.stopped(stopped)], of: job) }
        for _ in 1...Self.mostRounds {
            let new = try plan.processes().filter { !$0.isStopped && !stopped.contains($0.identity) }
            if new.isEmpty { return stopped.count }
            stopped += new.map(\.identity)
            try owed.setHolds(others + [.stopped(stopped)], of: job)
            for row in new { try row.identity.signal(SIGSTOP) }
            plan.table = ProcessTable.current()
        }
        return stopped.count
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
            user: { ProcessFacts(pid: $0)?.user }, ownUser: getuid())
    }
}
