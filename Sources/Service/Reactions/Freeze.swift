import CLinux
import Glibc
import Hooks
import PhaseWatch
import System

extension Hold {
    /// Undoes a freeze. Processes and units that no longer exist need no undoing. `Limits` undoes all other reactions.
    func thaw() throws(SystemError) {
        switch self {
        case .stopped(let processes):
            // Children first: a shell that runs before its job would consider the job stopped.
            var fault: SystemError?
            for process in processes.reversed() {
                do throws(SystemError) { try process.resume() } catch { fault = fault ?? error }
            }
            // Processes that xphase may not signal are reported as still stopped.
            for row in processes.withWrappers where row.isStopped { _ = try? row.identity.signal(SIGCONT) }
            // Throw only now: one failure must not keep the other processes stopped.
            if let fault { throw fault }
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
    /// Continues this process if it is stopped.
    func resume() throws(SystemError) {
        do throws(SystemError) {
            try signal(SIGCONT)
        } catch  where [EMFILE, ENFILE].contains(error.code) {
            // Only without any descriptor: a stopped process keeps its number unless it is killed, and the signal does
            // nothing to a process that runs.
            if pid > 1 { try SystemError.check("kill", kill(pid, SIGCONT), unless: ESRCH) }
        }
    }

    /// Sends a signal to this process, and never to another process that reuses its pid.
    ///
    /// - Returns: Whether the signal was sent; false if the process has ended.
    /// - Throws: If the process may exist, but could not be signalled.
    @discardableResult
    func signal(_ number: Int32) throws(SystemError) -> Bool {
        guard pid > 1 else { return false }
        do throws(SystemError) {
            // Open the pidfd first: if this process is still alive afterwards, the pidfd refers to it.
            let process = try Descriptor("pidfd_open", pidfd_open(pid, 0))
            // Without a free one, `isAlive` would report a live process as ended.
            try Descriptor.checkFree(1)
            guard isAlive else { return false }
            try SystemError.check(
                "pidfd_send_signal", pidfd_send_signal(process.number, number, nil, 0))
            return true
        } catch  where error.code == ESRCH {
            return false
        }
    }
}

extension [Hold] {
    /// The processes that freezes stop now.
    var processes: Set<Int32> { reduce(into: []) { $0.formUnion($1.processes) } }

    /// Stops the processes of recorded freezes, parents first.
    func stop() throws(SystemError) {
        for process in flatMap(\.stopped) where ProcessTable.row(of: process.pid)?.isStopped != true {
            try process.signal(SIGSTOP)
        }
    }

    /// Completes recorded freezes whose processes are stopped. Returns `.more` if the application has started further ones.
    ///
    /// - Parameter plan: A plan of a moment after the stop: programs may have been started in the unit, or by it elsewhere,
    ///   while the record was written.
    func frozen(_ plan: FreezePlan) -> FreezeResult {
        do {
            let processes = try plan.processes()
            if let newcomer = plan.newcomer(among: processes) { return .postponed(by: newcomer) }
            var result = FreezeResult.failed("there is nothing to stop")
            for hold in self {
                switch hold {
                case .stopped(let known):
                    let new = processes.filter { !$0.isStopped && !known.contains($0.identity) }
                    if !new.isEmpty { return .more(.stopped(known + new.map(\.identity))) }
                    result = .frozen(unit: nil, count: known.count)
                case .frozen(let path):
                    guard plan.wholeUnit(processes)?.path == path else {
                        return .later("its unit has changed")
                    }
                    let unit = ControlGroup(path: path)
                    let count = unit.processes()?.count ?? 0
                    try unit.setFrozen(true)
                    result = .frozen(unit: unit.name, count: count)
                case .limited, .muted: break
                }
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

// MARK: Processes that stay stopped

extension [ProcessIdentity] {
    /// The live processes among these, and the wrappers that have started them.
    var withWrappers: [ProcessRow] {
        var rows = compactMap { process in
            ProcessTable.row(of: process.pid).flatMap { $0.identity == process ? $0 : nil }
        }
        var parents = rows.map(\.parent)
        while let pid = parents.popLast() {
            guard let row = ProcessTable.row(of: pid), row.isWrapper, !rows.contains(row) else { continue }
            rows.append(row)
            parents.append(row.parent)
        }
        return rows
    }

    /// The time after SIGCONT within which a background process that reads its terminal is stopped again.
    static let lookDelay = Duration.milliseconds(200)

    /// Whether one of the processes is stopped, or stops if it reads its terminal.
    var mayBeStopped: Bool { withWrappers.contains { $0.isStopped || $0.isInBackground } }

    /// Descriptions of the processes that are stopped, with the causes.
    var stillStopped: [String] {
        withWrappers.filter(\.isStopped).map { row in
            row.cause(tracer: ProcessFacts(pid: row.pid)?.tracer.flatMap(ProcessTable.row))
        }
    }
}

extension ProcessRow {
    /// Describes what keeps the process stopped in spite of SIGCONT.
    func cause(tracer: ProcessRow?) -> String {
        let process = "process \(pid) (\(name))"
        if let tracer { return "\(process), by the debugger \(tracer.name) (process \(tracer.pid))" }
        if isInBackground {
            return "\(process), in the background of its shell: type fg there"
        }
        return "\(process), by a signal: its user or root can run kill -CONT \(pid)"
    }
}
