import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The reasons why hooks of a running `xphase run` ran or did not run.
    @Suite struct WhyTests {
        private static let hooks =
            HookSession.hook("slow", shell: "sleep 3")
            + HookSession.hook("fails", "application = \"Alpha\"\nto = \"background\"", shell: "exit 3")
            + HookSession.hook(
                "stuck", "application = \"Alpha\"\nto = \"background\"\ntimeout = \"1s\"",
                shell: "exec sleep 60")
            + HookSession.pair("vetoed", "unless = [\"true\"]")
            + HookSession.pair("early", "after = \"1h\"")
            + FreezeTests.hook().replacing("XTerm", with: "X*")
            + HookSession.pair("other").replacing("Alpha*", with: "Beta")

        /// Returns the lines of `hooks why --json` without their times.
        private static func events(_ hooks: HookSession, _ name: String) throws -> [String] {
            try hooks.xphase("hooks", "why", name, "--json").output.map {
                $0.replacing(/"time":"[-0-9T:.]+Z"/, with: "TIME").replacing(
                    /after [0-9.]+ s/, with: "in time")
            }
        }

        private static func line(
            _ hook: String, _ what: String, _ reason: String, of application: String = "Alpha"
        )
            -> String
        {
            #"{"v":1,"hook":"\#(hook)","application":"\#(application)","what":"\#(what)",TIME,"reason":"\#(reason)"}"#
        }

        @Test func eachHookReportsWhatLastBecameOfIt() throws {
            let hooks = try HookSession(Self.hooks)
            let window = try hooks.session.open("Alpha")
            let terminal = try ProgramWindow.terminal(hooks.session)
            // Alpha regains the focus.
            try hooks.session.settle { window.activate() }
            try hooks.session.settle { terminal.iconify() }
            try hooks.session.settle { window.iconify() }
            try hooks.session.settle { window.activate() }
            let hidden = "active → background, iconify"
            let expected = [
                "fails": [
                    Self.line("fails", "matched", hidden), Self.line("fails", "ran", "run"),
                    Self.line("fails", "failed", "exit 3 in time"),
                ],
                "stuck": [
                    Self.line("stuck", "matched", hidden), Self.line("stuck", "ran", "run"),
                    Self.line("stuck", "timed-out", "timed out in time and was terminated"),
                ],
                "vetoed": [
                    Self.line("vetoed", "matched", hidden),
                    Self.line("vetoed", "vetoed", "'unless' ended with 0"),
                ],
                "early": [
                    Self.line("early", "matched", hidden),
                    Self.line("early", "left-too-early", "background did not last for 1h"),
                ],
                "other": [],
            ]
            for (name, lines) in expected {
                var reported: [String] = []
                _ = try waitUntil {
                    reported = try Self.events(hooks, name)
                    return reported == lines
                }
                #expect(reported == lines, "\(name)")
            }
            // The hook runs for 3 s, and only the newest of the changes meanwhile triggers a run.
            let collapsed = Self.line("slow", "collapsed", "a newer change replaced it")
            #expect(try Self.events(hooks, "slow").contains(collapsed))
            let asleep = try Self.events(hooks, "sleep")
            #expect(asleep.count == 3 && asleep[0].contains(#""application":"XTerm","what":"matched""#))
            #expect(asleep[2].contains(#""what":"excepted""#), "\(asleep)")
            try Self.readAsPeopleDo(hooks)
            try hooks.end()
            #expect(try hooks.xphase("hooks", "why", "early").code == 69)
        }

        private static func readAsPeopleDo(_ hooks: HookSession) throws {
            let text = try hooks.xphase("hooks", "why", "early").output
            #expect(text.prefix(2) == ["early: has nothing to do", "Alpha:"])
            let line = #/  [0-9:]{8}  left too early  background did not last for 1h \([0-9a-z.]+ ago\)/#
            #expect(text.last?.wholeMatch(of: line) != nil, "\(text)")
            let beta = try hooks.xphase("hooks", "why", "early", "--application", "Beta").output
            #expect(
                beta.count == 2 && beta.last?.hasPrefix("  no change of 'Beta' has matched this hook") == true
            )
            #expect(
                try hooks.xphase("hooks", "why", "early", "--application", "alp*").output.count
                    == text.count)
            #expect(
                try hooks.xphase("hooks", "why", "other").output == [
                    "other: has nothing to do",
                    "  no change has matched this hook since 'xphase run' loaded it",
                ])
            let wrong = try hooks.xphase("hooks", "why", "erly")
            #expect(
                wrong.code == 64
                    && wrong.errors.first == "xphase: there is no hook 'erly'; did you mean 'early'?")
        }
    }
}
