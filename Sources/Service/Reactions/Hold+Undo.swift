import CLinux
import Glibc
import Hooks
import System

extension Hold {
    /// Whether a freeze stops anything now; false for other reactions.
    var isInForce: Bool {
        switch self {
        case .stopped(let processes):
            return processes.contains { process in
                ProcessTable.row(of: process.pid).map { $0.identity == process && $0.isStopped } ?? false
            }
        case .frozen(let path): return ControlGroup(path: path).isFrozen ?? false
        case .slowed, .capped, .muted: return false
        }
    }

    /// The processes that a freeze stops now; empty for other reactions.
    var processes: Set<Int32> {
        switch self {
        case .stopped(let processes): Set(processes.map(\.pid))
        case .frozen(let path): Set(ControlGroup(path: path).processes() ?? [])
        case .slowed, .capped, .muted: []
        }
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
        case .slowed, .capped, .muted: break
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

extension Hold {
    /// Adds the hold to a row, unless something else has undone the freeze.
    func describe(in row: inout HookStatus) {
        switch self {
        case .stopped(let processes) where isInForce:
            row.reactions.append(BuiltIn.freeze.rawValue)
            row.processes = (row.processes ?? 0) + processes.count
        case .frozen(let path) where isInForce:
            let unit = ControlGroup(path: path)
            row.reactions.append(BuiltIn.freeze.rawValue)
            row.unit = unit.name
            row.processes = (row.processes ?? 0) + (unit.processes()?.count ?? 0)
        case .stopped, .frozen: break
        case .slowed(let unit, _):
            row.reactions.append(BuiltIn.slow.rawValue)
            row.unit = unit
        case .capped(let unit, _):
            row.reactions.append(BuiltIn.cap.rawValue)
            row.unit = unit
        case .muted:
            if !row.reactions.contains(BuiltIn.mute.rawValue) { row.reactions.append(BuiltIn.mute.rawValue) }
        }
    }
}
