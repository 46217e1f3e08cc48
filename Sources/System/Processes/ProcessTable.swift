import Glibc

/// A process as `/proc/PID/stat` describes it.
public struct ProcessRow: Hashable, Sendable {
    public var identity: ProcessIdentity
    public var parent: Int32
    /// At most 15 bytes.
    public var name: String
    /// `R`, `S`, `T`, …
    public var state: String
    /// The pid of the session leader.
    public var session: Int32
    /// The device number of its terminal; 0 if there is none.
    public var terminal: Int32
    /// The process group, and the foreground process group of the terminal.
    public var group: Int32 = 0
    public var foreground: Int32 = 0
    /// The processor time used, in ticks of `ProcessIdentity.ticksPerSecond`.
    public var ticks: UInt64 = 0
    /// The processor time that its children had used when they ended, in the same unit.
    public var ticksOfChildren: UInt64 = 0

    public var pid: Int32 { identity.pid }
    /// Whether a signal or a debugger has stopped the process.
    public var isStopped: Bool { state == "T" || state == "t" }
    /// Whether the process would be stopped by reading from its terminal.
    public var isInBackground: Bool { terminal != 0 && group != foreground }
    public var hasEnded: Bool { state == "Z" || state == "X" }
}

extension ProcessIdentity {
    /// Whether the process is gone or a zombie.
    public var hasEnded: Bool {
        ProcessTable.row(of: pid).map { $0.identity != self || $0.hasEnded } ?? true
    }

    /// Returns whether each thread of the process is stopped or has ended. Until then, it may start another process: a
    /// signal stops a thread only after fork(2).
    ///
    /// - Parameter isPatient: Whether to count a thread as stopped that waits for a disk, or for a child after vfork(2).
    public func isStopped(isPatient: Bool) -> Bool {
        if !isAlive { return true }
        let tasks = SystemString("/proc/\(pid)/task")
        return (tasks.entryNames ?? []).allSatisfy { name in
            let text = tasks.entry(name).entry("stat").contents()
            let thread = text.flatMap { ProcessText.row(ofStat: $0, pid: pid) }
            return thread.map { $0.isStopped || $0.hasEnded || isPatient && $0.state == "D" } ?? true
        }
    }
}

/// A snapshot of the processes.
public struct ProcessTable: Sendable {
    public private(set) var rows: [Int32: ProcessRow] = [:]
    private var children: [Int32: [Int32]] = [:]

    public init(_ rows: [ProcessRow]) {
        for row in rows.sorted(by: { $0.pid < $1.pid }) {
            self.rows[row.pid] = row
            children[row.parent, default: []].append(row.pid)
        }
    }

    /// Reads these processes again, and forgets those of them that are gone.
    public mutating func readAgain(_ pids: some Sequence<Int32>) {
        for pid in pids {
            let (former, row) = (rows[pid], Self.row(of: pid))
            rows[pid] = row
            if former?.parent == row?.parent { continue }
            if let former { children[former.parent]?.removeAll { $0 == pid } }
            if let row { children[row.parent, default: []].append(pid) }
        }
    }

    /// Returns all processes that are visible now.
    public static func current() -> ProcessTable { ProcessTable(pids.compactMap(row)) }

    public static var pids: [Int32] {
        (SystemString("/proc").entryNames ?? []).compactMap { $0.text.flatMap { Int32($0) } }
    }

    public static func row(of pid: Int32) -> ProcessRow? {
        SystemString("/proc/\(pid)/stat").contents().flatMap { ProcessText.row(ofStat: $0, pid: pid) }
    }

    /// Returns how often each thread of a process has gone to sleep of its own accord, which is how often it has been
    /// woken up; by the number of the thread.
    public static func wakeUps(of pid: Int32) -> [Int32: UInt64] {
        let tasks = SystemString("/proc/\(pid)/task")
        return (tasks.entryNames ?? []).reduce(into: [:]) { counts, name in
            guard let thread = name.text.flatMap({ Int32($0) }) else { return }
            counts[thread] = tasks.entry(name).entry("status").contents().flatMap(
                ProcessText.voluntarySwitches)
        }
    }

    /// Returns the processes and their descendants, parents first.
    ///
    /// - Parameter isOther: Returns whether to leave out a process with its descendants.
    public func family(
        of pids: some Sequence<Int32>, without isOther: (Int32) -> Bool = { _ in false }
    ) -> [ProcessRow] {
        var (family, next, known) = ([ProcessRow](), ArraySlice(pids), Set<Int32>())
        while let pid = next.popFirst() {
            guard known.insert(pid).inserted, let row = rows[pid], !isOther(pid) else { continue }
            family.append(row)
            next += children(of: pid)
        }
        return family
    }

    public func children(of pid: Int32) -> [Int32] { children[pid] ?? [] }

    /// Returns the process, its parent, and so on.
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
