import PhaseWatch
import System

/// A plan to freeze an application: the processes that may be stopped, and whether its unit may be frozen as a whole.
public struct FreezePlan {
    /// A reason not to freeze an application.
    public enum Refusal: Error, Equatable, CustomStringConvertible {
        case noProcess
        case stoppedAlready
        case ownAncestry(Int32)
        case server(Int32)
        case session(Int32, String)
        case proxy(Int32, String)
        case shared(Int32, application: String)
        case otherUser(Int32)
        case traced(Int32, by: Int32)
        case wrapped(Int32, String)
        case terminal(Int32, application: String)

        /// The other application with windows of the same process.
        public var sharing: String? { if case .shared(_, let other) = self { other } else { nil } }

        public var description: String {
            switch self {
            case .noProcess: "none of your processes owns its windows"
            case .stoppedAlready: "its processes are already stopped, not by this xphase"
            case .ownAncestry(let pid): "process \(pid) is xphase, or has started it"
            case .server(let pid): "process \(pid) is the X server"
            case .session(let pid, let name): "process \(pid) (\(name)) belongs to the session"
            case .proxy(let pid, let name): "process \(pid) (\(name)) only passes on its windows"
            case .shared(let pid, let application):
                "process \(pid) has windows of '\(application)', too"
            case .otherUser(let pid): "process \(pid) belongs to another user"
            case .traced(let pid, let tracer):
                "process \(tracer) debugs process \(pid), which could not be thawed"
            case .wrapped(let pid, let name):
                "process \(pid) (\(name)) of another user has started it, would stop with it, and could not be continued"
            case .terminal(let pid, let application):
                "process \(pid) is a shell on a terminal, which may be in use: "
                    + "a hook that names '\(application)' and uses no pattern may freeze it"
            }
        }
    }

    public let table: ProcessTable
    /// The processes that own the windows of the application.
    public let roots: [Int32]
    /// The processes that own windows of other applications, with the names of these applications.
    var others: [Int32: Set<String>]
    /// The applications that share a process with this one and that the same hook holds.
    public let companions: Set<String>
    var application: String
    /// Whether the hook names the application literally rather than matches it by a pattern.
    var isNamed: Bool
    /// The process ID of xphase.
    var own: Int32
    /// The process ID of the X server; nil if it is unknown.
    var server: Int32?
    /// The processes of window managers and compositors, as reported by the X server.
    var managers: Set<Int32> = []
    var ownUser: UInt32
    /// Returns the facts about a process; nil if it has ended.
    var facts: (Int32) -> ProcessFacts?

    /// - Parameter fellows: The other applications that the hook holds.
    public init(
        table: ProcessTable, roots: [Int32], others: [Int32: Set<String>], fellows: Set<String> = [],
        application: String, isNamed: Bool,
        own: Int32, server: Int32?, managers: Set<Int32> = [], ownUser: UInt32,
        facts: @escaping (Int32) -> ProcessFacts?
    ) {
        let companions = Set(roots.flatMap { others[$0] ?? [] }).intersection(fellows)
        (self.table, self.roots, self.companions) = (table, roots, companions)
        self.others = others.mapValues { $0.subtracting(companions) }.filter { !$0.value.isEmpty }
        (self.application, self.isNamed) = (application, isNamed)
        (self.own, self.server, self.managers, self.ownUser, self.facts) = (
            own, server, managers, ownUser, facts
        )
    }

    /// The programs that own windows for programs elsewhere, such as those that `ssh -X` started, by process name.
    private static let proxies: Set = [
        "ssh", "sshd", "sshd-session", "autossh", "dbclient", "dropbear", "plink", "socat", "nc", "ncat",
        "netcat", "nxproxy", "nxagent", "x2goagent", "xpra", "waypipe",
    ]

