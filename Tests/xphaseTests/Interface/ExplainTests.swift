import FoundationEssentials
import TestDesktop
import Testing

extension DesktopTests {
    /// Explanations of phases, and of the capabilities of a display.
    @Suite struct Explaining {
        private struct Object: Decodable {
            var kind: String
            var application: String?
            var window: String?
            var scene: String?
            var phase: String?
            var rule: String?
            var focused: Bool?
            var source: String?
            var chain: [String]?
            var facts: [String: String?]?
        }

        private static func explain(_ subject: String, on display: VirtualDisplay) throws -> [Object] {
            try XPhase.run(["explain", subject, "--json"], on: display).output.map {
                try JSONDecoder().decode(Object.self, from: Data($0.utf8))
            }
        }

        @Test func everyFactTheRuleAndTheFocusAreReported() throws {
            let session = try Session(.openbox)
            let alpha = try session.open("Alpha", x: 20)
            let other = try session.open("Alpha", x: 300)
            other.setBytes("WM_WINDOW_ROLE", "STRING", Array("second".utf8))
            try session.settle { other.iconify() }
            var properties = TestWindow.Properties("Picker")
            properties.transientFor = alpha.id
            let dialog = try session.open(properties, x: 60, y: 60)

            let objects = try Self.explain("alpha", on: session.display)
            #expect(objects.map(\.kind) == ["application", "window", "window", "session", "screen", "focus"])
            #expect(objects[0].application == "Alpha" && objects[0].phase == "active")
            #expect(objects[0].scene == alpha.name)
            #expect(objects[1].window == alpha.name && objects[1].rule == "visible")
            #expect(objects[1].focused == true)
            #expect(objects[2].phase == "background" && objects[2].rule == "not-viewable")
            #expect(objects[2].facts?["WM_STATE"] == "Iconic")
            #expect(objects[2].facts?["WM_WINDOW_ROLE"] == "second")
            #expect(objects[2].facts?["_NET_WM_STATE"] == "HIDDEN")
            #expect(objects[2].facts?["map_state"] == "IsUnmapped")
            #expect(objects[4].facts?["_NET_WM_NAME"] == "Openbox")
            #expect(objects[5].window == dialog.name && objects[5].source == "XGetInputFocus")
            #expect(objects[5].chain?.sorted() == [alpha.name, dialog.name].sorted())
        }

        @Test func aWindowThatIsNoSceneIsExplainedByItsIdAndOneThatIsNotThereExits1() throws {
            let session = try Session(.none)
            let alpha = session.window(.init("Alpha"))
            let result = try XPhase.run(["explain", alpha.name], on: session.display)
            #expect(result.output.contains("\(alpha.name): no scene"))
            #expect(try Self.explain(alpha.name, on: session.display).first?.rule == "no-mapped-top-level")
            let reason = "there is no window 0x7777777 on this display, or it is a window manager's own"
            try XPhase.expect(
                ["explain", "0x7777777"], on: session.display, code: 1, errors: ["xphase: \(reason)"])
        }

        /// The names of X11 appear only with --verbose.
        @Test func doctorAnswersWhatUsersAskFirst() throws {
            let (hooks, terminal) = try FreezeTests.frozenTerminal(isBusy: false)
            defer { withExtendedLifetime(terminal) {} }
            func doctor() throws -> [String] {
                try XPhase.run(["doctor"], on: hooks.session.display, environment: hooks.home.environment)
                    .output
            }
            let lines = try doctor()
            #expect(lines.first == "  service         runs for \(hooks.session.display.name)")
            let rows = [
                "  configuration   1 hook from \(hooks.home.configurationFile)", "  frozen          XTerm",
                "  paused          none",
            ]
            #expect(rows.allSatisfy(lines.contains), "\(lines)")
            #expect(lines.contains { $0.hasPrefix("  reactions       freeze") })
            #expect(lines.contains { $0.hasPrefix("  follows         lock, ") })
            #expect(!lines.contains { $0.contains("XGetInputFocus, ") })
            try hooks.home.configure("journal = 1\npolicy = 2\n")
            #expect(
                try waitUntil {
                    try doctor().contains("  configuration   2 faults: see 'xphase hooks check'")
                })
            try hooks.end()
        }

        @Test func doctorExits1InAWaylandSession() throws {
            let display = try VirtualDisplay()
            let result = try XPhase.run(
                ["doctor"], on: display, environment: ["WAYLAND_DISPLAY": "wayland-0"])
            #expect(result.code == 1)
            #expect(result.errors.isEmpty)
            #expect(result.output.contains { $0.contains("Native Wayland windows are not seen") })
            #expect(result.output.last == "Phases cannot be trusted here.")
        }
    }
}
