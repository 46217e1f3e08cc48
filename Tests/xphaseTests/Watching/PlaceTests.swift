import TestDesktop
import Testing

extension DesktopTests {
    /// The monitor, desktop and extent of scenes.
    @Suite struct PlaceTests {
        private static func xrandr(_ session: Session, _ words: String...) throws {
            let result = try Program.run(
                "xrandr", words, package: "x11-xserver-utils", environment: session.display.environment)
            if result.code != 0 { throw Failure(result.errors.joined(separator: "; ")) }
        }

        /// Splits the 640x480 screen into two monitors, side by side.
        private static func splitScreen(_ session: Session) throws {
            try xrandr(session, "--setmonitor", "left", "320/80x480/120+0+0", "screen")
            try xrandr(session, "--setmonitor", "right", "320/80x480/120+320+0", "none")
        }

        private static func move(_ window: TestWindow, _ session: Session, _ words: String...) throws {
            _ = try Program.run(
                "wmctrl", ["-i", "-r", "\(window.id)"] + words, package: "wmctrl",
                environment: session.display.environment)
        }

        @Test func anotherMonitorOrExtentIsNoPhase() throws {
            let session = try Session(.openbox, settle: "100ms")
            try Self.splitScreen(session)
            let alpha = try session.open("Alpha")
            func place(_ action: () throws -> Void) throws -> String? {
                #expect(try session.settle(action).allSatisfy { $0.change != "phase" })
                return try session.list(["--level", "scene"]).first { $0.application == "Alpha" }
                    .map { "\($0.monitor ?? "-") \($0.extent ?? "-") \($0.to ?? "-")" }
            }
            let right = try place { try Self.move(alpha, session, "-e", "0,400,50,-1,-1") }
            #expect(right == "right window active")
            let left = try place { try Self.move(alpha, session, "-e", "0,20,50,-1,-1") }
            #expect(left == "left window active")
            #expect(try place { alpha.setState("FULLSCREEN", true) }?.hasSuffix("fullscreen active") == true)
            #expect(try place { alpha.setState("FULLSCREEN", false) } == "left window active")
            let list = try session.list(["--level", "scene"])
            #expect(
                list.contains { $0.application == "Alpha" && $0.monitor == "left" && $0.desktopName != nil })
            let explained = try XPhase.run(["explain", "Alpha"], on: session.display).output
            #expect(explained.contains { $0.contains("monitor") && $0.hasSuffix("left") })
        }

        @Test func aSubscriberGetsAnotherMonitorAndExtent() throws {
            let hooks = try HookSession(nil)
            let session = hooks.session
            try Self.splitScreen(session)
            let alpha = try session.open("Alpha")
            try session.settle { try Self.move(alpha, session, "-e", "0,20,50,-1,-1") }
            let client = try hooks.client(
                """
                filter = {"application": ["Alpha"], "level": ["scene"], "facts": True}
                peer = Client().send("org.xphase.Phases.Watch", more=True, filter=filter)
                for _ in range(3):
                    change = peer.reply()["parameters"]["change"]
                    say(change["change"], change["monitor"], change["extent"], change["to"])
                """)
            #expect(try client.output.next() == "initial left window active")
            try Self.move(alpha, session, "-e", "0,400,50,-1,-1")
            #expect(try client.output.next() == "facts right window active")
            alpha.setState("FULLSCREEN", true)
            #expect(try client.output.next()?.hasSuffix("fullscreen active") == true)
            try hooks.end()
        }

        /// A hook for one monitor, and the last active scene of each.
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
            #expect(try active("right").first?.hasPrefix("Marker") == true)
            withExtendedLifetime(beta) {}
            try hooks.end()
        }

        /// If no scene of a monitor was seen active, the topmost one stands for it.
        @Test func withoutRandRThereIsOneMonitorWithoutANameElseTheTopmostSceneStandsForOne() throws {
            let session = try Session(.openbox)
            try Self.splitScreen(session)
            let windows = try ["Alpha", "Beta"].map { try session.open($0, x: 400, y: 40) }
            let gamma = try session.open("Gamma", x: 20, y: 40)
            let mask = try ProxyDisplay(session.display, lacking: ["RANDR"])
            func active(_ options: String..., in environment: [String: String?]) throws -> [String] {
                try XPhase.run(
                    ["active", "--format", "{application} {monitor} {to}"] + options, on: nil,
                    environment: environment
                ).output
            }
            #expect(try active(in: mask.environment) == ["Gamma  active"])
            #expect(
                try active("--monitor", "right", in: session.display.environment) == ["Beta right inactive"])
            try session.settle { windows[1].iconify() }
            #expect(
                try active("--monitor", "right", in: session.display.environment) == ["Alpha right inactive"])
            withExtendedLifetime(gamma) {}
        }
    }
}
