import TestDesktop
import Testing

extension DesktopTests {
    /// The reasons why hooks of a running `xphase run` ran or did not run.
    @Suite struct WhyTests {
        private static let hooks =
            HookSession.hook("fails", "application = \"Alpha\"\nto = \"background\"", shell: "exit 3")
            + HookSession.hook(
                "stuck", "application = \"Alpha\"\nto = \"background\"\ntimeout = \"1s\"",
                shell: "exec sleep 60")
            + HookSession.pair("vetoed", "unless = [\"true\"]")
            + HookSession.pair("early", "after = \"1h\"")
            + HookSession.pair("both") + HookSession.pair("other").replacing("Alpha*", with: "Beta")

        @Test func eachHookReportsWhatLastBecameOfIt() throws {
            let hooks = try HookSession(Self.hooks)
            let window = try hooks.session.open("Alpha")
            // Alpha regains the focus.
            try hooks.session.settle { window.activate() }
            try hooks.session.settle { window.iconify() }
            try hooks.session.settle { window.activate() }
            func why(_ words: String...) throws -> [String] {
                let why = try XPhase.run(
                    ["hooks", "why"] + words, on: hooks.session.display, environment: hooks.home.environment)
                return why.output.map {
                    $0.replacing(/"time":"[-0-9T:.]+Z"/, with: "TIME").replacing(/[0-9:]{8}/, with: "TIME")
                        .replacing(/after [0-9.]+ s/, with: "in time").replacing(
                            /[0-9a-z.]+ ago/, with: "now")
                }
            }
            let expected = [
                "fails": [("ran", "run"), ("failed", "exit 3 in time")],
                "stuck": [("ran", "run"), ("timed-out", "timed out in time and was terminated")],
                "vetoed": [("vetoed", "'unless' ended with 0")],
                "both": [("ran", "enter"), ("ran", "leave")],
                "early": [("left-too-early", "background did not last for 1h")],
            ]
            for (name, events) in expected {
                let lines = ([("matched", "active → background, iconify")] + events).map { what, reason in
                    #"{"v":1,"hook":"\#(name)","application":"Alpha","what":"\#(what)",TIME,"reason":"\#(reason)"}"#
                }
                #expect(try waitUntil { try why(name, "--json") == lines }, "\(name)")
            }
            #expect(try why("other", "--json").isEmpty)
            let text = [
                "early: ready", "Alpha:",
                "  TIME  matched         active → background, iconify (now)",
                "  TIME  left too early  background did not last for 1h (now)",
            ]
            #expect(try why("early") == text && why("early", "--application", "alp*") == text)
            let nothing = "has matched this hook since 'xphase run' loaded it"
            #expect(
                try why("early", "--application", "Beta") == [text[0], "  no change of 'Beta' \(nothing)"])
            #expect(try why("other") == ["other: ready", "  no change \(nothing)"])
            let wrong = try hooks.xphase("hooks", "why", "erly")
            #expect(wrong.code == 64)
            #expect(wrong.errors.first == "xphase: there is no hook 'erly'; did you mean 'early'?")
            try hooks.end()
        }
    }
}
