import Glibc
import Hooks
import System

/// A plan to freeze an application: the processes that may be stopped, and whether its unit may be frozen as a whole.
struct FreezePlan {
    /// A reason not to freeze an application.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
        /// The other application with windows of the same process.
        let sharing: String?

        init(_ description: String, sharing: String? = nil) {
            (self.description, self.sharing) = (description, sharing)
        }
    }

    let table: ProcessTable
    /// The processes that own the windows of the application.
    let roots: [Int32]
    /// The processes that own windows of other applications, with the names of these applications.
    let others: [Int32: Set<String>]
    /// The other applications that the hook holds.
    let fellows: Set<String>
    let application: String
    /// Whether the hook names the application literally rather than matches it by a pattern.
    let isNamed: Bool
    /// The process ID of xphase.
    var own = getpid()
    /// The process ID of the X server; nil if it is unknown.
    let server: Int32?
    /// The processes of window managers and compositors, as reported by the X server.
    let managers: Set<Int32>
    var ownUser = getuid()
    /// Returns the facts about a process; nil if it has ended.
    var facts = ProcessFacts.init(pid:)
    /// What the processes in `compared` execute, but for those that have ended or hide that.
    var programs: [Int32: ExecutedProgram] = [:]
    /// Whether what has just been started postpones the freeze, which it may for some time.
    var mayPostpone = true
    /// The time since boot.
    var moment = Clock.sinceBoot()

    /// The applications that share a process with this one and that the same hook holds.
    var companions: Set<String> { fellows.intersection(roots.flatMap { others[$0] ?? [] }) }

    /// The programs that own windows for programs elsewhere, such as those that `ssh -X` started, by process name.
    private static let proxies: Set = [
        "ssh", "sshd", "sshd-session", "autossh", "dbclient", "dropbear", "plink", "socat", "nc", "ncat",
        "netcat", "nxproxy", "nxagent", "x2goagent", "xpra", "waypipe",
    ]

    /// Returns the processes that may be stopped, parents first, including those that are already stopped.
    func processes() throws(Refusal) -> [ProcessRow] {
        let rows = roots.compactMap { table.rows[$0] }
        if rows.isEmpty { throw Refusal("none of your processes owns its windows") }
        for row in rows where Self.proxies.contains(row.name.lowercased()) {
            throw Refusal("process \(row.pid) (\(row.name)) only forwards its windows")
        }
        let starts = rows.map(\.pid)
        for pid in starts { if let refusal = refusal(of: pid) ?? wrapper(of: pid) { throw refusal } }
        if !isNamed, let shell = tree(from: starts, without: []).first(where: isShellElsewhere) {
            throw Refusal(
                "process \(shell.pid) is a shell on a terminal and may be in use: "
                    + "a hook that names '\(application)' and uses no pattern may freeze it")
        }
        // A program that a launcher has started may wait for the processes between the two.
        return tree(from: starts, without: aboveOthers.subtracting(starts)).filter { !$0.hasEnded }
    }

    /// Returns these processes and their descendants, parents first. Processes that must keep running are left out, as
    /// are their descendants.
    private func tree(from starts: [Int32], without exempt: Set<Int32>) -> [ProcessRow] {
        table.family(of: starts) { pid in
            refusal(of: pid) != nil || exempt.contains(pid) || isHiddenStranger(pid)
        }
    }

    // MARK: What prevents a freeze for a while

    /// The time within which a program that is started shows its first window.
    private static let youth = Duration.seconds(10)

    /// Returns why the application must not be frozen now; nil if it may be.
    var hindrance: String? {
        if let pid = roots.first(where: { facts($0)?.isHidden == true }) {
            return HiddenProgram.reason(pid, table.rows[pid]?.name)
        }
        let terminals = Set(tree(from: roots, without: []).filter(isShellElsewhere).map(\.terminal))
        let guest = others.keys.sorted().first { pid in
            table.rows[pid].map { terminals.contains($0.terminal) } ?? false
        }
        return guest.map { pid in
            "process \(pid)\(table.rows[pid].map { " (\($0.name))" } ?? "") has a window and runs on its terminal: "
                + "it would stop as soon as it writes much"
        }
    }

    /// Returns the name of a program that was just started in one of these processes, and may be about to show a window.
    /// What leads a terminal is the program of that terminal.
    func newcomer(among processes: [ProcessRow]) -> String? {
        if !mayPostpone { return nil }
        // A launcher may have started a program in its unit and left it.
        let pids = Set(processes.map(\.pid) + (wholeUnit(processes)?.processes() ?? []))
        let young = pids.sorted().compactMap { table.rows[$0] }.first { row in
            isYoung(row) && isOther(row, than: table.rows[row.parent])
        }
        return young.map { row in programs[row.pid]?.script ?? row.name }
    }

    private func isYoung(_ row: ProcessRow) -> Bool {
        row.identity.started + Self.youth > moment && !row.hasEnded && !row.leadsTerminal
            && !roots.contains(row.pid)
    }

    /// All processes whose programs `newcomer(among:)` may compare: those that were just started, and their parents.
    var compared: Set<Int32> {
        let young = mayPostpone ? table.rows.values.filter(isYoung) : []
        if young.isEmpty { return [] }
        let members = roots.first.flatMap(ControlGroup.init(of:))?.processes() ?? []
        let near = Set(table.family(of: roots).map(\.pid) + members)
        return Set(young.filter { near.contains($0.pid) }.flatMap { [$0.pid, $0.parent] })
    }

    private func isOther(_ row: ProcessRow, than parent: ProcessRow?) -> Bool {
        guard let parent else { return true }
        guard let own = programs[row.pid], let former = programs[parent.pid] else {
            return row.name != parent.name
        }
        return own.mayDiffer(from: former)
    }

    /// Returns whether a process hides its files and is another program than its parent, such as a password manager that a
    /// shell has started: xphase could not see its callers. The hidden processes of a browser are its own.
    private func isHiddenStranger(_ pid: Int32) -> Bool {
        guard !roots.contains(pid), let row = table.rows[pid], row.name != table.rows[row.parent]?.name else {
            return false
        }
        return facts(pid)?.isHidden == true
    }

    // MARK: Units

    /// Returns whether a unit with these processes contains no process that must keep running.
    ///
    /// - Parameters:
    ///   - name: The name of the unit. Desktop environments start each program in a unit whose name begins with `app-`.
    ///   - processes: The result of `processes()`.
    func isOwn(unit members: [Int32], _ name: String, for processes: [ProcessRow]) -> Bool {
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

    /// Returns the unit of the application, if it is the application's own and can be frozen.
    func ownUnit(_ processes: [ProcessRow]) -> ControlGroup? {
        guard let root = roots.first, let unit = ControlGroup(of: root), unit.canBeFrozen,
            let members = unit.processes(), isOwn(unit: members, unit.name, for: processes)
        else { return nil }
        return unit
    }

    /// Returns that unit if it contains all processes of the application, which may have started some in other units.
    func wholeUnit(_ processes: [ProcessRow]) -> ControlGroup? {
        guard let unit = ownUnit(processes), let members = unit.processes().map({ Set($0) }),
            !members.contains(where: isHiddenStranger),
            // Processes that have ended are in no unit.
            processes.allSatisfy({ members.contains($0.pid) || $0.identity.hasEnded })
        else { return nil }
        return unit
    }

    /// Returns the hold of a freeze that begins now.
    ///
    /// - Parameters:
    ///   - processes: The result of `processes()`.
    ///   - held: What already stops the application and those that share its processes.
    func hold(_ processes: [ProcessRow], held: [Hold]) throws(Refusal) -> Hold {
        if let unit = wholeUnit(processes),
            unit.isFrozen == false || held.contains(.frozen(path: unit.path))
        {
            return .frozen(path: unit.path)
        }
        for row in roots.compactMap({ table.rows[$0] }) where row.hasEnded {
            if let facts = facts(row.pid), facts.threads > 1 {
                throw Refusal(
                    "the main thread of process \(row.pid) (\(row.name)) has ended, and the state of the others is unknown"
                )
            }
        }
        if processes.isEmpty { throw Refusal("its processes have ended") }
        let known = Set(held.flatMap(\.stopped))
        // Read again: the table may be as old as the question.
        let stopping = processes.map(\.identity).filter {
            known.contains($0) || ProcessTable.row(of: $0.pid)?.isStopped == false
        }
        if stopping.isEmpty { throw Refusal("its processes are already stopped, not by this xphase") }
        return .stopped(stopping)
    }

    /// Returns why a process must keep running; nil if it may be stopped.
    private func refusal(of pid: Int32) -> Refusal? {
        let process = "process \(pid)"
        if pid <= 1 || table.ancestry(of: own).contains(pid) {
            return Refusal("\(process) is xphase or has started it")
        }
        if pid == server { return Refusal("\(process) is the X server") }
        if let other = others[pid]?.subtracting(companions).min() {
            return Refusal("\(process) has windows of '\(other)', too", sharing: other)
        }
        guard let row = table.rows[pid] else { return nil }
        if managers.contains(pid) {
            return Refusal("\(process) (\(row.name)) is the window manager or the compositor")
        }
        if SessionPrograms.names.contains(row.name) {
            return Refusal("\(process) (\(row.name)) is on xphase's list of session programs")
        }
        guard let facts = facts(pid) else { return nil }
        if facts.user != ownUser { return Refusal("\(process) belongs to another user") }
        return facts.tracer.map {
            Refusal("process \($0) debugs \(process), which could not be thawed")
        }
    }

    private func wrapper(of pid: Int32) -> Refusal? {
        var parent = table.rows[pid].flatMap { table.rows[$0.parent] }
        while let row = parent, row.isWrapper {
            if let user = facts(row.pid)?.user, user != ownUser {
                return Refusal(
                    "process \(row.pid) (\(row.name)) started it and belongs to another user; it would stop, too, "
                        + "and could not be continued")
            }
            parent = table.rows[row.parent]
        }
        return nil
    }

    /// The processes that own windows of other applications, and their ancestors.
    private var aboveOthers: Set<Int32> {
        Set(others.filter { !$0.value.isSubset(of: companions) }.keys.flatMap(table.ancestry))
    }

    /// Returns whether a process leads a session on a terminal that the application was not started on.
    private func isShellElsewhere(_ row: ProcessRow) -> Bool {
        row.leadsTerminal && !roots.contains { table.rows[$0]?.terminal == row.terminal }
    }
}

extension [ProcessRow] {
    /// Returns these processes of an application, and the others of its unit.
    func identities(with unit: ControlGroup?) -> [ProcessIdentity] {
        let own = map(\.identity)
        let members = (unit?.processes() ?? []).compactMap { ProcessIdentity(pid: $0) }
        return own + members.filter { !own.contains($0) }
    }
}

extension ProcessRow {
    /// Whether the process is a program that runs another one and stops along with it. xphase never stops it.
    var isWrapper: Bool { ["su", "sudo", "runuser", "doas", "script"].contains(name) }

    /// Whether the process is the shell of a terminal, or the program that runs in its place.
    fileprivate var leadsTerminal: Bool { terminal != 0 && session == pid }
}
