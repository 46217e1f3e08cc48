import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Requests of other commands to a running `xphase run`.
    @Suite struct ControlTests {
        /// Returns what `hooks status` reports of each hook now, as `HOOK: STATE` or `HOOK: SUBJECT: STATE`.
        static func states(_ hooks: HookSession) throws -> [String] {
            var name = ""
            return try hooks.xphase("hooks", "status").output.compactMap { line in
                if !line.hasPrefix(" ") { name = line }
                return line.hasPrefix("  now: ") ? "\(name): \(line.dropFirst(7))" : nil
            }
        }

        @Test func statusReportsWhatHoldsAndWhatDoesNot() throws {
            let hooks = try HookSession(
                FreezeTests.hook() + HookSession.pair("waits", "after = \"1h\"")
                    + HookSession.pair("refused", "unless = [\"true\"]")
                    + HookSession.hook("fails", "application = \"Alpha\"", shell: "exit 3")
                    + HookSession.pair("idle").replacing("Alpha*", with: "Beta"))
            let terminal = try ProgramWindow.terminal(hooks.session)
            let window = try hooks.session.open("Alpha")
            terminal.iconify()
            try hooks.waitForMessage("frozen (")
            window.iconify()
            let expected = [
                "sleep: XTerm: entered since TIME, freeze (N)", "waits: Alpha: waiting until TIME",
                "refused: Alpha: excepted: 'unless' ended with 0", "fails: Alpha: failed: exit 3 in time",
                "idle: ready",
            ]
            let isReported = try waitUntil {
                try expected
                    == Self.states(hooks).map {
                        $0.replacing(/[0-9:]{8}/, with: "TIME").replacing(/[0-9]+ process(es)?/, with: "N")
                            .replacing(/after [0-9.]+ s/, with: "in time")
                    }
            }
            #expect(isReported)
            let json = try hooks.xphase("hooks", "status", "--json").output
            #expect(json.count == 5)
            let start = #"{"v":1,"hook":"sleep","state":"entered","application":"XTerm","subject":"XTerm","#
            #expect(json[0].hasPrefix(start + #""since":""#))
            #expect(json[0].contains(#""reactions":["freeze"],"unit":null,"processes":"#))
            // DISPLAY is not set on another virtual terminal.
            #expect(try hooks.home.xphase("hooks").output == hooks.xphase("hooks", "status").output)
            let list = try hooks.xphase("hooks", "pause", "waits,fails")
            #expect(
                list.errors == ["xphase: there is no hook 'waits,fails'; name them apart: waits fails"],
                "\(list)")
            #expect(try hooks.xphase("hooks", "pause", "waits").code == 0)
            #expect(try Self.states(hooks).contains("waits: Alpha: paused"))
            try hooks.end()
            let result = try hooks.xphase("hooks", "status")
            #expect(result.code == 69 && !result.output.contains { $0.hasPrefix("  now: ") })
            #expect(result.errors.first?.hasPrefix("xphase: no 'xphase run' serves display '") == true)
        }

        @Test func pauseUndoesReactionsAndResumeRepeatsThem() throws {
            let hooks = try HookSession(FreezeTests.hook() + HookSession.pair())
            let terminal = try ProgramWindow.terminal(hooks.session)
            try hooks.enterPair()
            terminal.iconify()
            try hooks.waitForMessage("frozen (")
            let unknown = try hooks.xphase("hooks", "pause", "slepe", "pair", "xyzzy")
            let reasons = [
                "xphase: there is no hook 'slepe'; did you mean 'sleep'?",
                "there is no hook 'xyzzy'; there are 'sleep', 'pair'",
            ]
            #expect(unknown.code == 64 && unknown.errors == reasons)
            #expect(try !Self.states(hooks).contains { $0.contains("paused") })
            #expect(try hooks.xphase("hooks", "pause").output == ["all hooks paused"])
            #expect(try !terminal.isStopped)
            try hooks.home.waitForLines(["enter pair", "leave pair"])
            #expect(try Self.states(hooks).prefix(1) == ["sleep: paused"])
            #expect(try hooks.xphase("hooks", "resume", "sleep").output == ["'sleep' resumed"])
            try hooks.waitForMessage("XTerm frozen (")
            #expect(try waitUntil { try terminal.isStopped })
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
            #expect(try hooks.xphase("hooks", "pause", "--for", "1s", "sleep").code == 0)
            #expect(try !terminal.isStopped)
            try hooks.waitForMessage("the pause of 'sleep' has ended")
            try hooks.waitForMessage("XTerm frozen (")
            // A crash leaves the socket behind; the next run replaces it.
            try hooks.run.end(SIGKILL)
            #expect(try hooks.xphase("hooks", "pause").code == 69)
            try hooks.session.restart()
            try hooks.waitForMessage("thawed")
            #expect(try hooks.xphase("hooks", "pause").code == 0)
            try hooks.end()
            #expect(try hooks.home.records().isEmpty)
        }

        /// nil for a terminal in which XDG_RUNTIME_DIR is not set.
        @Test(arguments: [nil, "other"])
        func commandsFindTheServiceWithAnotherRuntimeDirectory(_ name: String?) throws {
            let hooks = try HookSession(HookSession.pair())
            let place = name.map { "\(hooks.home.path)/\($0)" }
            if let place { mkdir(place, 0o700) }
            let environment = hooks.session.environment.merging(["XDG_RUNTIME_DIR": place]) { $1 }
            func xphase(_ line: String, _ changes: [String: String?] = [:]) throws -> XPhase.Result {
                try XPhase.run(
                    XPhase.words(line), on: nil, environment: environment.merging(changes) { $1 })
            }
            let display = hooks.session.display.name
            let start = try xphase("session start")
            #expect(start.code == 0 && start.output == ["the service already runs"], "\(start)")
            for changes in [[:], ["DISPLAY": nil as String?]] {
                let doctor = try xphase("doctor", changes).output
                #expect(doctor.contains("  service         runs for \(display)"), "\(doctor)")
                let status = try xphase("hooks", changes)
                #expect(status.code == 0 && status.output.contains("  now: ready"), "\(status)")
                #expect(try xphase("hooks pause", changes).output == ["all hooks paused"])
                #expect(try xphase("hooks resume", changes).output == ["all hooks resumed"])
            }
            #expect(try xphase("thaw --all").code == 0)
            #expect(try xphase("run").code == 75)
            #expect(try xphase("session stop").output == ["the service of \(display) has ended"])
            #expect(try hooks.run.exitCode() == 0)
            #expect(try xphase("hooks pause").code == 69)
        }

        /// Another user who could connect could pause hooks that the owner relies on.
        @Test func aFolderThatOthersCanReadIsRefused() throws {
            let hooks = try HookSession(HookSession.pair())
            let folder = "\(hooks.home.path)/runtime/xphase"
            chmod(folder, 0o750)
            let result = try hooks.xphase("hooks", "status")
            let reason = "is open to others: check that it is unchanged, then chmod go= \(folder)"
            #expect(result.code == 71 && result.errors == ["xphase: '\(folder)' \(reason)"])
            chmod(folder, 0o700)
            #expect(try hooks.xphase("hooks", "status").code == 0)
            let socket = "runtime/xphase/\(hooks.session.display.name)"
            #expect(hooks.home.folder.mode(of: socket) == 0o600)
            try hooks.end()
            #expect(access(hooks.address, F_OK) != 0)
            chmod(folder, 0o750)
            #expect(try hooks.xphase("run").code == 71)
        }

        // MARK: The reasons why hooks ran or did not run

        private static let hooks =
            HookSession.hook("fails", "application = \"Alpha\"\nto = \"background\"", shell: "exit 3")
            + HookSession.hook(
                "stuck", "application = \"Alpha\"\nto = \"background\"\ntimeout = \"1s\"",
                shell: "exec sleep 60")
            + HookSession.pair("vetoed", "unless = [\"true\"]")
            + HookSession.pair("early", "after = \"1h\"")
            + HookSession.pair("near", "initial = true\ncause = 'close'")
            + HookSession.pair("both") + HookSession.pair("other").replacing("Alpha*", with: "Beta")

        @Test func eachHookReportsWhatLastBecameOfIt() throws {
            let hooks = try HookSession(Self.hooks)
            let window = try hooks.session.open("Alpha")
            // Alpha regains the focus.
            try hooks.session.settle { window.activate() }
            try hooks.session.settle { window.iconify() }
            try hooks.session.settle { window.activate() }
            func why(_ words: [String]) throws -> [String] {
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
                #expect(try waitUntil { try why([name, "--json"]) == lines }, "\(name)")
            }
            #expect(try why(["other", "--json"]).isEmpty)
            let text = [
                "early: ready", "Alpha:",
                "  TIME  matched         active → background, iconify (now)",
                "  TIME  left too early  background did not last for 1h (now)",
            ]
            // What is visible is news where a hook was left too early.
            let visible = "  Alpha is active now, because its window \(window.name)"
            for words in [["early"], ["early", "b,\(window.name)"]] {
                let lines = try why(words)
                #expect(lines.dropLast() == text[...] && lines.last?.hasPrefix(visible) == true, "\(lines)")
            }
            #expect(try why(["vetoed"]).allSatisfy { !$0.hasPrefix(visible) })
            let nothing = "has matched this hook since 'xphase run' loaded it"
            let miss = "\(nothing); no application matches 'Beta'; "
            #expect(try why(["early", "Beta"]).last?.hasPrefix("  no change of 'Beta' \(miss)") == true)
            #expect(try why(["other"]).last?.hasPrefix("  no change \(miss)") == true)
            let near = "in the background because of close, and matches now: Alpha (active)"
            let lines = try why(["near"])
            #expect(lines.dropLast().last?.hasSuffix("; it acts while Alpha* is \(near)") == true, "\(lines)")
            #expect(lines.last?.hasPrefix(visible) == true, "\(lines)")
            let wrong = try hooks.xphase("hooks", "why", "erly")
            #expect(wrong.code == 64 && wrong.errors.first?.hasSuffix("did you mean 'early'?") == true)
        }
    }
}
