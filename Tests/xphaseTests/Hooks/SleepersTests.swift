import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// What is frozen by several hooks, and what is woken once in a while.
    @Suite struct SleepersTests {
        private static func pause(_ name: String, _ hooks: HookSession) throws {
            let result = try XPhase.run(
                ["hooks", "pause", name], on: hooks.session.display, environment: hooks.home.environment)
            #expect(result.code == 0, "\(result.errors)")
        }

        @Test func whatTwoHooksHaveFrozenRunsWhenTheLastLetsItGo() throws {
            let second = FreezeTests.hook().replacing("sleep", with: "second")
            let hooks = try HookSession(FreezeTests.hook() + second)
            let terminal = try FreezeTests.terminal(hooks.session)
            func freeze() throws {
                terminal.iconify()
                for _ in 1...2 { #expect(try hooks.says("XTerm frozen (").hasSuffix(" processes)")) }
                #expect(try waitUntil { try FreezeTests.isFrozen(terminal) })
            }
            try freeze()
            try Self.pause("sleep", hooks)
            #expect(try hooks.says("XTerm") == "xphase: hook 'sleep': XTerm stays frozen for hook 'second'")
            #expect(try FreezeTests.isFrozen(terminal))
            try Self.pause("second", hooks)
            #expect(try hooks.says("XTerm") == "xphase: hook 'second': XTerm thawed")
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            // A sign is for both of them at once, and so is the end after a crash.
            _ = try XPhase.run(
                ["hooks", "resume"], on: hooks.session.display, environment: hooks.home.environment)
            for _ in 1...2 { try hooks.says("XTerm frozen (") }
            try hooks.session.settle { terminal.activate() }
            for _ in 1...2 { try hooks.says("XTerm thawed") }
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            try freeze()
            try hooks.run.end(SIGKILL)
            #expect(try FreezeTests.isFrozen(terminal))
            try hooks.session.restart()
            #expect(try hooks.says("XTerm").contains("XTerm stays frozen for hook '"))
            try hooks.says("XTerm thawed")
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            try hooks.end()
            #expect(try hooks.home.records().isEmpty)
        }

        @Test func whatSleepsIsWokenAndSleepsAgain() throws {
            let hooks = try HookSession(
                FreezeTests.hook("except = \"none\"\nwake = { every = \"1s\", for = \"300ms\" }"))
            let log = "\(hooks.home.path)/ticks"
            let terminal = try ProgramWindow(
                hooks.session, "xterm", ["-e", "sh", "-c", "while :; do echo >> '\(log)'; sleep 0.02; done"],
                package: "xterm", application: "XTerm")
            func ticks() throws -> Int { try hooks.home.lines("ticks").count }
            terminal.iconify()
            try hooks.says("frozen")
            for _ in 1...3 {
                #expect(try waitUntil { try FreezeTests.isFrozen(terminal) })
                let count = try ticks()
                #expect(try waitUntil { try ticks() > count })
            }
            #expect(
                try waitUntil {
                    try XPhase.run(
                        ["hooks", "status"], on: hooks.session.display, environment: hooks.home.environment
                    ).output.contains { $0.hasSuffix(": awake for 300ms") }
                })
            try hooks.session.settle { terminal.activate() }
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            // Waking is no news, and nothing sleeps that is seen.
            let told = try hooks.end()
            #expect(told.count { $0.contains("frozen (") } == 1)
            #expect(told.count { $0.contains("thawed") } <= 1)
        }
    }
}
