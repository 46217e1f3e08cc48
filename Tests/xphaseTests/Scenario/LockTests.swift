import TestDesktop
import Testing

extension DesktopTests {
    /// A screen locker, as every command reports it.
    @Suite struct Lock {
        @Test func aLockerIsReportedByEveryCommandAndReactedTo() throws {
            let hooks = try HookSession(
                "occlusion = \"100ms\"\n"
                    + HookSession.hook(
                        "locked", "application = \"Alpha\"\ncause = \"lock\"\nafter = \"100ms\"",
                        shell: "echo $XPHASE_TO >> log"),
                manager: .openbox)
            let alpha = try hooks.session.open("Alpha")
            let display = hooks.session.display
            let locker = try Program("i3lock", ["--nofork"], environment: display.environment)
            let fall = try hooks.session.applicationLine("Alpha", to: "background") {}
            // The window of the locker also covers all others, for longer than the occlusion time.
            #expect(fall.cause == "lock" && fall.from == "active")
            #expect(try waitUntil { try hooks.home.lines("log") == ["background"] })

            #expect(try XPhase.run(["phase", "alpha"], on: display).output == ["background"])
            #expect(try XPhase.run(["phase", "alpha", "--occlusion"], on: display).output == ["background"])
            #expect(
                try XPhase.run(["phase", "alpha", "--session", "none"], on: display).output == ["active"])
            #expect(try hooks.session.phase(of: alpha) == "background")
            #expect(try XPhase.run(["wait", "alpha", "background"], on: display).code == 0)
            let text = try XPhase.run(["explain", "alpha", "--occlusion"], on: display).output
            let sentence = text.first { $0.hasPrefix("  locked by 0x") } ?? ""
            #expect(sentence.contains(" (i3lock, running since "), "\(text)")
            #expect(sentence.contains("), keyboard grabbed"))

            try locker.end()
            let rise = try hooks.session.applicationLine("Alpha", to: "active") {}
            #expect(rise.cause == "unlock" && rise.from == "background")
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["background"])
        }

        /// For example, a game, which also covers the focused window.
        @Test func aWindowOverEverythingIsNoLockForAnyCommandWhileTheKeyboardIsFree() throws {
            let session = try Session(.openbox, ["--level", "application"])
            let alpha = try session.open("Alpha")
            try session.open("Beta", x: 300)
            var properties = TestWindow.Properties("Game")
            properties.isOverrideRedirect = true
            let game = session.window(properties, x: 0, y: 0, width: 640, height: 480)
            #expect(try session.applications { game.map() } == [])
            #expect(try XPhase.run(["phase", "beta"], on: session.display).output == ["active"])
            let text = try XPhase.run(["explain", "beta"], on: session.display).output
            #expect(text.contains { $0.hasPrefix("  keyboard grabbed ") && $0.hasSuffix(" no") })
            // The lock state is not read here, but the window still has a name.
            let arguments = ["explain", alpha.name, "--occlusion", "--session", "none"]
            let covered = try XPhase.run(arguments, on: session.display).output
            #expect(covered.contains("  covered: all of its 30,000 px are hidden by \(game.name) Game"))
            session.client.grabKeyboard()
            #expect(try XPhase.run(["phase", "beta"], on: session.display).output == ["background"])
        }

        @Test func whatIsFollowedNoLongerAfterAReloadHasNotEnded() throws {
            let hooks = try HookSession(
                HookSession.hook("noted", "cause = \"idle\"", shell: "true"),
                ["--level", "application", "--idle", "1h"])
            try hooks.session.open("Alpha")
            hooks.session.client.setRoot("XFree86_has_VT", "INTEGER", [0])
            try hooks.session.applicationLine("Alpha", to: "background") {}
            let rise = try hooks.session.applicationLine("Alpha", to: "active") {
                try hooks.home.configure("session = \"none\"\n")
            }
            #expect(rise.cause == "resync")
            // The options of the command line stay in effect.
            #expect(try !hooks.end().contains { $0.contains("never reported") })
        }

        @Test func thousandsOfWindowsOverEverythingAreFollowedAndChangesAreReported() throws {
            let session = try Session(.none, ["--level", "application"])
            let alpha = try session.open("Alpha")
            try session.applicationLine("Alpha", to: "active") { session.client.setFocus(alpha.id) }
            let before = try Self.memory(of: session.watch)
            // The windows are beside the screen, since the server is slow with overlapping ones.
            for _ in 0..<10_000 { session.client.queueLockerCandidate(x: 700, width: 640, height: 480) }
            session.client.sync()
            try session.settle()
            session.client.grabKeyboard()
            let blur = try session.applicationLine("Alpha", to: "inactive") {
                session.client.setFocus(session.marker.id)
            }
            #expect(blur.cause == "blur")
            #expect(try Self.memory(of: session.watch) - before < 16_384)
        }

        /// Returns the resident memory in KiB.
        private static func memory(of program: Program) throws -> Int {
            let words = try program.status("VmRSS").split(separator: " ")
            return words.first.flatMap { Int($0) } ?? .max
        }
    }
}