    /// Returns the processes that may be stopped, parents first, including those that are already stopped.
    public func processes() throws(Refusal) -> [ProcessRow] {
        let starts = roots.filter { table.rows[$0] != nil }
        if starts.isEmpty { throw .noProcess }
        for row in starts.compactMap({ table.rows[$0] }) where Self.proxies.contains(row.name.lowercased()) {
            throw .proxy(row.pid, row.name)
        }
        for pid in starts { if let refusal = refusal(of: pid) ?? wrapper(of: pid) { throw refusal } }
        if !isNamed, let shell = tree(from: starts, without: []).first(where: isShellElsewhere) {
            throw .terminal(shell.pid, application: application)
        }
        // A program that a launcher has started may wait for the processes between the two.
        return tree(from: starts, without: aboveOthers.subtracting(starts)).filter { !$0.hasEnded }
    }

    /// Returns these processes and their descendants, parents first. Processes that must keep running are left out, as
    /// are their descendants.
    private func tree(from starts: [Int32], without exempt: Set<Int32>) -> [ProcessRow] {
        var found: [ProcessRow] = []
        var next = starts
        var seen = Set(next)
        while !next.isEmpty {
            let rows = next.filter { refusal(of: $0) == nil && !exempt.contains($0) }.compactMap {
                table.rows[$0]
            }
            found += rows
            next = rows.flatMap { table.children(of: $0.pid) }.filter { seen.insert($0).inserted }
        }
        return found
    }

    /// Returns whether a unit with these processes contains no process that must keep running.
    ///
    /// - Parameters:
    ///   - name: The name of the unit. Desktop environments start each program in a unit whose name begins with `app-`.
    ///   - processes: The result of `processes()`.
    public func isOwn(unit members: [Int32], _ name: String, for processes: [ProcessRow]) -> Bool {
        let tree = Set(processes.map(\.pid))
        guard Set(members).isSuperset(of: roots.filter(tree.contains)) else { return false }
        // An ancestor of other applications may be a window manager, or a shell of the user.
        let aboveOthers = aboveOthers
        // An autostarted program may be a launcher, whose unit also contains the programs that it starts.
        let isOfOneProgram =
            name.hasPrefix("app-") && !name.hasSuffix("@autostart.service") || name.hasPrefix("snap.")
        return members.allSatisfy { pid in
            guard let row = table.rows[pid] else { return true }
            return refusal(of: pid) == nil && !aboveOthers.contains(pid)
                && (tree.contains(pid) || isOfOneProgram && !row.leadsTerminal)
        }
    }

    /// Returns why a process must keep running; nil if it may be stopped.
    private func refusal(of pid: Int32) -> Refusal? {
        if pid <= 1 || ownAncestry.contains(pid) { return .ownAncestry(pid) }
        if pid == server { return .server(pid) }
        if let other = others[pid]?.min() { return .shared(pid, application: other) }
        guard let row = table.rows[pid] else { return nil }
        if managers.contains(pid) || SessionPrograms.contains(row.name) { return .session(pid, row.name) }
        guard let facts = facts(pid) else { return nil }
        if facts.user != ownUser { return .otherUser(pid) }
        return facts.tracer.map { .traced(pid, by: $0) }
    }

    private func wrapper(of pid: Int32) -> Refusal? {
        var parent = table.rows[pid].flatMap { table.rows[$0.parent] }
        while let row = parent, row.isWrapper {
            if let user = facts(row.pid)?.user, user != ownUser { return .wrapped(row.pid, row.name) }
            parent = table.rows[row.parent]
        }
        return nil
    }

    /// The processes that own windows of other applications, and their ancestors.
    private var aboveOthers: Set<Int32> { Set(others.keys.flatMap(table.ancestry)) }

    private var ownAncestry: Set<Int32> { Set(table.ancestry(of: own)) }

    /// Returns whether a process leads a session on a terminal that the application was not started on.
    private func isShellElsewhere(_ row: ProcessRow) -> Bool {
        row.leadsTerminal
            && !roots.contains { table.rows[$0]?.terminal == row.terminal }
    }
}

extension ProcessRow {
    /// Whether the process is a program that runs another one and stops along with it. xphase never stops it.
    package var isWrapper: Bool { ["su", "sudo", "runuser", "doas", "script"].contains(name) }

    /// Whether the process is the shell of a terminal, or the program that runs in its place.
    fileprivate var leadsTerminal: Bool { terminal != 0 && session == pid }
}
