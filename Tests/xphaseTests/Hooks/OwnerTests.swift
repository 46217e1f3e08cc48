import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct OwnerTests: FreezesPrograms {}
}

/// Frozen applications of a display have one owner, even if an owner is killed or the disk does not answer.
extension DesktopTests.OwnerTests {
    private static func on(_ session: Session, _ home: HookHome) throws -> Program {
        try XPhase.start(
            ["on", "XTerm", "background", "--initial", "--do", "freeze"], on: session.display,
            environment: home.environment)
    }

    /// Starts a service without hooks, and a command for which the service has frozen a terminal.
    private static func served() throws -> (hooks: HookSession, terminal: ProgramWindow, command: Program) {
        let hooks = try HookSession("")
        let terminal = try Self.terminal(hooks.session)
        try hooks.session.settle { terminal.iconify() }
        let command = try Self.on(hooks.session, hooks.home)
        // As without a service: the number is for those who see the hooks of several programs.
        try command.waitForError("hook 'on': XTerm frozen (")
        #expect(try hooks.xphase("hooks").output.contains("on \(command.pid)"))
        return (hooks, terminal, command)
    }

    /// The second command waits while the first lives, even if that does not answer, and takes over what it has left.
    @Test(arguments: [SIGCONT, SIGSTOP])
    func aProgramFrozenByAKilledCommandIsThawedByTheCommandThatWaits(signal: Int32) throws {
        let home = try HookHome()
        let session = try Session(.openbox)
        let terminal = try Self.terminal(session)
        try session.settle { terminal.iconify() }
        let first = try Self.on(session, home)
        try first.waitForError("XTerm frozen (")
        first.send(signal)
        let second = try Self.on(session, home)
        #expect(try waitUntil { try second.status("wchan").contains("poll") })
        try first.end(SIGKILL)
        try second.waitForError("hook 'on': XTerm frozen (")
        try second.end(SIGTERM)
        #expect(try waitUntil { try Self.runs(terminal) })
        #expect(try home.records().isEmpty)
    }

    /// A sign of use thaws what the service holds for a command, and so does the end of the command, which reports both.
    @Test(arguments: [SIGKILL, SIGTERM])
    func theServiceThawsWhatItHoldsForACommandThatEnds(signal: Int32) throws {
        let (hooks, terminal, command) = try Self.served()
        try hooks.waitForMessage("hook 'on \(command.pid)': XTerm frozen (")
        try hooks.session.settle { terminal.activate() }
        try command.waitForError("XTerm thawed: it is ")
        try hooks.session.settle { terminal.iconify() }
        try command.waitForError("XTerm frozen (")
        try command.end(signal)
        if signal == SIGTERM {
            #expect(try command.errors.rest().map { $0.contains("XTerm thawed") } == [true])
        }
        #expect(try waitUntil { try Self.runs(terminal) })
    }

    /// timeout(1) sends its signal to the command and to its group, which is no request to end at once.
    @Test func aCommandThatTimeoutEndsWaitsUntilTheServiceHasThawed() throws {
        // What the terminal starts at first postpones a freeze.
        let (hooks, terminal, first) = try Self.served()
        try first.end(SIGTERM)
        for _ in 1...3 {
            let command = try Program(
                "timeout", ["5", XPhase.path] + XPhase.words("on XTerm background --initial --do freeze"),
                environment: hooks.home.environment.merging(hooks.session.display.environment) { $1 })
            try command.waitForError("XTerm frozen (")
            #expect(try command.errors.rest().map { $0.contains("XTerm thawed") } == [true])
            #expect(try Self.runs(terminal))
        }
    }

    /// The command continues without the service.
    @Test func aCommandGoesOnWhenTheServiceEnds() throws {
        let (hooks, terminal, command) = try Self.served()
        try hooks.end()
        try command.waitForError("its reactions are undone; they begin again here in 5s")
        #expect(try command.errors.next() == "xphase: the reactions begin again")
        try command.waitForError("hook 'on': XTerm frozen (")
        #expect(try waitUntil { try Self.isFrozen(terminal) })
        let service = try hooks.xphase("run")
        let reason =
            "process \(command.pid) already runs the hooks of this display, as 'xphase on': end it first"
        #expect(service.code == 75 && service.errors.last?.contains(reason) == true, "\(service.errors)")
        try command.end(SIGTERM)
        #expect(try waitUntil { try Self.runs(terminal) })
        #expect(try hooks.home.records().isEmpty)
    }

