import Glibc
import TestDesktop
import Testing

@testable import Hooks
@testable import Service
@testable import System

/// Processes that stay stopped after SIGCONT, and the cause.
@Suite struct StillStoppedTests {
    private static func row(
        _ pid: Int32, _ name: String, terminal: Int32 = 0, group: Int32 = 0, foreground: Int32 = 0
    ) -> ProcessRow {
        ProcessRow(
            identity: ProcessIdentity(pid: pid, startTicks: 1), parent: 1, name: name, state: "T", session: 1,
            terminal: terminal, group: group, foreground: foreground)
    }

    @Test(arguments: [
        (
            row(7, "gimp", terminal: 4, group: 7, foreground: 3), row(9, "gdb"),
            "process 7 (gimp), by the debugger gdb (process 9)"
        ),
        (
            row(7, "cat", terminal: 4, group: 7, foreground: 3), nil,
            "process 7 (cat), in the background of its shell: type fg there"
        ),
        (
            row(7, "su", terminal: 4, group: 7, foreground: 7), nil,
            "process 7 (su), by a signal: its user or root can run kill -CONT 7"
        ),
    ])
    func theCauseIsNamed(row: ProcessRow, tracer: ProcessRow?, text: String) {
        #expect(row.cause(tracer: tracer) == text)
    }
}

extension RootTests {
    /// su stops itself when its child is stopped, and waits for SIGCONT. It asks others than root for a password.
    @Test func suThatStopsWithItsChildIsContinuedToo() throws {
        let terminal = try Terminal()
        let su = try Child("su", ["-c", "exec sleep 60", "root"], terminal: terminal)
        let sleep = try child("sleep", of: su)
        try sleep.signal(SIGSTOP)
        #expect(waitUntil { ProcessTable.row(of: su.pid)?.isStopped == true })
        #expect([sleep].withWrappers.map(\.pid) == [sleep.pid, su.pid])
        #expect([Hold.stopped([sleep])].undone().faults.isEmpty)
        #expect(waitUntil { ProcessTable.row(of: su.pid)?.isStopped == false })
        #expect(waitUntil { ![sleep].withWrappers.contains(where: \.isStopped) })
        try sleep.signal(SIGKILL)
        _ = try su.exitCode()
    }

    private func child(_ name: String, of parent: Child) throws -> ProcessIdentity {
        var found: ProcessRow?
        _ = waitUntil {
            found = ProcessTable.current().children(of: parent.pid).compactMap(ProcessTable.row)
                .first { $0.name == name }
            return found != nil
        }
        return try #require(found?.identity)
    }
}

/// Whether other processes use a terminal.
@Suite struct UseElsewhereTests {
    private static func row(_ pid: Int32, terminal: Int32, group: Int32, foreground: Int32) -> ProcessRow {
        ProcessRow(
            identity: ProcessIdentity(pid: pid, startTicks: 1), parent: 1, name: "a", state: "S", session: 10,
            terminal: terminal, group: group, foreground: foreground)
    }

    private static let table = ProcessTable([
        // A shell with emacsclient in the foreground. Emacs was started elsewhere.
        row(10, terminal: 34_816, group: 10, foreground: 11),
        row(11, terminal: 34_816, group: 11, foreground: 11), row(20, terminal: 0, group: 20, foreground: -1),
        // A terminal whose shell has ended, while a process that it started still runs.
        row(30, terminal: 34_817, group: 30, foreground: 0),
    ])

    @Test(
        arguments: [
            (34_816, [20], true), (34_816, [10, 11], false), (34_816, [11], false), (34_816, [10], true),
            (34_817, [20], false), (34_818, [20], false), (0, [10], false),
        ] as [(Int32, [Int32], Bool)])
    func aTerminalIsInUseByTheForegroundOfOthers(device: Int32, pids: [Int32], isUsed: Bool) {
        #expect(UseElsewhere.isTerminal(device, usedBeside: pids, Self.table) { _ in "own" } == isUsed)
    }

    @Test func aTerminalOfAContainerIsAnotherOne() {
        func isUsed(by pid: Int32) -> Bool {
            UseElsewhere.isTerminal(34_816, usedBeside: [pid], Self.table) { $0 <= 11 ? "container" : "own" }
        }
        #expect(!isUsed(by: 20) && isUsed(by: 10))
    }

    /// The terminal that a process was started from need not be in use.
    @Test(arguments: [false, true]) func theStandardDescriptorsOfAProcessDoNotCount(opensAnother: Bool) throws
    {
        let terminal = try Terminal()
        let script = opensAnother ? "exec 3<>\(terminal.path); exec sleep 60" : "exec sleep 60"
        let child = try Child("sh", ["-c", script], terminal: terminal)
        #expect(waitUntil { ProcessTable.row(of: child.pid)?.name == "sleep" })
        var facts = stat()
        try #require(stat(terminal.path, &facts) == 0)
        #expect(OpenFiles(of: child.pid).devices.contains(Int32(facts.st_rdev)) == opensAnother)
    }
}
