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
    }

    private static let isWanted = "something is wanted of it"

    /// How long a sign counts at least: the change of the phase may still settle, or there may be none.
    private static let respite = Duration.seconds(10)
    /// How often it is looked for processes that were started while others were stopped.
    private static let mostRounds = 64

    /// Thaws an application.
    ///
    /// - Returns: Whether it was frozen.
    @discardableResult
    func thaw(_ job: Job, because reason: String?) -> Bool {
        respites[job.key] = nil
        let holds = owed.holds(of: job)
        guard holds.contains(where: \.isFreeze) else { return false }
        for fault in holds.filter(\.isFreeze).undo() { context.say("hooks: \(fault)") }
        sayFailure { try owed.setHolds(holds.filter { !$0.isFreeze }, of: job) }
        context.say(RunWords.thawed(job, because: reason))
        return true
    }

    /// Lets applications go on at once that something was seen of, before it settles.
    func thaw(_ applications: Set<String>) {
        let now = Clock.now()
        for application in applications { signs[application] = now }
        signs = signs.filter { now - $0.value < Self.respite }
        for job in schedule.debts
        where applications.contains(job.subject.application)
            && owed.holds(of: job).contains(where: \.isFreeze)
        {
            thaw(job, because: Self.isWanted)
            respites[job.key] = Respite(
                job: job, end: now + max(job.hook.after, Self.respite), reason: Self.isWanted)
        }
    }

    /// Lets everything go on until its phase is entered the next time.
    func thawAll() {
        for job in schedule.debts where thaw(job, because: "'xphase hooks thaw-all' asks for it") {
            note(job, .entered, "thawed by 'xphase hooks thaw-all'")
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
            respite.job.hook.except.isEmpty
                ? freezeAgain(respite.job, unless: nil) : ask(lastReaction, respite.job)
        }
    }

    /// - Parameter exception: What is so that the pair excepts.
    func freezeAgain(_ job: Job, unless exception: String?) {
        guard schedule.stays(job) else { return }
        if let exception {
            respites[job.key] = Respite(
                job: job, end: Clock.now() + max(job.hook.after, Self.respite), reason: exception)
            return
        }
        do {
            if let frozen = try freezeUnlessWanted(job) { context.say(RunWords.done(job, [frozen])) }
        } catch {
            context.say(RunWords.notDone(job, "is not frozen: \(error)"))
        }
    }

    /// - Returns: What was frozen, in words; nil if something was seen of it just now, and it is frozen later.
    func freezeUnlessWanted(_ job: Job) throws -> String? {
        let now = Clock.now()
        if let sign = signs[job.subject.application], sign + Self.respite > now {
            respites[job.key] = Respite(
                job: job, end: sign + max(job.hook.after, Self.respite), reason: Self.isWanted)
            return nil
        }
        do {
            return try freeze(job)
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
        if let unit = ownUnit(plan, processes), unit.isFrozen == false {
            let count = unit.processes()?.count ?? 0
            try owed.setHolds(others + [.frozen(path: unit.path)], of: job)
            try unit.setFrozen(true)
            return RunWords.frozen(unit: unit.name, count: count)
        }
        return RunWords.frozen(unit: nil, count: try stop(job, plan, beside: others))
    }

    /// Stops processes, parents first, until no new one appears. Each is in the record before it is stopped.
    private func stop(_ job: Job, _ plan: FreezePlan, beside others: [Hold]) throws -> Int {
        var plan = plan
        var stopped: [ProcessIdentity] = []
        for _ in 1...Self.mostRounds {
            let new = try plan.processes().filter { !$0.isStopped && !stopped.contains($0.identity) }
            if new.isEmpty { return stopped.count }
            stopped += new.map(\.identity)
            try owed.setHolds(others + [.stopped(stopped)], of: job)
            for row in new { row.identity.signal(SIGSTOP) }
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
            isNamed: job.hook.names(application), own: getpid(), server: context.server,
            user: { ProcessFacts(pid: $0)?.user }, ownUser: getuid())
    }
}
