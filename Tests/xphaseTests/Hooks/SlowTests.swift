import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Weights of a unit, by a `systemctl` of the test's own; packaging/test-reactions asks the real one.
    @Suite struct SlowTests {
        private static func hook(_ reaction: String, _ keys: String = "") -> String {
            "[[hook]]\nname = \"rest\"\napplication = \"XTerm\"\nwhile = \"background\"\ndo = \"\(reaction)\"\n"
                + "\(keys)\n"
        }

        /// A terminal whose unit has no weight of its own any longer.
        private static func slowed() throws -> (HookSession, TestUnit, ProgramWindow) {
            var unit: TestUnit?
            let hooks = try HookSession(hook("slow")) { home, _ in unit = try TestUnit(home) }
            guard let unit else { throw Failure("there is no unit") }
            let terminal = try unit.terminal(hooks.session)
            terminal.iconify()
            #expect(try hooks.says("slowed") == "xphase: hook 'rest': XTerm slowed (\(unit.name))")
            #expect(try unit.weight == "10")
            return (hooks, unit, terminal)
        }

        @Test func aPauseAndAReloadGiveTheWeightsBack() throws {
            let (hooks, unit, terminal) = try Self.slowed()
            #expect(try ControlTests.hooks(hooks, "pause").code == 0)
            try hooks.says("XTerm slowed no longer")
            #expect(try unit.weight == "50")
            #expect(try ControlTests.hooks(hooks, "resume").code == 0)
            try hooks.says("XTerm slowed (")
            #expect(try unit.weight == "10")
            try hooks.home.configure(Self.hook("idle", "initial = true"))
            try hooks.says("XTerm slowed no longer")
            try hooks.says("XTerm slowed (")
            #expect(try unit.weight == "idle")
            try hooks.home.configure("")
            try hooks.says("XTerm slowed no longer")
            #expect(try unit.weight == "50")
            try hooks.end()
            try unit.end(terminal)
        }

        /// A command beside it does not know what it holds but by its record.
        @Test(arguments: [true, false])
        func theLastOfTwoProcessesGivesTheWeightsBack(isCommandLast: Bool) throws {
            let (hooks, unit, terminal) = try Self.slowed()
            let command = try XPhase.start(
                ["on", "XTerm", "background", "--initial", "--do", "idle"], on: hooks.session.display,
                environment: hooks.home.environment)
            #expect(try command.errors.next()?.contains("XTerm slowed (") == true)
            #expect(try unit.weight == "idle")
            if !isCommandLast { try command.end(SIGTERM) }
            #expect(try hooks.end().contains { $0.hasSuffix("slowed no longer") } == !isCommandLast)
            if isCommandLast {
                #expect(try unit.weight == "idle")
                try command.end(SIGTERM)
            }
            #expect(try unit.weight == "50")
            #expect(try hooks.home.records().isEmpty)
            try unit.end(terminal)
        }

        /// Another application runs in it: neither that nor its weights are touched.
        @Test func aUnitThatIsNotItsOwnIsLeftAlone() throws {
            var unit: TestUnit?
            let hook = Self.hook("slow").replacing("\"slow\"", with: "[\"freeze\", \"slow\"]")
            let hooks = try HookSession(hook) { home, _ in unit = try TestUnit(home) }
            let group = try #require(unit)
            let terminal = try group.terminal(hooks.session)
            let other = try group.terminal(hooks.session, "-class", "Other")
            terminal.iconify()
            #expect(
                try hooks.says("XTerm").hasSuffix("XTerm is not slowed: it has no systemd unit of its own"))
            #expect(try hooks.says("XTerm").hasSuffix("XTerm frozen (2 processes)"))
            #expect(try terminal.isStopped && !other.isStopped)
            #expect(try Program.run("cat", ["\(group.path)/cgroup.freeze"]).output == ["0"])
            #expect(try group.weight == "50")
            try hooks.end()
            try other.program.end()
            try group.end(terminal)
        }

        /// Neither what is killed nor what takes the weights of that for its own keeps them.
        @Test func whatAKilledProcessHeldIsGivenBackByTheOneBesideIt() throws {
            let (hooks, unit, terminal) = try Self.slowed()
            try hooks.run.end(SIGKILL)
            let command = try XPhase.start(
                ["on", "XTerm", "background", "--initial", "--do", "slow"], on: hooks.session.display,
                environment: hooks.home.environment)
            #expect(try command.errors.next()?.contains("XTerm slowed (") == true)
            try command.end(SIGTERM)
            #expect(try unit.weight == "50")
            try unit.end(terminal)
        }

        /// The kernel may take its time: what opens the file that is read first does so for a minute.
        @Test func memoryThatIsTakenBackHoldsUpNoLeave() throws {
            var unit: TestUnit?
            let keys =
                "enter = [\"sh\", \"-c\", \"echo enter >> log\"]\nleave = [\"sh\", \"-c\", \"echo leave >> log\"]"
            let hooks = try HookSession(Self.hook("reclaim", keys)) { home, _ in unit = try TestUnit(home) }
            let group = try #require(unit)
            let terminal = try group.terminal(hooks.session)
            let file = "\(group.path)/memory.current"
            let slowness = try Program(
                "strace",
                [
                    "-f", "-qq", "-p", "\(hooks.run.pid)", "-P", file, "-e", "trace=openat", "-e",
                    "inject=openat:delay_enter=60s",
                ], package: "strace")
            #expect(try waitUntil { try hooks.run.status("TracerPid").hasSuffix("\t\(slowness.pid)") })
            terminal.iconify()
            try hooks.home.awaits(["enter"])
            #expect(
                try waitUntil {
                    try Program.run("ps", ["--ppid", "\(hooks.run.pid)", "-o", "args="], package: "procps")
                        .output.contains { $0.hasSuffix("---react") }
                })
            terminal.activate()
            try hooks.home.awaits(["enter", "leave"])
            #expect(try !hooks.end().contains { $0.contains("timed out") })
            try slowness.end()
            try group.end(terminal)
        }
    }
}
