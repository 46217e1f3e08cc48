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
                ["thaw", "--all"], on: nil, environment: hooks.home.environment)
            #expect(result.code == 0 && result.errors.isEmpty)
            return result.output
        }
        #expect(try thawAll() == ["nothing is frozen"])
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
}
