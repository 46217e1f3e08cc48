import TestDesktop
import Testing

extension DesktopTests {
    /// On which monitor and desktop scenes are, and how much of it they take.
    @Suite struct PlaceTests {
        private static func xrandr(_ session: Session, _ words: String...) throws {
            let result = try Program.run(
                "xrandr", words, package: "x11-xserver-utils", environment: session.display.environment)
            if result.code != 0 { throw Failure(result.errors.joined(separator: "; ")) }
        }

        /// Two monitors, side by side on 640x480.
        private static func splitScreen(_ session: Session) throws {
            try xrandr(session, "--setmonitor", "left", "320/80x480/120+0+0", "screen")
            try xrandr(session, "--setmonitor", "right", "320/80x480/120+320+0", "none")
        }

        private static func move(_ window: TestWindow, _ session: Session, _ words: String...) throws {
            _ = try Program.run(
                "wmctrl", ["-i", "-r", "\(window.id)"] + words, package: "wmctrl",
                environment: session.display.environment)
        }

        @Test func anotherMonitorOrExtentIsALineAndNoPhase() throws {
            let session = try Session(.openbox, ["--facts"], settle: "100ms")
            try Self.splitScreen(session)
            let alpha = try session.open("Alpha")
            func places(_ action: () throws -> Void) throws -> [String] {
                try session.settle(action).filter { $0.change == "facts" && $0.application == "Alpha" }
                    .map { "\($0.monitor ?? "-") \($0.extent ?? "-") \($0.to ?? "-")" }
            }
            #expect(
                try places { try Self.move(alpha, session, "-e", "0,400,50,-1,-1") }.last
                    == "right window active")
            #expect(
                try places { try Self.move(alpha, session, "-e", "0,20,50,-1,-1") }.last
                    == "left window active")
            #expect(
                try places { alpha.setState("FULLSCREEN", true) }.last?.hasSuffix(
                    "fullscreen active") == true)
            #expect(
                try places { alpha.setState("FULLSCREEN", false) }.last == "left window active")
            let list = try session.list(["--level", "scene"])
            #expect(
                list.contains { $0.application == "Alpha" && $0.monitor == "left" && $0.desktopName != nil })
            let explained = try XPhase.run(["explain", "Alpha"], on: session.display).output
            #expect(explained.contains { $0.contains("monitor") && $0.hasSuffix("left") })
        }

        /// A hook for one monitor, and the last scene of each.
        @Test func hooksAndTheActiveSceneGoByMonitor() throws {
            let hooks = try HookSession(
                HookSession.pair("pair", "level = \"scene\"\nmonitor = \"right\"").replacing(
                    "\"background\"", with: "[\"active\", \"inactive\"]"))
            let session = hooks.session
            try Self.splitScreen(session)
            let alpha = try session.open("Alpha")
            try session.settle { try Self.move(alpha, session, "-e", "0,400,50,-1,-1") }
            try hooks.home.waitForLines(["enter pair"])
            let beta = try session.open("Beta", x: 20, y: 30)
            func active(_ monitor: String) throws -> [String] {
                try XPhase.run(
                    [
                        "active", "--monitor", monitor, "--format", "{application} {monitor} {to}", "--empty",
                        "none",
                    ],
                    on: session.display, environment: hooks.home.environment
                ).output
            }
            #expect(try waitUntil { try active("left") == ["Beta left active"] })
            #expect(try active("right") == ["Alpha right inactive"])
            #expect(try active("other") == ["none"])
            try session.settle { try Self.move(alpha, session, "-e", "0,20,50,-1,-1") }
            try hooks.home.waitForLines(["enter pair", "leave pair"])
            #expect(try active("right") == ["none"])
            withExtendedLifetime(beta) {}
            try hooks.end()
        }
    }
}
