import Hooks
import System

extension [ProcessIdentity] {
    /// Programs that run another one and stop along with it. Only the user continues them, and xphase never freezes them.
    private static let wrapperNames: Set = ["su", "sudo", "runuser", "doas", "script"]

    /// Those of these processes that live, and the programs of that kind that have started them.
    var withWrappers: [ProcessRow] {
        var rows = compactMap { process in
            ProcessTable.row(of: process.pid).flatMap { $0.identity == process ? $0 : nil }
        }
        var parents = rows.map(\.parent)
        while let pid = parents.popLast() {
            guard let row = ProcessTable.row(of: pid), Self.wrapperNames.contains(row.name),
                !rows.contains(row)
            else { continue }
            rows.append(row)
            parents.append(row.parent)
        }
        return rows
    }

    /// How long after SIGCONT what has been reading a terminal in the background is stopped again.
    static let lookDelay = Duration.milliseconds(200)

    /// Whether one of them is stopped, or stops if it reads its terminal.
    var mayBeStopped: Bool { withWrappers.contains { $0.isStopped || $0.isInBackground } }

    /// Which of them are stopped, and by what.
    var stillStopped: [String] {
        withWrappers.filter(\.isStopped).map { row in
            row.cause(tracer: ProcessFacts(pid: row.pid)?.tracer.flatMap(ProcessTable.row))
        }
    }
}

extension ProcessRow {
    /// What stops it though SIGCONT was sent to it, in words.
    func cause(tracer: ProcessRow?) -> String {
        let process = "process \(pid) (\(name))"
        if let tracer { return "\(process), by the debugger \(tracer.name) (process \(tracer.pid))" }
        if isInBackground {
            return "\(process), by its terminal, which its shell has taken back: type fg there"
        }
        return "\(process), by a signal: kill -CONT \(pid) continues it, by its user or root"
    }
}
