import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Hooks on the session, on a desktop without windows.
    @Suite struct SessionHookTests {
        /// Returns a pair that writes its part, the state and the cause to the log, and keeps the line of `enter`.
        private static func pair(_ states: String, _ keys: String = "") -> String {
            """
            [[hook]]
            name = "vault"
            session = \(states)
            enter = ["sh", "-c", "cat > line; echo enter $XPHASE_SESSION $XPHASE_CAUSE >> log"]
            leave = ["sh", "-c", "echo leave $XPHASE_SESSION $XPHASE_CAUSE >> log"]
            \(keys)

            """
        }

        /// A display on which a test locks the screen.
        private struct LockedStage {
            let stage: Stage
            let locker: TestWindow
            private(set) var service: Program
            var home: HookHome { stage.home }

            init(_ configuration: String) throws {
                stage = try Stage(.openbox, configuration)
                var properties = TestWindow.Properties("Locker")
                properties.isOverrideRedirect = true
                locker = stage.window(properties, x: 0, y: 0, width: 640, height: 480)
                service = try stage.start("run")
                try waitForService()
            }

            private func waitForService() throws {
                let isThere = try waitUntil { try stage.run("hooks status --json").code == 0 }
                if !isThere { throw Failure("the service does not answer: \(try service.errors.rest())") }
                // It answers before its first reading, and what that finds is not a beginning.
                _ = try stage.output("wait --sync")
            }

            mutating func restart() throws {
                service = try stage.start("run")
                try waitForService()
            }

            func lock() {
                locker.map()
                stage.client.grabKeyboard()
            }

            func unlock() {
                stage.client.releaseKeyboard()
                locker.withdraw()
            }
        }

        @Test func aLockRunsAPairOnceWithoutAnyWindow() throws {
            let locked = try LockedStage(
                Self.pair("'lock'") + "[[hook]]\nname = 'note'\nsession = 'lock'\n"
                    + "shell = 'echo $XPHASE_SESSION >> notes'\n")
            let (stage, home) = (locked.stage, locked.home)
            locked.lock()
            try home.waitForLines(["enter lock lock"])
            try home.waitForLines(["lock"], in: "notes")
            let line = try home.lines("line").joined()
            #expect(
                line.contains(
                    #""kind":"notice","notice":"session","text":"locked: a window of Locker covers"#))
            let words = try stage.output("hooks vault")
            #expect(words.contains("  while the screen is locked, from the next time on"))
            #expect(words.last?.hasPrefix("  now: session: entered since ") == true, "\(words)")
            let json = try stage.output("hooks status vault --json").joined()
            #expect(json.contains(#""state":"entered","application":null,"subject":"session""#))
            let why = try stage.output("hooks why vault")
            #expect(
                why.dropFirst().first == "session:" && why.contains { $0.contains("matched         lock (") })
            #expect(
                try stage.output("hooks why vault --json").joined().contains(
                    #""application":null,"what":"ran""#))

            _ = try stage.output("hooks pause vault")
            try home.waitForLines(["enter lock lock", "leave lock resync"])
            _ = try stage.output("hooks resume vault")
            try home.waitForLines(["enter lock lock", "leave lock resync", "enter lock lock"])
            locked.unlock()
            try home.waitForLines([
                "enter lock lock", "leave lock resync", "enter lock lock", "leave lock unlock",
            ])
            #expect(try home.lines("notes") == ["lock"])
        }

        @Test func afterACrashWhileTheScreenIsLockedTheNextStartLeaves() throws {
            var locked = try LockedStage(Self.pair("'lock'"))
            locked.lock()
            try locked.home.waitForLines(["enter lock lock"])
            try locked.service.end(SIGKILL)
            // The hook need not exist any longer.
            try locked.home.configure("")
            try locked.restart()
            try locked.home.waitForLines(["enter lock lock", "leave lock resync"])
            #expect(try waitUntil { try locked.home.records().isEmpty })
            // What is found at the start counts only for `initial`.
            try locked.home.configure(Self.pair("'lock'", "initial = true"))
            try locked.home.waitForLines(["enter lock lock", "leave lock resync", "enter lock lock"])
            try locked.service.end(SIGTERM)
            #expect(try locked.home.lines("log").last == "leave lock resync")
            try locked.restart()
            #expect(try waitUntil { try locked.home.lines("log").count == 5 })
            locked.unlock()
            #expect(try waitUntil { try locked.home.lines("log").last == "leave lock unlock" })
        }

        @Test func anIdleUserRunsAPairUntilTheNextKey() throws {
            let stage = try Stage(.none, "idle = '1s'\n" + Self.pair("['idle', 'lock']"))
            let service = try stage.start("run")
            #expect(try waitUntil { try stage.run("hooks status --json").code == 0 })
            // The user may have been idle at the start, which does not count.
            try stage.display.run("xdotool key a")
            #expect(try waitUntil { try stage.home.lines("log").last == "enter idle idle" })
            try stage.display.run("xdotool key a")
            #expect(try waitUntil { try stage.home.lines("log").contains("leave idle return") })
            withExtendedLifetime(service) {}
        }

        /// `hooks fire` needs neither a service nor a lock.
        @Test(arguments: [
            ("", 0, ["enter lock lock"]), ("lock", 0, ["enter lock lock"]),
            ("return", 0, ["leave idle return"]),
            ("display-off", 64, []), ("lock active", 64, []),
        ])
        func fireTakesACause(words: String, code: Int32, lines: [String]) throws {
            let home = try HookHome(Self.pair("['lock', 'idle']"))
            let result = try home.run("hooks fire vault \(words)")
            #expect(result.code == code, "\(result)")
            #expect(try home.lines("log") == lines)
            if code != 0 {
                #expect(
                    result.errors.joined().contains("write one of lock, unlock, idle, return behind its name")
                )
            }
        }

        @Test func fireProposesThePhaseThatTheHookWaitsFor() throws {
            let hooks = [
                ("to = 'closed'\nrun = ['true']", "closed"), ("run = ['true']", "background"),
                ("while = ['inactive', 'active']\nenter = ['true']\nleave = ['true']", "active"),
            ]
            for (keys, phase) in hooks {
                let home = try HookHome("[[hook]]\nname = 'h'\napplication = 'mousepad'\n\(keys)\n")
                let result = try home.run("hooks fire h")
                let errors = result.errors.joined()
                #expect(errors.contains(": xphase hooks fire h mousepad \(phase)"), "\(result)")
            }
        }

        @Test func fireNamesThePartOfThePairThatItRuns() throws {
            let home = try HookHome(
                "[[hook]]\nname = 'vault'\nsession = 'lock'\nenter = ['true']\nleave = ['false']\n")
            #expect(
                try home.run("hooks fire vault").errors == ["xphase: hook 'vault': enter for session, lock"])
            let leave = try home.run("hooks fire vault unlock").errors
            #expect(leave.first == "xphase: hook 'vault': leave for session, unlock")
            #expect(leave.last?.hasPrefix("xphase: hook 'vault': leave: exit 1 after ") == true, "\(leave)")
        }

        @Test func fireSaysWhatIsMissingForAnApplication() throws {
            let home = try HookHome(HookSession.pair())
            for (words, text) in [("", "<app> and <phase> are missing"), (" mpv", "<phase> is missing")] {
                let result = try home.run("hooks fire pair" + words)
                #expect(result.code == 64 && result.errors.joined().contains(text), "\(result)")
            }
        }
    }
}
