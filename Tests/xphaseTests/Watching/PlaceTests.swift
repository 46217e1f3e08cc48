import TestDesktop
import Testing

/// The monitor and extent of scenes, on two monitors side by side.
struct PlaceTests {
    private static func splitScreen(_ session: Session) throws {
        try session.display.run("xrandr --setmonitor left 320/80x480/120+0+0 screen")
        try session.display.run("xrandr --setmonitor right 320/80x480/120+320+0 none")
    }

    private static func waitForActive(_ line: String, on monitor: String, _ session: Session) throws {
        let format = "--format {application}:{monitor}:{to} --empty none"
        func isActive() throws -> Bool {
            try session.run("active --monitor \(monitor) \(format)").output == [line]
        }
        #expect(try waitUntil(isActive), "\(line)")
    }

    /// A hook for one monitor, a subscriber to facts, and the last active scene of each monitor.
    @Test func hooksSubscribersAndTheActiveSceneGoByMonitor() throws {
        let hooks = try HookSession(
            HookSession.pair("pair", "level = \"scene\"\nmonitor = \"right\"").replacing(
                "\"background\"", with: "[\"active\", \"inactive\"]"))
        let session = hooks.session
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
        try session.open("Beta", x: 20, y: 30)
        try Self.waitForActive("Beta:left:active", on: "left", session)
        try Self.waitForActive("Alpha:right:inactive", on: "right", session)
        try Self.waitForActive("none", on: "other", session)
        #expect(try client.output.next() == "phase right window inactive")
        try session.settle { try move(x: 20) }
        try hooks.home.waitForLines(["enter pair", "leave pair"])
        #expect(try client.output.next() == "facts left window inactive")
        try hooks.end()
    }
}
