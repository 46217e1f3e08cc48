import TestDesktop
import Testing

extension DesktopTests {
    /// The monitor and extent of scenes.
    @Suite struct PlaceTests {
        /// Splits the 640x480 screen into two monitors, side by side.
        private static func splitScreen(_ session: Session) throws {
            try session.display.run("xrandr --setmonitor left 320/80x480/120+0+0 screen")
            try session.display.run("xrandr --setmonitor right 320/80x480/120+320+0 none")
        }

        private static func active(_ monitor: String, _ environment: [String: String?]) throws -> [String] {
            let format = ["--format", "{application} {monitor} {to}", "--empty", "none"]
            return try Program.run(
                XPhase.path, ["active", "--monitor", monitor] + format, environment: environment
            ).output
        }

        /// A hook for one monitor, a subscriber to facts, and the last active scene of each monitor.
        @Test func hooksSubscribersAndTheActiveSceneGoByMonitor() throws {
            let hooks = try HookSession(
                HookSession.pair("pair", "level = \"scene\"\nmonitor = \"right\"").replacing(
                    "\"background\"", with: "[\"active\", \"inactive\"]"))
            let session = hooks.session
            let environment = session.display.environment.merging(hooks.home.environment) { $1 }
            try Self.splitScreen(session)
            let alpha = try session.open("Alpha", x: 20, y: 50)
            let client = try hooks.client(
                """
                filter = {"application": ["Alpha"], "level": ["scene"], "facts": True}
                peer = Client().send("org.xphase.Phases.Watch", more=True, filter=filter)
                for _ in range(4):
                    change = peer.reply()["parameters"]["change"]
                    say(change["change"], change["monitor"], change["extent"], change["to"])
                """)
            #expect(try client.output.next() == "initial left window active")
            func move(x: Int) throws {
                try session.display.run("wmctrl -i -r \(alpha.id) -e 0,\(x),50,-1,-1")
            }
            try move(x: 400)
            #expect(try client.output.next() == "facts right window active")
            try hooks.home.waitForLines(["enter pair"])
            let beta = try session.open("Beta", x: 20, y: 30)
            #expect(try waitUntil { try Self.active("left", environment) == ["Beta left active"] })
            #expect(try waitUntil { try Self.active("right", environment) == ["Alpha right inactive"] })
            #expect(try Self.active("other", environment) == ["none"])
            #expect(try client.output.next() == "phase right window inactive")
            try session.settle { try move(x: 20) }
            try hooks.home.waitForLines(["enter pair", "leave pair"])
            #expect(try client.output.next() == "facts left window inactive")
            #expect(try Self.active("right", environment).first?.hasPrefix("Marker") == true)
            withExtendedLifetime(beta) {}
            try hooks.end()
        }

        @Test func whereNoSceneOfAMonitorWasSeenActiveTheTopmostStandsForIt() throws {
            let session = try Session(.openbox)
            try Self.splitScreen(session)
            let windows = try ["Alpha", "Beta"].map { try session.open($0, x: 400, y: 40) }
            let gamma = try session.open("Gamma", x: 20, y: 40)
            #expect(try Self.active("right", session.display.environment) == ["Beta right inactive"])
            try session.settle { windows[1].iconify() }
            #expect(try Self.active("right", session.display.environment) == ["Alpha right inactive"])
            withExtendedLifetime(gamma) {}
        }
    }
}
