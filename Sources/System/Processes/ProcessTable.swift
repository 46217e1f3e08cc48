import Glibc

/// What `/proc/PID/stat` says of a process.
public struct ProcessRow: Hashable, Sendable {
    public var identity: ProcessIdentity
    public var parent: Int32
    /// At most 15 bytes.
    public var name: String
    /// `R`, `S`, `T`, …
    public var state: String
    /// The process that leads its session.
    public var session: Int32
    /// The device of its terminal; 0 for none.
    public var terminal: Int32
    /// Its process group, and the one in the foreground of its terminal.
    public var group: Int32 = 0
    public var foreground: Int32 = 0
    /// The processor time that it has used, in ticks of `ProcessIdentity.ticksPerSecond`.
    public var ticks: UInt64 = 0
    /// The same of the processes that it had started, and that have ended.
    public var endedTicks: UInt64 = 0

    public var pid: Int32 { identity.pid }
    /// By a signal, or by a debugger.
    public var isStopped: Bool { state == "T" || state == "t" }
    /// It is stopped if it reads from its terminal.
    public var isInBackground: Bool { terminal != 0 && group != foreground }
    public var hasEnded: Bool { state == "Z" || state == "X" }
}

extension ProcessIdentity {
    /// Whether nothing of it runs any longer: it is gone, or its parent has not taken note of its end yet.
    public var hasEnded: Bool {
        ProcessTable.row(of: pid).map { $0.identity != self || $0.hasEnded } ?? true
    }
}

/// The processes at one moment.
public struct ProcessTable: Sendable {
    public private(set) var rows: [Int32: ProcessRow] = [:]
    private var children: [Int32: [Int32]] = [:]

    public init(_ rows: [ProcessRow]) {
        for row in rows.sorted(by: { $0.pid < $1.pid }) {
            self.rows[row.pid] = row
            children[row.parent, default: []].append(row.pid)
        }
    }

    /// All that can be seen now.
    public static func current() -> ProcessTable {
        ProcessTable(pids.compactMap(row))
    }

    /// The numbers of all processes that can be seen.
    public static var pids: [Int32] {
        (SystemString("/proc").entryNames ?? []).compactMap { $0.text.flatMap { Int32($0) } }
    }

    /// One process; nil once it is gone.
    public static func row(of pid: Int32) -> ProcessRow? {
        SystemString("/proc/\(pid)/stat").contents().flatMap { ProcessText.row(ofStat: $0, pid: pid) }
    }

    /// The processes and all that they have started, without what is in `others` and what these have started.
    public func family(of pids: some Sequence<Int32>, without others: Set<Int32> = []) -> [ProcessRow] {
        var (family, next, known) = ([ProcessRow](), Array(pids), others)
        while let pid = next.popLast() {
            guard known.insert(pid).inserted, let row = rows[pid] else { continue }
            family.append(row)
            next += children(of: pid)
        }
        return family
    }

    public func children(of pid: Int32) -> [Int32] { children[pid] ?? [] }

    /// The process, the one that started it, and so on.
    public func ancestry(of pid: Int32) -> [Int32] {
        var line: [Int32] = []
        var next = pid
        while next > 0, !line.contains(next) {
            line.append(next)
            next = rows[next]?.parent ?? 0
        }
        return line
    }
}
