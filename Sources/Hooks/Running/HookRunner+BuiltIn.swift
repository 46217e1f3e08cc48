import Console
import Glibc
import Loop
import PhaseWatch

/// What is built in: done after `enter`, undone before `leave`, and undone for a while where a sign says that the
/// application is wanted.
extension HookRunner {
    /// What was undone for a while, and when it is done again.
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

    /// Does what is built in, unless the phase has been left again.
    ///
    /// - Returns: Whether anything was done.
    func doBuiltIns(_ job: Job) -> Bool {
        guard schedule.stays(job) else { return true }
        respites[job.key] = nil
        let now = Clock.now()
        if let sign = signs[job.subject.application], sign + Self.respite > now {
            respites[job.key] = Respite(
                job: job, end: sign + max(job.hook.after, Self.respite), reason: Self.isWanted)
            return true
        }
        guard job.hook.builtIns.contains(.freeze) else { return false }
        do {
            let frozen = try freeze(job)
            context.say(RunWords.done(job, frozen))
            return true
        } catch {
            _ = undo(job)
            note(job, .excepted, "\(error)")
            context.say(RunWords.notFrozen(job, "\(error)"))
            return false
        }
    }

    /// Undoes what is built in; what has been undone already, or is gone, is left alone.
    func undoBuiltIns(_ job: Job) {
        respites[job.key] = nil
        guard undo(job) else { return }
        context.say(RunWords.undone(job, because: nil))
    }

    /// Lets applications go on at once that something was seen of, before it settles.
    func thaw(_ applications: Set<String>) {
        let now = Clock.now()
        for application in applications { signs[application] = now }
        signs = signs.filter { now - $0.value < Self.respite }
        for job in schedule.debts
        where applications.contains(job.subject.application) && !owed.holds(of: job).isEmpty {
            respites[job.key] = Respite(
                job: job, end: now + max(job.hook.after, Self.respite), reason: Self.isWanted)
            if undo(job) { context.say(RunWords.undone(job, because: Self.isWanted)) }
        }
    }

    /// Lets everything go on until its phase is entered the next time.
    func thawAll() {
        for job in schedule.debts where !job.hook.builtIns.isEmpty {
            respites[job.key] = nil
            guard undo(job) else { continue }
            note(job, .entered, "thawed by 'xphase hooks thaw-all'")
            context.say(RunWords.undone(job, because: "'xphase hooks thaw-all' asks for it"))
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

    /// Does again what was undone for a while, where that led to nothing.
    func endRespites(at now: Duration) {
        for respite in respites.values where respite.end <= now {
            respites[respite.job.key] = nil
            if schedule.stays(respite.job) { _ = doBuiltIns(respite.job) }
        }
    }

    /// - Returns: Whether there was anything to undo.
    private func undo(_ job: Job) -> Bool {
        let holds = owed.holds(of: job)
        if holds.isEmpty { return false }
        for fault in holds.undo() { context.say("hooks: \(fault)") }
        sayFailure { try owed.setHolds([], of: job) }
        return true
    }

    /// Gives the processes of an application no processor any longer.
    private func freeze(_ job: Job) throws -> RunWords.Frozen {
        let plan = freezePlan(for: job, ProcessTable.current())
        let processes = try plan.processes()
        if let unit = ownUnit(plan, processes), unit.isFrozen == false {
            let count = unit.processes()?.count ?? 0
            try owed.setHolds([.frozen(path: unit.path)], of: job)
            try unit.setFrozen(true)
            return RunWords.Frozen(unit: unit.name, count: count)
        }
        return RunWords.Frozen(unit: nil, count: try stop(job, plan))
    }

    /// Stops processes, parents first, until no new one appears. Each is in the record before it is stopped.
    private func stop(_ job: Job, _ plan: FreezePlan) throws -> Int {
        var plan = plan
        var stopped: [ProcessIdentity] = []
        for _ in 1...Self.mostRounds {
            let new = try plan.processes().filter { !$0.isStopped && !stopped.contains($0.identity) }
            if new.isEmpty { return stopped.count }
            stopped += new.map(\.identity)
            try owed.setHolds([.stopped(stopped)], of: job)
            for row in new { row.identity.signal(SIGSTOP) }
            plan.table = ProcessTable.current()
        }
        return stopped.count
    }

    /// The unit of the application, if it is all its own and can be frozen.
    private func ownUnit(_ plan: FreezePlan, _ processes: [ProcessRow]) -> ControlGroup? {
        guard let mounts = ProcessFolder(pid: getpid())?.text("mountinfo"), let root = plan.roots.first,
            let text = ProcessFolder(pid: root)?.text("cgroup"),
            let unit = ControlGroup(ofCgroup: text, mounts: mounts), unit.canBeFrozen,
            let members = unit.processes(), plan.isOwn(unit: members, unit.name, for: processes)
        else { return nil }
        return unit
    }

    private func freezePlan(for job: Job, _ table: ProcessTable) -> FreezePlan {
        let application = job.subject.application
        return FreezePlan(
            table: table, roots: firstSeen.processes(of: job.trigger.change).pids,
            others: firstSeen.processes(ofOthersThan: application), application: application,
            isNamed: job.hook.names(application), own: getpid(), server: context.server,
            user: { ProcessFacts(pid: $0)?.user }, ownUser: getuid())
    }
}
