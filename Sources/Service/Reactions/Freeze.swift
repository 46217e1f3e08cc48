import CLinux
import Glibc
import Hooks
import PhaseWatch
import System

extension FreezePlan {
    /// - Parameters:
    ///   - fellows: The applications that may be frozen together with that of the job.
    ///   - managers: The processes of window managers and compositors, as far as they are known.
    ///   - table: All processes.
    init(
        for job: Job, _ seen: FirstSeen, fellows: Set<String>, managers: Set<Int32>, _ context: HookContext,
        _ table: ProcessTable
    ) {
        let application = job.subject.application
        self.init(
            table: table, roots: seen.processes(of: job.trigger.change).pids,
            others: seen.processes(ofOthersThan: application), fellows: fellows, application: application,
            isNamed: job.hook.names(application), own: getpid(), server: context.server, managers: managers,
            ownUser: getuid(), facts: ProcessFacts.init(pid:))
    }

    /// Returns the unit of the application, if it is the application's own and can be frozen.
    func ownUnit(_ processes: [ProcessRow]) -> ControlGroup? {
        guard let root = roots.first, let unit = ControlGroup(of: root), unit.canBeFrozen,
            let members = unit.processes(), isOwn(unit: members, unit.name, for: processes)
        else { return nil }
        return unit
    }

    /// Returns that unit if it contains all processes of the application, which may have started some in other units.
    fileprivate func wholeUnit(_ processes: [ProcessRow]) -> ControlGroup? {
        guard let unit = ownUnit(processes), let members = unit.processes().map({ Set($0) }),
            // Processes that have ended are in no unit.
            processes.allSatisfy({ members.contains($0.pid) || $0.identity.hasEnded })
        else { return nil }
        return unit
    }

    /// Returns the hold of a freeze that begins now.
    ///
    /// - Parameter held: What already stops the application and those that share its processes.
    func hold(_ held: [Hold]) throws(Refusal) -> Hold {
        let processes = try processes()
        if let unit = wholeUnit(processes),
            unit.isFrozen == false || held.contains(.frozen(path: unit.path))
        {
            return .frozen(path: unit.path)
        }
        let known = Set(held.flatMap(\.stopped))
        // Read again: the table may be as old as the question.
        let stopping = processes.map(\.identity).filter {
            known.contains($0) || ProcessTable.row(of: $0.pid)?.isStopped == false
        }
        if stopping.isEmpty { throw .stoppedAlready }
        return .stopped(stopping)
    }
}

extension Hold {
    /// Applies a recorded freeze, parents first. Returns `.more` if the application has started further processes.
    fileprivate func freeze(_ plan: () -> FreezePlan) throws -> FreezeResult {
        if case .frozen(let path) = self {
            let (unit, plan) = (ControlGroup(path: path), plan())
            // Programs may have been started in the unit, or by it elsewhere, while the record was written.
            guard plan.wholeUnit(try plan.processes())?.path == path else {
                return .later("its unit has changed")
            }
            let count = unit.processes()?.count ?? 0
            try unit.setFrozen(true)
            return .frozen(RunWords.frozen(unit: unit.name, count: count))
        }
        for process in stopped where ProcessTable.row(of: process.pid)?.isStopped != true {
            try process.signal(SIGSTOP)
        }
        let new = try plan().processes().filter { !$0.isStopped && !stopped.contains($0.identity) }
        return new.isEmpty
            ? .frozen(RunWords.frozen(unit: nil, count: stopped.count))
            : .more(.stopped(stopped + new.map(\.identity)))
    }

    /// Undoes a freeze. Processes and units that no longer exist need no undoing. `Asker` undoes all other reactions.
    func thaw() throws(SystemError) {
        switch self {
        case .stopped(let processes):
            // Children first: a shell that runs before its job would consider the job stopped.
            let faults = processes.reversed().compactMap { process -> SystemError? in
                do throws(SystemError) { try process.signal(SIGCONT) } catch { return error }
                return nil
            }
            // Processes that xphase may not signal are reported as still stopped.
            for row in processes.withWrappers where row.isStopped { _ = try? row.identity.signal(SIGCONT) }
            // Throw only now: one failure must not keep the other processes stopped.
            if let fault = faults.first { throw fault }
        case .frozen(let path): try ControlGroup(path: path).thaw()
        case .limited, .muted: break
        }
    }

    /// Whether a freeze stops anything now; false for other reactions.
    var isInForce: Bool {
        switch self {
        case .stopped(let processes):
            return processes.contains { process in
                ProcessTable.row(of: process.pid).map { $0.identity == process && $0.isStopped } ?? false
            }
        case .frozen(let path): return ControlGroup(path: path).isFrozen ?? false
        case .limited, .muted: return false
        }
    }

    /// The processes that a freeze stops now; empty for other reactions.
    var processes: Set<Int32> {
        switch self {
        case .stopped(let processes): Set(processes.map(\.pid))
        case .frozen(let path): Set(ControlGroup(path: path).processes() ?? [])
        case .limited, .muted: []
        }
    }

    /// Adds the hold to a row, unless something else has undone the freeze.
    func describe(in row: inout HookStatus) {
        if isFreeze {
            guard isInForce else { return }
            row.processes = (row.processes ?? 0) + processes.count
        }
        if !row.reactions.contains(builtIn.rawValue) { row.reactions.append(builtIn.rawValue) }
        switch self {
        case .frozen(let path): row.unit = ControlGroup(path: path).name
        case .limited(let unit, _, _): row.unit = unit
        case .stopped, .muted: break
        }
    }
}

extension ProcessIdentity {
    /// Sends a signal to this process, and never to another process that reuses its pid.
    ///
    /// - Returns: Whether the signal was sent; false if the process has ended.
    /// - Throws: If the process may exist, but could not be signalled.
    @discardableResult
    func signal(_ number: Int32) throws(SystemError) -> Bool {
        guard pid > 1 else { return false }
        // Open the pidfd first: if this process is still alive afterwards, the pidfd refers to it.
        let process: Descriptor
        do throws(SystemError) {
            process = try Descriptor("pidfd_open", pidfd_open(pid, 0))
        } catch {
            if error.code == ESRCH { return false }
            throw error
        }
        // `isAlive` opens a directory and a file. Without two free descriptors, it would report a live process as
        // ended.
        var spares: [Descriptor] = []
        for _ in 1...2 { try spares.append(Descriptor("dup", dup(process.number))) }
        spares = []
        guard isAlive else { return false }
        if pidfd_send_signal(process.number, number, nil, 0) == 0 { return true }
        if errno == ESRCH { return false }
        throw SystemError("pidfd_send_signal", errno)
    }
}

extension [Hold] {
    /// Applies recorded freezes.
    ///
    /// - Parameter plan: Returns a plan of this moment.
    func frozen(_ plan: () -> FreezePlan) -> FreezeResult {
        var result = FreezeResult.failed("there is nothing to stop")
        do {
            for hold in self {
                result = try hold.freeze(plan)
                guard case .frozen = result else { break }
            }
            return result
        } catch {
            return .failed("\(error)")
        }
    }

    /// Undoes all freezes, the last one first.
    ///
    /// - Returns: The holds that could not be undone, in their order, and the reasons.
    func undone() -> (left: [Hold], faults: [String]) {
        var (left, faults): ([Hold], [String]) = ([], [])
        for hold in reversed() {
            do {
                try hold.thaw()
            } catch {
                left.insert(hold, at: 0)
                faults.append("\(error)")
            }
        }
        return (left, faults)
    }
}
