import FoundationEssentials
import TestDesktop
import Testing

/// Explanations of phases.
struct ExplainTests {
    private struct Object: Decodable {
        let kind: String
        let application, window, scene, phase, rule, source: String?
        let focused: Bool?
        let chain: [String]?
        let facts: [String: String?]?
    }

    private static func explain(_ subject: String, on session: Session) throws -> [Object] {
        try session.output("explain \(subject) --json").map {
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

        let objects = try Self.explain("alpha", on: session)
        #expect(objects.map(\.kind) == ["application", "window", "window", "session", "screen", "focus"])
        #expect(objects.map(\.application)[0] == "Alpha" && objects[0].scene == alpha.name)
        #expect(objects.map(\.phase).prefix(3) == ["active", "active", "background"])
        #expect(objects.map(\.rule)[1...2] == ["visible", "not-viewable"])
        #expect(objects[1].window == alpha.name && objects[1].focused == true)
        for (object, fact, value) in [
            (2, "WM_STATE", "Iconic"), (2, "WM_WINDOW_ROLE", "second"), (2, "_NET_WM_STATE", "HIDDEN"),
            (2, "map_state", "IsUnmapped"), (4, "_NET_WM_NAME", "Openbox"),
        ] { #expect(objects[object].facts?[fact] == value, "\(fact)") }
        #expect(objects[5].window == dialog.name && objects[5].source == "XGetInputFocus")
        #expect(objects[5].chain?.sorted() == [alpha.name, dialog.name].sorted())
    }

    @Test func aWindowThatIsNoSceneIsExplainedByItsIdAndOneThatIsNotThereExits1() throws {
        let session = try Session(.none)
        let alpha = session.window(.init("Alpha"))
        #expect(try session.output("explain \(alpha.name)").contains("\(alpha.name): no scene"))
        #expect(try Self.explain(alpha.name, on: session).first?.rule == "no-mapped-top-level")
        let reason = "there is no window 0x7777777 on this display, or it is a window manager's own"
        try session.expect("explain 0x7777777", code: 1, errors: ["xphase: \(reason)"])
    }
}

extension ExplainTests {
    @Test func aWindowInsideOfAClientsWindowIsExplainedAsItsScene() throws {
        let (stage, alpha) = try Stage.alpha(.none)
        let child = alpha.child(depth: 2)
        stage.client.sync()
        #expect(try stage.output("explain \(child)") == stage.output("explain \(alpha.name)"))
    }
}

/// Reports of `doctor` about the session, the service, and whether the display can be seen.
struct DoctorTests {
    @Test func doctorNamesWhatReportsTheSessionWhatTheServerLacksAndWhatTheManagerDoes() throws {
        let stage = try Stage(.none)
        let client = stage.client
        /// Expects lines that contain these texts, and none that contains another one.
        func expectDoctor(
            _ texts: [String], not others: [String] = [], on proxy: ProxyDisplay? = nil
        ) throws {
            let environment = stage.environment.merging(proxy?.environment ?? [:]) { $1 }
            let result = try XPhase.run(["doctor", "--verbose"], on: nil, environment: environment)
            #expect(result.code == 0)
            for text in texts { #expect(result.output.contains { $0.contains(text) }, "\(text)") }
            for text in others { #expect(!result.output.contains { $0.contains(text) }, "\(text)") }
        }
        let lacking = ["MIT-SCREEN-SAVER", "RANDR", "SYNC", "SHAPE"]
        try expectDoctor(
            [
                "MIT-SCREEN-SAVER a blank display is not reported", "RandR 1.5 monitors have no names",
                "SYNC idle times are not reported", "SHAPE every window counts as the whole of its rectangle",
            ].map { "Without \($0)" }, on: ProxyDisplay(stage.display, lacking: lacking))
        // The Wayland compositor handles locks, screen savers and idle times.
        let states = ["away by       ", "display-off by", "idle by       "]
        try expectDoctor(
            states.map { "  \($0)  nothing" } + [
                "  lock by         ActiveChanged", "This server is XWayland",
            ],
            on: ProxyDisplay(stage.display, lacking: [], replacing: ["XWAYLAND": "XINERAMA"]))
        try expectDoctor(
            [
                "  away by         nothing", "  lock by         override-redirect windows above",
                "  display-off by  MIT-SCREEN-SAVER, RandR 1.5",
                "  covered by      stacking order, geometry, shape", "  idle by         IDLETIME of SYNC",
                "Without XFree86_has_VT", "Without DPMS",
            ], not: ["A compositor runs"])
        client.setRoot("XFree86_has_VT", "INTEGER", [1])
        client.sync()
        try expectDoctor(["  away by         XFree86_has_VT"], not: ["Without XFree86_has_VT"])
        // A manager that locks without a window, and is a compositor.
        let check = TestWindow(client, .init(), colour: 0)
        for set in [check.setWords, client.setRoot] { set("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id]) }
        check.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("GNOME Shell".utf8))
        // IceWM sets the property itself only with its first window.
        client.setRoot("_NET_SUPPORTED", "ATOM", [client.atom("_NET_ACTIVE_WINDOW")])
        client.manage()
        client.own("_NET_WM_CM_S0", with: check)
        client.sync()
        try expectDoctor([
            "GNOME Shell draws its lock screen without a window", "A compositor runs",
            "  focused by      XGetInputFocus, _NET_ACTIVE",
        ])
    }

    /// The names of X11 appear only with --verbose.
    @Test func doctorAnswersWhatUsersAskFirstAndDoesNotBelieveWhatADeadManagerLeft() throws {
        let (hooks, terminal) = try DesktopTests.FreezeTests.frozenTerminal(isBusy: false)
        defer { withExtendedLifetime(terminal) {} }
        func expectDoctor(_ line: String, _ texts: String...) throws {
            let text = try hooks.session.run(line).output.joined(separator: "\n")
            #expect(text.contains("XGetInputFocus, ") == line.hasSuffix("--verbose"))
            for line in texts { #expect(text.contains(line), "\(line): \(text)") }
        }
        try expectDoctor(
            "doctor", "  service         runs for \(hooks.session.display.name)\n",
            "  configuration   1 hook from \(hooks.home.configurationFile)\n", "  frozen          XTerm\n",
            "  paused          none\n", "  reactions       freeze", "  follows         lock, ")
        try expectDoctor(
            "doctor --verbose", "  window manager  Openbox", "  managed by      _NET_CLIENT_LIST",
            "Phases can be trusted here.")
        try hooks.home.configure("journal = 1\npolicy = 2\n")
        try hooks.waitForMessage("policy")
        try expectDoctor("doctor", "  configuration   2 faults: see 'xphase hooks check'\n")
        try hooks.session.manager?.end()
        try expectDoctor(
            "doctor --verbose", "  window manager  none: no client holds SubstructureRedirect",
            "  supports        nothing", "were left by an earlier window manager and are ignored")
        try hooks.end()
    }
}
