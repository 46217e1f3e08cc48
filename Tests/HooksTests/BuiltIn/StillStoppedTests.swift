import Glibc
import TestDesktop
import Testing

@testable import Hooks

/// What stays stopped after SIGCONT, and what stops it.
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
            StillStopped(row: row(7, "gimp", terminal: 4, group: 7, foreground: 3), tracer: row(9, "gdb")),
            "process 7 (gimp), by the debugger gdb (process 9)"
        ),
        (
            StillStopped(row: row(7, "cat", terminal: 4, group: 7, foreground: 3)),
            "process 7 (cat), since its shell has the terminal: type fg there"
        ),
        (
            StillStopped(row: row(7, "su", terminal: 4, group: 7, foreground: 7)),
            "process 7 (su), by a signal: kill -CONT 7 continues it, by its user or root"
        ),
        (
            StillStopped(row: row(7, "su")),
            "process 7 (su), by a signal: kill -CONT 7 continues it, by its user or root"
        ),
    ])
    func theCauseIsNamed(stopped: StillStopped, text: String) {
        #expect(stopped.description == text)
    }

    /// An interactive shell takes the terminal back from a job that is stopped.
    @Test func whatReadsTheTerminalOfItsShellStopsAgain() throws {
        let terminal = try Terminal()
        let shell = try Child("sh", ["-i"], environment: ["ENV": nil], terminal: terminal)
        terminal.type("cat\n")
        let cat = try child("cat", of: shell)
        // Else the shell does not know yet that it has a job.
        #expect(waitUntil { ProcessTable.row(of: cat.pid)?.isInBackground == false })
        #expect(![cat].mayBeStopped)
        try cat.signal(SIGSTOP)
        #expect(waitUntil { ProcessTable.row(of: cat.pid)?.isInBackground == true })
        #expect([Hold.stopped([cat])].undo().isEmpty)
        #expect([cat].mayBeStopped)
        #expect(waitUntil { [cat].stillStopped.first?.description.contains("type fg there") ?? false })
        terminal.type("fg\n")
        #expect(waitUntil { [cat].stillStopped.isEmpty })
    }

    /// It stops itself when its child is stopped, and waits until somebody continues it.
    @Test(.enabled(if: geteuid() == 0, "su asks others for a password"))
    func whatStopsAlongIsContinuedToo() throws {
        let terminal = try Terminal()
        let su = try Child("su", ["-c", "exec sleep 60", "root"], terminal: terminal)
        let sleep = try child("sleep", of: su)
        try sleep.signal(SIGSTOP)
        #expect(waitUntil { ProcessTable.row(of: su.pid)?.isStopped == true })
        #expect([sleep].wrappers.map(\.pid) == [su.pid])
        #expect([Hold.stopped([sleep])].undo().isEmpty)
        #expect(waitUntil { ProcessTable.row(of: su.pid)?.isStopped == false })
        #expect(waitUntil { [sleep].stillStopped.isEmpty })
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
