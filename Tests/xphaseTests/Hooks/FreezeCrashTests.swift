import Glibc
import TestDesktop
import Testing

/// Applications that are frozen when xphase is killed.
extension DesktopTests.FreezeTests {
    @Test func afterACrashAnyoneCanThawAndTheNextStartDoes() throws {
        let hooks = try HookSession(Self.hook())
        let terminal = try Self.terminal(hooks.session)
        func thawAll() throws -> [String] {
            let result = try XPhase.run(
                ["hooks", "thaw-all"], on: nil, environment: hooks.home.environment)
            #expect(result.code == 0 && result.errors.isEmpty)
            return result.output
        }
        #expect(try thawAll() == ["nothing is frozen"])
        terminal.iconify()
        try hooks.waitForMessage("frozen")
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
            let beside = try XPhase.run(
                ["run", "--display", ":4711"], on: nil, environment: hooks.home.environment)
            #expect(beside.code == 69)
            #expect(try Self.isFrozen(terminal))
            try hooks.run.end(SIGKILL)
            if hasFault { try hooks.home.configure("oops") }
            let next = try XPhase.run(
                ["run", "--display", ":4711"], on: nil, environment: hooks.home.environment)
            #expect(next.code == (hasFault ? 78 : 69))
            #expect(try waitUntil { try Self.runs(terminal) })
        }
    }

    /// xphase is killed at each call that stops or continues a process, including those that undo the previous freeze,
    /// and at each write, including those to the record.
    @Test(arguments: [("pidfd_send_signal", 14), ("write", 16)])
    func whereverItIsKilledTheRecordThawsAll(call: String, calls: Int) throws {
        let home = try HookHome()
        let session = try Session(.openbox)
        let terminal = try ProgramWindow(
            session, "xterm", ["-e", "sh", "-c", "sleep 1000 & sleep 1000"], package: "xterm",
            application: "XTerm")
        try session.applicationLine("XTerm", to: "background") { terminal.iconify() }
        var wasFrozen = false
        for number in 1...calls {
            let on = try Program(
                "strace",
                [
                    "-D", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                    "inject=\(call):signal=SIGKILL:when=\(number)", XPhase.path, "on", "XTerm",
                    "background",
                    "--initial", "--do", "freeze",
                ], package: "strace",
                environment: session.display.environment.merging(home.environment) { $1 })
            _ = try waitUntil {
                let isFrozen = try Self.isFrozen(terminal)
                wasFrozen = wasFrozen || isFrozen
                return isFrozen || (try? on.exitCode(within: .milliseconds(1))) != nil
            }
            on.send(SIGTERM)
            _ = try on.exitCode()
            let thaw = try XPhase.run(["hooks", "thaw-all"], on: nil, environment: home.environment)
            #expect(thaw.code == 0)
            #expect(try waitUntil { try Self.runs(terminal) }, "\(call) \(number)")
        }
        #expect(wasFrozen)
    }
}
