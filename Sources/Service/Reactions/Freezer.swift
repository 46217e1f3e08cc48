import Glibc
import Hooks
import PhaseWatch
import System

/// An object that freezes and thaws the processes of applications. It waits only for the X server, and only briefly.
final class Freezer {
    private let context: HookContext
    /// The processes of window managers and compositors, as found before the last freeze.
    var managers: Set<Int32> = []
    /// Holds that could not be undone.
    private var failed: Set<Hold> = []
    /// Thawed processes that may still be stopped, and when to check them.
    private var looks: [(job: Job, processes: [ProcessIdentity], due: Duration)] = []

    init(_ context: HookContext) { self.context = context }

    /// - Parameter fellows: The applications that may be frozen together with that of the job.
    func plan(for job: Job, _ seen: FirstSeen, fellows: Set<String>) -> FreezePlan {
        let application = job.subject.application
        return FreezePlan(
            table: .current(), roots: seen.processes(of: job.trigger.change).pids,
            others: seen.processes(ofOthersThan: application), fellows: fellows,
            application: application,
            isNamed: job.hook.names(application), own: getpid(), server: context.server, managers: managers,
            ownUser: getuid(), facts: ProcessFacts.init(pid:))
    }

    /// Returns the unit of the application, if it is the application's own and can be frozen.
    func ownUnit(_ plan: FreezePlan, _ processes: [ProcessRow]) -> ControlGroup? {
        guard let root = plan.roots.first, let unit = ControlGroup(of: root), unit.canBeFrozen,
            let members = unit.processes(), plan.isOwn(unit: members, unit.name, for: processes)
        else { return nil }
        return unit
    }

    /// Returns what a question about the application of a job is about.
    ///
    /// - Parameter processes: Those of the plan.
    func target(of job: Job, _ plan: FreezePlan, _ processes: [ProcessRow], _ seen: FirstSeen) -> Target {
        let unit = ownUnit(plan, processes)
        let tree = processes.map(\.identity)
        let others = unit?.processes()?.filter { pid in !tree.contains { $0.pid == pid } } ?? []
        return Target(
            job: job, processes: tree + others.compactMap { ProcessIdentity(pid: $0) },
            windows: seen.windows(of: job.subject.application), group: unit)
    }

    /// Returns the hold of a freeze that begins now.
    ///
    /// - Parameter held: Returns the holds that already stop an application.
    /// - Returns: The hold, and the other applications that share its processes.
    func target(
        for job: Job, _ seen: FirstSeen, fellows: Set<String>, held: (String) -> [Hold]
    ) throws(FreezePlan.Refusal) -> (Hold, sharedWith: Set<String>) {
        let plan = plan(for: job, seen, fellows: fellows)
        let processes = try plan.processes()
        let held = plan.companions.union([job.subject.application]).flatMap(held)
        if let unit = ownUnit(plan, processes),
            unit.isFrozen == false || held.contains(.frozen(path: unit.path))
        {
            let members = Set(unit.processes() ?? [])
            // The application may have started processes in other units. Processes that have ended are in no unit.
            let isWhole = processes.allSatisfy { members.contains($0.pid) || $0.identity.hasEnded }
            if isWhole { return (.frozen(path: unit.path), plan.companions) }
        }
        let known = Set(held.flatMap(\.stopped))
        let stopping = processes.filter { known.contains($0.identity) || !$0.isStopped }.map(\.identity)
        if stopping.isEmpty { throw .stoppedAlready }
        return (.stopped(stopping), plan.companions)
    }

    /// Applies a recorded hold, parents first. Returns `.more` if the application has started further processes.
    func freeze(
        _ job: Job, _ hold: Hold, _ seen: FirstSeen, fellows: Set<String>
    ) throws -> FreezeResult {
        if case .frozen(let path) = hold {
            let unit = ControlGroup(path: path)
            // Another program may have been started in the unit while the record was written.
            let plan = plan(for: job, seen, fellows: fellows)
            guard ownUnit(plan, try plan.processes())?.path == path else {
                return .later("its unit has changed")
            }
            let count = unit.processes()?.count ?? 0
            try unit.setFrozen(true)
            return .frozen(RunWords.frozen(unit: unit.name, count: count))
        }
        let stopping = hold.stopped
        for process in stopping where ProcessTable.row(of: process.pid)?.isStopped != true {
            try process.signal(SIGSTOP)
        }
        let new = try plan(for: job, seen, fellows: fellows).processes()
            .filter { !$0.isStopped && !stopping.contains($0.identity) }.map(\.identity)
        return new.isEmpty
            ? .frozen(RunWords.frozen(unit: nil, count: stopping.count)) : .more(.stopped(stopping + new))
    }

    /// Undoes a freeze and reports it.
    ///
    /// - Returns: The holds that could not be undone.
    func thaw(_ job: Job, _ holds: [Hold], because reason: String?, isQuiet: Bool) -> [Hold] {
        let (left, faults) = holds.undone()
        for fault in faults { context.say(RunWords.notDone(job, "is not thawed: \(fault)"), about: job) }
        let hasFailed = !failed.isDisjoint(with: holds)
        failed.subtract(holds)
        failed.formUnion(left)
        // A thaw that succeeds after a reported failure is always reported.
        guard left.isEmpty, !isQuiet || hasFailed else { return left }
        let processes = holds.flatMap(\.stopped)
        if processes.mayBeStopped {
            looks.append((job, processes, due: Clock.now() + [ProcessIdentity].lookDelay))
        }
        context.say(RunWords.thawed(job, because: reason), about: job)
        return []
    }

    // MARK: Processes that are still stopped

    /// When to call `look`.
    var next: Duration? { looks.first?.due }

    /// Reports thawed processes that are still stopped.
    ///
    /// - Parameter frozen: The processes that are frozen again.
    func look(at now: Duration, frozen: Set<ProcessIdentity>) {
        for look in looks where look.due <= now {
            for cause in look.processes.filter({ !frozen.contains($0) }).stillStopped {
                context.say(RunWords.notDone(look.job, "is still stopped: \(cause)"), about: look.job)
            }
        }
        looks.removeAll { $0.due <= now }
    }
}
