import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Real programs that the user freezes and thaws by hand.
    @Suite struct ByHandTests {
        private let hooks: HookSession
        private let terminal: ProgramWindow

        init() throws {
            hooks = try HookSession("")
            terminal = try ProgramWindow(
                hooks.session, "xterm", ["-name", "small", "-e", "sleep", "1000"], application: "XTerm")
        }

        @Test func freezeSaysUntilWhenAndAPauseOfAllHooksUndoesIt() throws {
            let form = /XTerm (?:is already )?frozen until \d\d:\d\d:\d\d/
            let frozen = try hooks.xphase("freeze", "xterm", "--for", "1h").output
            #expect(frozen.count == 1 && frozen[0].wholeMatch(of: form) != nil, "\(frozen)")
            let again = try hooks.xphase("freeze", "xterm").output
            #expect(again.count == 1 && again[0].wholeMatch(of: form) != nil, "\(again)")
            #expect(try hooks.xphase("hooks", "pause").output == ["all hooks paused", "XTerm thawed"])
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            #expect(try hooks.xphase("hooks", "pause").output == ["all hooks paused"])
        }

        /// By the name of the class, that of the instance, and a window ID. Paused hooks do not affect manual freezes.
        @Test func aVisibleApplicationIsFrozenByHandUntilItIsThawed() throws {
            #expect(try hooks.xphase("hooks", "pause").code == 0)
            for name in ["xterm", "small", "\(terminal.window)"] {
                let freeze = try hooks.xphase("freeze", name)
                #expect(freeze.code == 0 && freeze.output == ["XTerm frozen"], "\(freeze)")
                #expect(try waitUntil { try FreezeTests.isFrozen(terminal) })
                #expect(try hooks.xphase("freeze", name).output == ["XTerm is already frozen"])
                let row = try hooks.xphase("list", "XTerm", "--level", "application").output.last
                #expect(row?.contains(/frozen since \d\d:\d\d by hand$/) == true, "\(row ?? "")")
                let timed = try hooks.xphase("freeze", name, "--for", "1h").output
                #expect(timed.first?.hasPrefix("XTerm frozen") == true, "\(timed)")
                let other = try hooks.xphase("thaw", "Marker*").output
                #expect(other == ["'Marker*' is not frozen; frozen now: XTerm"])
                let status = try hooks.xphase("hooks", "status").output
                #expect(status.first == "by hand: XTerm")
                #expect(status.last?.contains(/XTerm: entered since .*, freeze \(/) == true, "\(status)")
                let thaw = try hooks.xphase("thaw", name)
                #expect(thaw.code == 0 && thaw.output == ["XTerm thawed"], "\(thaw)")
                #expect(try waitUntil { try FreezeTests.runs(terminal) })
            }
            #expect(try hooks.xphase("thaw", "--all").output == ["nothing is frozen"])
            #expect(try hooks.xphase("thaw", "xterm").output == ["'xterm' is not frozen"])
            // The service is asked first: the directory of the records may be on a disk that does not answer.
            #expect(try hooks.xphase("freeze", "XTerm").code == 0)
            var environment = hooks.home.environment
            environment["XDG_STATE_HOME"] = "/nowhere"
            let all = try XPhase.run(["thaw", "--all"], on: nil, environment: environment)
            #expect(all.code == 0 && all.output == ["XTerm thawed"], "\(all)")
            #expect(try hooks.xphase("freeze", "XTerm", "--for", "300ms").code == 0)
            #expect(try waitUntil { try FreezeTests.runs(terminal) && hooks.xphase("hooks").output.isEmpty })
        }

        @Test func aFreezeForATimeSaysInEveryPlaceUntilWhenAndGetsANewTime() throws {
            func until() throws -> String {
                let row =
                    try hooks.xphase("hooks", "status", "--json").output.first { $0.contains("XTerm") } ?? ""
                return String(try #require(row.firstMatch(of: /"until":(?:"([^"]*)"|null)/)?.output.1 ?? ""))
            }
            #expect(try hooks.xphase("freeze", "XTerm").code == 0)
            #expect(try until() == "")
            var ends: [String] = []
            for time in ["1h", "2h"] {
                let freeze = try hooks.xphase("freeze", "XTerm", "--for", time)
                #expect(
                    freeze.code == 0 && freeze.output.first?.hasPrefix("XTerm frozen") == true, "\(freeze)")
                ends.append(try until())
            }
            #expect(ends[0] < ends[1] && ends[0] > "2", "\(ends)")
            let status = try hooks.xphase("hooks").output.last
            #expect(
                status?.contains(/XTerm: entered since [0-9:]+ until [0-9:]+, freeze \(/) == true,
                "\(status ?? "")")
            let explained = try hooks.xphase("explain", "XTerm").output[1]
            #expect(
                explained.contains(/^  it is frozen since [0-9:]+ by hand until [0-9:]+$/), "\(explained)")
            // A hotkey goes on to thaw it.
            #expect(try hooks.xphase("freeze", "XTerm", "--toggle", "--for", "1h").output == ["XTerm thawed"])
            #expect(try hooks.xphase("freeze", "XTerm", "--for", "1h").code == 0)
            #expect(try hooks.xphase("freeze", "XTerm", "--for", "300ms").code == 0)
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
        }

        @Test func theFreezesOfAKilledServiceAreExplainedAndThawedByName() throws {
            #expect(try hooks.xphase("freeze", "XTerm").code == 0)
            try hooks.run.end(SIGKILL)
            #expect(try FreezeTests.isFrozen(terminal))
            let explained = try hooks.xphase("explain", "XTerm").output
            let words =
                "frozen by hand, which an 'xphase run' that was killed has left: type xphase thaw XTerm"
            #expect(explained.contains("  it is \(words)"), "\(explained)")
            #expect(
                try hooks.xphase("list", "XTerm").output.dropFirst().first?.hasSuffix("  \(words)") == true)
            let other = try hooks.xphase("thaw", "Other")
            #expect(other.code == 69 && other.output.isEmpty)
            #expect(try FreezeTests.isFrozen(terminal))
            let thaw = try hooks.xphase("thaw", "xterm")
            #expect(thaw.code == 0 && thaw.output == ["XTerm thawed (hook 'by hand: XTerm')"], "\(thaw)")
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            #expect(try hooks.xphase("thaw", "xterm").code == 69)
            try hooks.session.restart()
        }

        /// Web applications of a browser are windows with instance names of their own.
        @Test func aNameOfOnlyAPartFreezesNoOtherVisiblePart() throws {
            let client = hooks.session.client
            let browser = try Program(
                "xterm", ["-name", "large", "-e", "sleep", "1000"], package: "xterm",
                environment: hooks.session.display.environment)
            func find() -> UInt? {
                client.words("_NET_CLIENT_LIST")?.first {
                    client.words("_NET_WM_PID", of: $0)?.first == UInt(browser.pid)
                }
            }
            #expect(waitUntil { find() != nil })
            let window = try #require(find())
            try hooks.session.settle()
            for (name, option) in [("small", "--for=1h"), ("sma*", "--toggle")] {
                let freeze = try hooks.xphase("freeze", name, option)
                let reason =
                    "xphase: XTerm is not frozen: '\(name)' is only a part of it, and its part 'large' is "
                    + "visible: the name 'XTerm' freezes all of it"
                #expect(freeze.code == 1 && freeze.errors == [reason], "\(freeze)")
                #expect(try FreezeTests.runs(terminal))
            }
            try hooks.session.settle { client.iconify(window) }
            #expect(try hooks.xphase("freeze", "small").output == ["XTerm frozen"])
            #expect(try hooks.xphase("freeze", "small", "--toggle").output == ["XTerm thawed"])
            try hooks.session.settle { client.request("_NET_ACTIVE_WINDOW", window: window, [2, 0, 0]) }
            #expect(try hooks.xphase("freeze", "xterm").output == ["XTerm frozen"])
            try browser.end()
        }

        @Test func aClickChoosesTheApplicationToFreeze() throws {
            let pick = try hooks.start("freeze", "--pick")
            let client = hooks.session.client
            #expect(waitUntil { client.isPointerGrabbed && client.isKeyboardGrabbed })
            try hooks.session.display.run("xdotool mousemove --window \(terminal.window) 20 20 click 1")
            #expect(try pick.output.rest() == ["XTerm frozen"])
            #expect(try pick.exitCode() == 0)
        }

        /// The server of tmux runs the command, and its client shows it in a terminal.
        @Test func aFreezeOfSeveralSkipsAbsentNamesAndTheTerminalOfTheCommand() throws {
            let client = "tmux: client"
            try hooks.home.addTool(client, "sleep 1000; true")
            let shown = try ProgramWindow(
                hooks.session, "xterm", ["-class", "Shown", "-e", "\(hooks.home.path)/bin/\(client)"],
                package: "xterm", application: "Shown", environment: hooks.home.environment)
            var environment = hooks.home.environment.merging(hooks.session.display.environment) { $1 }
            environment["TMUX"] = "/tmp/tmux-1000/default,1,0"
            let typed = try Terminal()
            func freeze(_ words: String, stdin: Int32?) throws -> [String] {
                let program = try Program(
                    XPhase.path, XPhase.words("freeze \(words) --except none"), environment: environment,
                    stdin: stdin)
                return try ["\(program.exitCode())"] + program.output.rest() + program.errors.rest()
            }
            let absence = "xphase: no application matches 'XTrem': did you mean 'XTerm'?"
            let refusal =
                "xphase: Shown is not frozen: its process \(shown.program.pid) may show this terminal"
            let several = try freeze("XTrem,Shown XTerm", stdin: typed.end)
            #expect(several == ["0", "XTerm frozen", absence, refusal])
            #expect(try freeze("Shown", stdin: typed.end) == ["1", refusal])
            // What the words of another command are behind is not frozen either.
            let command = try freeze("Shown background", stdin: nil)
            #expect(command.first == "1" && command.last?.contains("xphase on ") == true, "\(command)")
            #expect(try FreezeTests.runs(shown))
            #expect(try freeze("Shown", stdin: nil) == ["0", "Shown frozen"])
        }

        /// An absent application, the terminal that runs the command, and anything without a service.
        @Test func theReasonWhyNothingIsFrozenByHandIsPrinted() throws {
            for command in ["freeze", "thaw"] {
                let absent = try hooks.xphase(command, "XTrem")
                #expect(absent.code == 1 && absent.errors.first?.hasSuffix("did you mean 'XTerm'?") == true)
            }
            try hooks.session.open("Alpha")
            let several = "xphase: several applications match '*'; name those you mean: Alpha, "
            #expect(try hooks.xphase("freeze", "*").errors.first?.hasPrefix(several) == true)
            let script = """
                until [ -e go ]; do sleep 0.1; done
                \(XPhase.path) freeze Own 2>said; echo $? >>said; mv said done; sleep 60
                """
            let own = try ProgramWindow(
                hooks.session, "xterm",
                ["-class", "Own", "-e", "sh", "-c", "cd '\(hooks.home.path)'; \(script)"], package: "xterm",
                application: "Own", environment: hooks.home.environment)
            for command in ["freeze", "explain"] {
                let process = try hooks.xphase(command, "\(own.program.pid)")
                let message = "xphase: \(own.program.pid) is a process, not a window: write Own"
                #expect(process.code == 1 && process.errors == [message], "\(process)")
            }
            // Another program of the same class is meant.
            try hooks.session.open("Own")
            // The service knows the window now.
            try hooks.home.write("go", "")
            let said = try hooks.home.waitForFile("done")
            let reason = "started this command; an application is all windows of its class: give the other "
            #expect(said.first?.contains(reason) == true && said.last == "1", "\(said)")
            #expect(try FreezeTests.runs(own))
            try hooks.end()
            let freeze = try hooks.xphase("freeze", "XTerm")
            #expect(freeze.code == 69 && freeze.errors.first?.contains("no 'xphase run' serves") == true)
        }
    }
}
