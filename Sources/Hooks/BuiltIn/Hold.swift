import CLinux
import Glibc
import Loop
import PhaseWatch

/// What a built-in reaction has done, or is about to do, as the record tells it: enough to undo it.
enum Hold: Hashable, Codable {
    /// These processes are stopped, in this order.
    case stopped([ProcessIdentity])
    /// The control group at this path is frozen.
    case frozen(path: String)

    /// Whether it can be undone: a file may hold anything.
    var isPlausible: Bool {
        switch self {
        case .stopped: true
        case .frozen(let path):
            path.hasPrefix("/") && !path.utf8.contains(0) && !path.split(separator: "/").contains("..")
        }
    }

    /// Whether anything is held by it now.
    var isInForce: Bool {
        switch self {
        case .stopped(let processes):
            let rows = ProcessTable.current().rows
            return processes.contains { process in
                rows[process.pid].map { $0.identity == process && $0.isStopped } ?? false
            }
        case .frozen(let path): return ControlGroup(path: path).isFrozen ?? false
        }
    }

    /// Undoes it; what is gone needs nothing.
    func undo() throws(SystemError) {
        switch self {
        case .stopped(let processes):
            // Children first: a shell that runs before its job would take that for stopped.
            for process in processes.reversed() { process.signal(SIGCONT) }
        case .frozen(let path):
            do { try ControlGroup(path: path).setFrozen(false) } catch  where error.code == ENOENT {}
        }
    }
}

extension ProcessIdentity {
    /// Sends a signal to this process, and never to another one that has got its number.
    ///
    /// - Returns: false if it is gone, or not to be signalled.
    @discardableResult
    func signal(_ number: Int32) -> Bool {
        // The descriptor first: it is of one process. If that is this one still, it has been since.
        guard pid > 1, let process = try? Descriptor("pidfd_open", linux_pidfd(pid)), isAlive else {
            return false
        }
        return linux_pidfd_signal(process.number, number) == 0
    }
}

extension [Hold] {
    /// Undoes what was done last first.
    ///
    /// - Returns: What could not be undone, and why.
    func undo() -> [String] {
        reversed().compactMap { hold in
            do {
                try hold.undo()
                return nil
            } catch {
                return "\(error)"
            }
        }
    }
}
