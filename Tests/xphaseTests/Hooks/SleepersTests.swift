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
                for _ in 1...2 {
                    #expect(try hooks.waitForMessage("XTerm frozen (").hasSuffix(" processes)"))
                }
                #expect(try waitUntil { try FreezeTests.isFrozen(terminal) })
            }
            try freeze()
            try Self.pause("sleep", hooks)
            #expect(
                try hooks.waitForMessage("XTerm")
                    == "xphase: hook 'sleep': XTerm stays frozen for hook 'second'")
            #expect(try FreezeTests.isFrozen(terminal))
            try Self.pause("second", hooks)
            #expect(try hooks.waitForMessage("XTerm") == "xphase: hook 'second': XTerm thawed")
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            // A sign is for both of them at once, and so is the end after a crash.
            _ = try XPhase.run(
                ["hooks", "resume"], on: hooks.session.display, environment: hooks.home.environment)
            for _ in 1...2 { try hooks.waitForMessage("XTerm frozen (") }
            try hooks.session.settle { terminal.activate() }
            for _ in 1...2 { try hooks.waitForMessage("XTerm thawed") }
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            try freeze()
            try hooks.run.end(SIGKILL)
            #expect(try FreezeTests.isFrozen(terminal))
            try hooks.session.restart()
            for _ in 1...2 { try hooks.waitForMessage("XTerm thawed") }
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            try hooks.end()
            #expect(try hooks.home.records().isEmpty)
        }

        private static let wake = "wake = { every = \"1s\", for = \"300ms\" }"

        /// A terminal that writes a line into a file, of its name, again and again.
        private static func ticker(_ hooks: HookSession, _ name: String = "XTerm") throws -> ProgramWindow {
            let script = "while :; do echo >> '\(hooks.home.path)/\(name)'; sleep 0.02; done"
            return try ProgramWindow(
                hooks.session, "xterm", ["-class", name, "-e", "sh", "-c", script], package: "xterm",
                application: name)
        }

        /// All that wake it let it go together; one that does not wake it keeps it frozen.
        @Test func whatSeveralHooksHaveFrozenIsWokenIfAllOfThemWakeIt() throws {
            func hook(_ name: String, _ application: String, _ keys: String) -> String {
                FreezeTests.hook("except = \"none\"\n\(keys)").replacing("sleep", with: name)
                    .replacing("XTerm", with: application)
            }
            let rare = "wake = { every = \"3s\", for = \"300ms\" }"
            let hooks = try HookSession(
                hook("first", "XTerm", Self.wake) + hook("second", "XTerm", rare)
                    + hook("third", "Other", Self.wake) + hook("fourth", "Other", ""))
            let (terminal, other) = (try Self.ticker(hooks), try Self.ticker(hooks, "Other"))
            other.iconify()
            for _ in 1...2 { try hooks.waitForMessage("Other frozen (") }
            #expect(try waitUntil { try FreezeTests.isFrozen(other) })
            let asleep = try hooks.home.lines("Other").count
            terminal.iconify()
            for _ in 1...2 { try hooks.waitForMessage("XTerm frozen (") }
            for _ in 1...3 {
                #expect(try waitUntil { try FreezeTests.isFrozen(terminal) })
                let count = try hooks.home.lines("XTerm").count
                #expect(try waitUntil { try hooks.home.lines("XTerm").count > count })
            }
            // The same moments were its own.
            #expect(try hooks.home.lines("Other").count == asleep)
            #expect(try FreezeTests.isFrozen(other))
            try hooks.end()
        }

        @Test func whatIsExceptedWhileItIsAwakeIsNotFrozenAgain() throws {
            let hooks = try HookSession(FreezeTests.hook("except = \"fullscreen\"\n\(Self.wake)"))
            let terminal = try FreezeTests.terminal(hooks.session)
            terminal.iconify()
            try hooks.waitForMessage("frozen")
            terminal.setFullscreen(true)
            #expect(waitUntil { terminal.isFullscreen })
            #expect(
                try waitUntil {
                    try ControlTests.hooks(hooks, "status").output.last?
                        .hasSuffix(": a window of it is fullscreen") == true
                })
            #expect(try FreezeTests.runs(terminal))
            try hooks.end()
        }

        @Test func whatSleepsIsWokenAndSleepsAgain() throws {
            let hooks = try HookSession(FreezeTests.hook("except = \"none\"\n\(Self.wake)"))
            let terminal = try Self.ticker(hooks)
            func ticks() throws -> Int { try hooks.home.lines("XTerm").count }
            terminal.iconify()
            try hooks.waitForMessage("frozen")
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
