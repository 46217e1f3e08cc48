import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Programs that are not frozen while they work.
    @Suite struct WorkTests {
        /// A child of a terminal works for some time. Its name is bounded and escaped.
        private static func worker(
            _ hooks: HookSession, _ lines: String
        ) throws -> ProgramWindow {
            let script = try hooks.home.folder.write("worker.py", HookSession.prelude + lines)
            return try ProgramWindow(
                hooks.session, "xterm", ["-e", "python3", script, hooks.address], package: "xterm",
                application: "XTerm", environment: hooks.home.environment)
        }

        /// Also a freeze by hand is refused meanwhile.
        @Test func theWorkOfAChildCountsUntilItsTimeLimit() throws {
            let hooks = try HookSession(FreezeTests.hook())
            let terminal = try Self.worker(
                hooks,
                """
                peer = Client()
                peer.send("org.xphase.Hooks.Work", more=True, name="e" + "\\u0301" * 1000 + "\\033", milliseconds=5000)
                while peer.reply(): pass
                time.sleep(60)
                """)
            let name = "e" + String(repeating: "\u{301}", count: 63)
            terminal.iconify()
            #expect(try hooks.waitForMessage("not run for XTerm").contains(": it is busy: \(name); checked"))
            let byHand = try XPhase.run(
                ["freeze", "XTerm"], on: hooks.session.display, environment: hooks.home.environment)
            #expect(byHand.code != 0 && byHand.errors == ["xphase: XTerm is not frozen: it is busy: \(name)"])
            try hooks.waitForMessage("XTerm frozen (")
            try hooks.end()
        }

        /// Another program has continued a child of the frozen application.
        @Test func aCallFromAFrozenApplicationThawsIt() throws {
            let hooks = try HookSession(FreezeTests.hook())
            let pipe = "\(hooks.home.path)/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let terminal = try Self.worker(
                hooks,
                """
                import os
                open("\(hooks.home.path)/pid", "w").write(str(os.getpid()))
                open("\(pipe)").read()
                peer = Client().send("org.xphase.Hooks.Work", more=True, name="saving")
                time.sleep(60)
                """)
            terminal.iconify()
            try hooks.waitForMessage("XTerm frozen (")
            let number = try #require(pid_t(hooks.home.folder.text(of: "pid")))
            #expect(kill(number, SIGCONT) == 0)
            _ = try Program.run("sh", ["-c", "echo > '\(pipe)'"])
            #expect(try hooks.waitForMessage("thawed").hasSuffix("XTerm thawed: it has work to finish"))
            try hooks.end()
        }

        /// A caller without windows changes nothing.
        @Test func theTimeIsLimitedAndTheParametersAreChecked() throws {
            let (hooks, terminal) = try FreezeTests.frozenTerminal(isBusy: false)
            let lines = try hooks.runClient(
                """
                peer = Client()
                peer.send("org.xphase.Hooks.Work", more=True, name="x", milliseconds=-(1 << 62))
                for _ in "12":
                    reply = peer.reply()
                    say(reply["parameters"], reply.get("continues"))
                say(Client().call("org.xphase.Hooks.Work", name="save")["error"])
                peer = Client()
                peer.send("org.xphase.Hooks.Work", more=True)
                say(peer.reply()["error"])
                """)
            #expect(
                lines == [
                    "{} True", "{} None", "org.varlink.service.ExpectedMore",
                    "org.varlink.service.InvalidParameter",
                ])
            #expect(try FreezeTests.isFrozen(terminal))
            try hooks.end()
        }
    }
}
