import Hooks
import System

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
        return "\(process), by a signal: kill -CONT \(pid) continues it, by its user or root"
    }
}
