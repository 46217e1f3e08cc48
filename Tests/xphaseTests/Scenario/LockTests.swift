import TestDesktop
import Testing

extension DesktopTests {
    /// A locked screen, as every command reports it. `PhaseWatchTests` has the real lockers.
    @Suite struct Lock {
        @Test func aLockerIsReportedByEveryCommandAndReactedTo() throws {
            let hooks = try HookSession(
                "occlusion = \"100ms\"\n"
                    + HookSession.hook(
                        "locked", "application = \"Alpha\"\ncause = \"lock\"\nafter = \"100ms\"",
                        shell: "echo $XPHASE_TO >> log"),
                manager: .openbox)
            let session = hooks.session
            let alpha = try session.open("Alpha")
            let display = session.display
            var properties = TestWindow.Properties("Locker")
            properties.isOverrideRedirect = true
            let locker = session.window(properties, x: 0, y: 0, width: 640, height: 480)
            // Without the keyboard, it may be a game.
            #expect(try session.applications { locker.map() } == [])
            #expect(try XPhase.run(["phase", "alpha"], on: display).output == ["active"])
            let free = try XPhase.run(["explain", "alpha"], on: display).output
            #expect(free.contains { $0.hasPrefix("  keyboard grabbed ") && $0.hasSuffix(" no") })

            let fall = try session.applicationLine("Alpha", to: "background") {
                session.client.grabKeyboard()
            }
            // The window of the locker also covers all others, for longer than the occlusion time.
            #expect(fall.cause == "lock" && fall.from == "active")
            #expect(try waitUntil { try hooks.home.lines("log") == ["background"] })

            #expect(try XPhase.run(["phase", "alpha"], on: display).output == ["background"])
            let rules = try HookHome("session = 'none'")
            let other = try XPhase.run(["phase", "alpha"], on: display, environment: rules.environment)
            #expect(other.output == ["active"])
            #expect(try session.phase(of: alpha) == "background")
            #expect(try XPhase.run(["wait", "alpha", "background"], on: display).code == 0)
            let text = try XPhase.run(["explain", "alpha"], on: display).output
            let sentence = text.first { $0.hasPrefix("  locked by \(locker.name) ") } ?? ""
            #expect(sentence.contains(", keyboard grabbed"), "\(text)")

            let rise = try session.applicationLine("Alpha", to: "active") { locker.destroy() }
            #expect(rise.cause == "unlock" && rise.from == "background")
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["background"])
        }
    }
}