    @Test func aSignalEndsACommandThatWaitsForTheServiceToStartAgain() throws {
        let (hooks, _, command) = try Self.served()
        try hooks.end()
        try command.waitForError("they begin again here in 5s")
        command.send(SIGTERM)
        #expect(try command.errors.rest() == [])
        #expect(try command.exitCode() == 0)
    }

    /// A service manager restarts the service, which also names the processes of applications to commands of hooks.
    @Test func aCommandReturnsToAServiceThatStartsAgain() throws {
        let (hooks, terminal, command) = try Self.served()
        let on = try hooks.start("on", "XTerm", "background", "--initial", "--", "printenv", "XPHASE_PIDS")
        #expect(try on.output.next() == "\(terminal.program.pid)")
        try hooks.run.end(SIGKILL)
        let service = try hooks.start("run")
        try service.waitForError("hook 'on \(command.pid)': XTerm frozen (")
        try command.end(SIGTERM)
        #expect(try waitUntil { try Self.runs(terminal) })
        try service.end(SIGTERM)
        #expect(try hooks.home.records().isEmpty)
    }

    /// The disk takes a minute to write the record, or the journal.
    @Test(arguments: [false, true])
    func neitherAThawNorTheEndWaitsForTheDisk(ofTheJournal: Bool) throws {
        let (hooks, terminal) = try Self.frozenTerminal(journal: ofTheJournal)
        let slowness: Program
        if ofTheJournal {
            let folder = "state/xphase/journal"
            let file = try #require(try hooks.home.folder.names(in: folder).first)
            slowness = try hooks.slowDisk("write", of: ["-P", hooks.home.folder("\(folder)/\(file)")])
        } else {
            slowness = try hooks.slowDisk()
        }
        terminal.activate()
        try hooks.waitForMessage("XTerm thawed")
        #expect(try waitUntil { try Self.runs(terminal) })
        terminal.iconify()
        hooks.run.send(SIGTERM)
        // strace holds the disk thread until strace ends.
        #expect(try waitUntil { try hooks.run.status("State").contains("zombie") })
        #expect(try Self.runs(terminal))
        try slowness.end()
        #expect(try hooks.run.exitCode() == 0)
    }

    /// xphase may send no signals.
    @Test func aFailedThawIsRetriedAndReportedAtTheEnd() throws {
        let (hooks, terminal) = try Self.frozenTerminal()
        let trace = try hooks.inject("error=EPERM", into: "pidfd_send_signal")
        terminal.activate()
        try hooks.waitForMessage("XTerm is not thawed: ")
        try hooks.waitForMessage("leave for XTerm is retried in ")
        hooks.run.send(SIGTERM)
        let reported = try hooks.ended(with: 71)
        #expect(reported.last == "xphase: XTerm stays frozen: run 'xphase thaw --all'")
        try trace.end()
        #expect(try Self.isFrozen(terminal))
        #expect(try hooks.home.xphase("thaw", "--all").code == 0)
        #expect(try waitUntil { try Self.runs(terminal) })
    }

    @Test func afterACrashAnyoneCanThawAndTheNextStartDoes() throws {
        let hooks = try HookSession(Self.hook())
        let terminal = try Self.terminal(hooks.session)
        func thawAll() throws -> [String] {
            let result = try hooks.home.xphase("thaw", "--all")
            #expect(result.code == 0 && result.errors.isEmpty)
            return result.output
        }
        terminal.iconify()
        try hooks.waitForMessage("frozen (")
        try hooks.run.end(SIGKILL)
        #expect(try waitUntil { try Self.isFrozen(terminal) })
        #expect(try thawAll() == ["XTerm thawed (hook 'sleep')"])
        #expect(try waitUntil { try Self.runs(terminal) })
        #expect(try thawAll() == ["nothing is frozen"])
        try hooks.session.restart()
        try hooks.waitForMessage("XTerm thawed")
        try hooks.end()
        #expect(try thawAll() == ["nothing is frozen"])
    }

    /// Even if the display cannot be opened or the configuration has a fault.
    @Test func aStartThatFailsThawsAllTheSame() throws {
        for hasFault in [false, true] {
            let (hooks, terminal) = try Self.frozenTerminal()
            #expect(try hooks.home.xphase("run", "--display", ":4711").code == 69)
            #expect(try Self.isFrozen(terminal))
            try hooks.run.end(SIGKILL)
            if hasFault { try hooks.home.configure("oops") }
            #expect(try hooks.home.xphase("run", "--display", ":4711").code == (hasFault ? 78 : 69))
            #expect(try waitUntil { try Self.runs(terminal) })
        }
    }
}
