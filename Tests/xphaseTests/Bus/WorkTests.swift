import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Programs that are not frozen while they work.
    @Suite struct WorkTests {
        /// The example saves to a pipe: it works until the test reads.
        @Test func aProgramInTheBackgroundIsFrozenOnceItHasSaved() throws {
            let hooks = try HookSession(
                FreezeTests.hook("after = \"2s\"").replacing("XTerm", with: "OwnPhases"))
            let pipe = "\(hooks.home.path)/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let example = try ProgramWindow(
                hooks.session, try Examples.ownPhases(), [pipe], application: "OwnPhases",
                environment: hooks.home.environment)
            example.iconify()
            let line = try hooks.waitForMessage("not run for OwnPhases")
            #expect(line.contains("OwnPhases: it is busy: saving; checked again every "))
            let status = try XPhase.run(
                ["hooks", "status"], on: hooks.session.display, environment: hooks.home.environment)
            #expect(status.output.contains { $0.contains("it is busy: saving") }, "\(status)")
            #expect(try FreezeTests.runs(example))
            #expect(try Program.run("cat", [pipe]).output == ["saved"])
            try hooks.waitForMessage("OwnPhases frozen (")
            #expect(try FreezeTests.isFrozen(example))
            try hooks.end()
        }

        /// Nothing but the service's socket is used: without a service, the directory of the sockets is not made.
        @Test func withoutAServiceTheWorkIsJustDone() throws {
            let session = try Session(.openbox)
            let home = try HookHome()
            let file = "\(home.path)/saved"
            let example = try ProgramWindow(
                session, try Examples.ownPhases(), [file], application: "OwnPhases",
                environment: home.environment)
            example.iconify()
            #expect(try waitUntil { try Program.run("cat", [file]).output == ["saved"] })
            #expect(access("\(home.path)/runtime/xphase", F_OK) == -1)
        }

        /// A child of a terminal works for some time. Its name is bounded and escaped.
        private static func worker(
            _ hooks: HookSession, _ lines: String
        ) throws -> ProgramWindow {
            let script = try hooks.home.folder.write("worker.py", HookSession.prelude + lines)
            return try ProgramWindow(
                hooks.session, "xterm", ["-e", PyPI.python, script, hooks.address], package: "xterm",
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
                say(Client().call("org.xphase.Hooks.Work", name="save"))
                peer = Client()
                peer.send("org.xphase.Hooks.Work", more=True)
                say(peer.reply()["error"])
                """)
            #expect(
                lines == [
                    "{} True", "{} None",
                    "{'error': 'org.varlink.service.ExpectedMore', 'parameters': {}}",
                    "org.varlink.service.InvalidParameter",
                ])
            #expect(try FreezeTests.isFrozen(terminal))
            try hooks.end()
        }
    }
}

/// The programs in packaging/examples. packaging/test builds them.
enum Examples {
    static func ownPhases() throws -> String {
        guard let path = getenv("XPHASE_EXAMPLE").map({ String(cString: $0) }) else {
            throw Failure("XPHASE_EXAMPLE does not name the example: packaging/test builds it and does so")
        }
        return path
    }
}
