import Loop

/// A process that is stopped although SIGCONT was sent to it, and what stops it.
struct StillStopped: CustomStringConvertible {
    /// How long after SIGCONT what has been reading a terminal in the background is stopped again.
    static let delay = Duration.milliseconds(200)

    var row: ProcessRow
    /// The process that traces it; nil for none.
    var tracer: ProcessRow?

    var description: String {
        let process = "process \(row.pid) (\(row.name))"
        if let tracer { return "\(process), by the debugger \(tracer.name) (process \(tracer.pid))" }
        if row.isInBackground { return "\(process), since its shell has the terminal: type fg there" }
        return "\(process), by a signal: kill -CONT \(row.pid) continues it, by its user or root"
    }
}

extension [ProcessIdentity] {
    /// Programs that run another one and stop along with it. Nobody but the user continues them; xphase never freezes them.
    private static let wrapperNames: Set = ["su", "sudo", "runuser", "doas", "script"]

    /// Those of such programs that have started these processes.
    var wrappers: [ProcessRow] {
        var found: [Int32: ProcessRow] = [:]
        for process in self {
            var parent = ProcessTable.row(of: process.pid)?.parent
            while let pid = parent, found[pid] == nil, let row = ProcessTable.row(of: pid),
                Self.wrapperNames.contains(row.name)
            {
                found[pid] = row
                parent = row.parent
            }
        }
        return found.values.sorted { $0.pid > $1.pid }
    }

    /// What of them is stopped now, and which of their wrappers.
    var stillStopped: [StillStopped] {
        let rows = compactMap { process in
            ProcessTable.row(of: process.pid).flatMap { $0.identity == process ? $0 : nil }
        }
        return (rows + wrappers).filter(\.isStopped).map { row in
            StillStopped(row: row, tracer: ProcessFacts.tracer(of: row.pid).flatMap(ProcessTable.row))
        }
    }

    /// Whether one of them is stopped, or stops if it reads its terminal.
    var mayBeStopped: Bool {
        contains { process in
            ProcessTable.row(of: process.pid).map { $0.isStopped || $0.isInBackground } ?? false
        }
            || wrappers.contains(where: \.isStopped)
    }
}
