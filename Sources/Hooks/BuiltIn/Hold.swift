import CLinux
import Glibc
import PhaseWatch
import System

/// What a built-in reaction has done, or is about to do, as the record tells it: enough to undo it.
enum Hold: Hashable, Codable {
    /// These processes are stopped, in this order.
    case stopped([ProcessIdentity])
    /// The control group at this path is frozen.
    case frozen(path: String)
    /// The unit has other weights than these, which are assignments as systemctl(1) takes them.
    case slowed(unit: String, weights: [String])
    /// The stream was heard, and is muted.
    case muted(MutedStream)

    /// Whether it is undone at once, and not by a program that may take its time.
    var isFreeze: Bool {
        switch self {
        case .stopped, .frozen: true
        case .slowed, .muted: false
        }
    }

    var muted: MutedStream? { if case .muted(let stream) = self { stream } else { nil } }

    /// The processes that are stopped by it.
    var stopped: [ProcessIdentity] {
        if case .stopped(let processes) = self { processes } else { [] }
    }

    /// The part that none of the others holds; nil for nothing.
    func without(_ others: [Hold]) -> Hold? {
        if case .slowed(let unit, _) = self { return others.contains { $0.slows(unit) } ? nil : self }
        guard case .stopped(let processes) = self else { return others.contains(self) ? nil : self }
        let kept = Set(others.flatMap(\.stopped))
        let rest = processes.filter { !kept.contains($0) }
        return rest.isEmpty ? nil : .stopped(rest)
    }

    /// This hold, or that of another hook that has slowed the unit already: it knows the original weights.
    func withOriginalWeights(among others: [Hold]) -> Hold {
        guard case .slowed(let unit, _) = self else { return self }
        return others.first { $0.slows(unit) } ?? self
    }

    private func slows(_ unit: String) -> Bool {
        if case .slowed(unit, _) = self { true } else { false }
    }

    /// What must still be undone after a reboot; nil for nothing.
    var afterBoot: Hold? {
        guard case .muted(let stream) = self else { return nil }
        return stream.remembered.map { .muted($0) }
    }

    /// Whether it can be undone: a file may hold anything.
    var isPlausible: Bool {
        switch self {
        case .stopped: true
        case .frozen(let path):
            path.hasPrefix("/") && !path.utf8.contains(0) && !path.split(separator: "/").contains("..")
        case .slowed(let unit, let weights):
            !unit.hasPrefix("-") && !unit.utf8.contains(0) && weights.allSatisfy(UnitWeights.isAssignment)
        case .muted(let stream): stream.index >= 0
        }
    }

    /// Whether anything is held by it now.
    var isInForce: Bool {
        switch self {
        case .stopped(let processes):
            return processes.contains { process in
                ProcessTable.row(of: process.pid).map { $0.identity == process && $0.isStopped } ?? false
            }
        case .frozen(let path): return ControlGroup(path: path).isFrozen ?? false
        case .slowed, .muted: return false
        }
    }

    /// Undoes it; what is gone needs nothing. Where it is no freeze, other programs are waited for.
    ///
    /// - Parameter processes: Those of the application now.
    func undo(with processes: [ProcessIdentity] = []) throws {
        switch self {
        case .stopped(let processes):
            // Children first: a shell that runs before its job would take that for stopped.
            let faults = processes.reversed().compactMap { process -> SystemError? in
                do throws(SystemError) { try process.signal(SIGCONT) } catch { return error }
                return nil
            }
            // What this may not continue is reported as still stopped.
            for row in processes.withWrappers where row.isStopped { _ = try? row.identity.signal(SIGCONT) }
            // All others go on all the same.
            if let fault = faults.first { throw fault }
        case .frozen(let path):
            try ControlGroup(path: path).thaw()
        case .slowed(let unit, let weights): try UnitWeights(unit: unit).restore(weights)
        case .muted(let stream): try stream.unmute(with: processes)
        }
    }
}

extension ProcessIdentity {
    /// Sends a signal to this process, and never to another one that has got its number.
    ///
    /// - Returns: Whether it was signalled; false if it is gone.
    /// - Throws: Where it may be there, and was not signalled.
    @discardableResult
    func signal(_ number: Int32) throws(SystemError) -> Bool {
        guard pid > 1 else { return false }
        // The descriptor first: it is of one process. If that is this one still, it has been since.
        let process: Descriptor
        do throws(SystemError) {
            process = try Descriptor("pidfd_open", linux_pidfd(pid))
        } catch {
            if error.code == ESRCH { return false }
            throw error
        }
        // Whether it is this one, a directory and a file tell: where these cannot be opened, it is not gone.
        var spares: [Descriptor] = []
        for _ in 1...2 { try spares.append(Descriptor("dup", dup(process.number))) }
        spares = []
        guard isAlive else { return false }
        if linux_pidfd_signal(process.number, number) == 0 { return true }
        if errno == ESRCH { return false }
        throw SystemError("pidfd_send_signal", errno)
    }
}

extension [Hold] {
    /// Undoes what was done last first.
    ///
    /// - Returns: Why what still holds could not be undone.
    func undo() -> [String] {
        undone().faults
    }

    /// The same.
    ///
    /// - Returns: What still holds, in its order, and why.
    func undone() -> (left: [Hold], faults: [String]) {
        var (left, faults): ([Hold], [String]) = ([], [])
        for hold in reversed() {
            do {
                try hold.undo()
            } catch {
                left.insert(hold, at: 0)
                faults.append("\(error)")
            }
        }
        return (left, faults)
    }
}
