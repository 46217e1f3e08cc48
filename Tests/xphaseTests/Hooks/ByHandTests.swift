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
            terminal = try ProgramWindow.terminal(hooks.session)
        }

        private func xphase(_ arguments: String...) throws -> (
            code: Int32, output: [String], errors: [String]
        ) {
            try XPhase.run(arguments, on: hooks.session.display, environment: hooks.home.environment)
        }

        private func isFrozen() throws -> Bool { try FreezeTests.isFrozen(terminal) }
        private func runs() throws -> Bool { try FreezeTests.runs(terminal) }

        @Test func whatIsSeenIsFrozenUntilItIsThawed() throws {
            let freeze = try xphase("freeze", "XTerm")
            #expect(freeze.code == 0 && freeze.output == ["XTerm frozen"], "\(freeze)")
            #expect(try waitUntil { try isFrozen() })
            #expect(try xphase("freeze", "XTerm").output == ["XTerm is already frozen"])
            let status = try xphase("hooks", "status").output
            #expect(
                status.first == "by hand: XTerm:" && status.last?.contains("XTerm: entered since ") == true)
            #expect(status.last?.contains(", freeze (") == true, "\(status)")
            let thaw = try xphase("thaw", "xterm")
            #expect(thaw.code == 0 && thaw.output == ["XTerm thawed"], "\(thaw)")
            #expect(try waitUntil { try runs() })
            #expect(try xphase("thaw").output == ["nothing is frozen"])
            #expect(try waitUntil { try xphase("hooks", "status").errors == ["xphase: there are no hooks"] })
            try hooks.end()
        }

        @Test func aHotkeyFreezesAndThawsWhatHasTheFocus() throws {
            try hooks.session.settle { terminal.activate() }
            #expect(try xphase("freeze", "--toggle", "--focused").output == ["XTerm frozen"])
            #expect(try waitUntil { try isFrozen() })
            #expect(try xphase("freeze", "--toggle", "--focused").output == ["XTerm thawed"])
            #expect(try waitUntil { try runs() })
            #expect(try xphase("freeze", "--toggle", "--focused").output == ["XTerm frozen"])
            try hooks.end()
            #expect(try waitUntil { try runs() })
        }

        /// The window is visible throughout. Once it gets the focus, it is not frozen again.
        @Test func itGoesOnForGoodWhenItIsFocused() throws {
            let other = try hooks.session.open("Alpha")
            try hooks.session.settle { other.activate() }
            #expect(try xphase("freeze", "XTerm").code == 0)
            #expect(try waitUntil { try isFrozen() })
            terminal.activate()
            try hooks.waitForMessage("XTerm thawed: it is ")
            #expect(try waitUntil { try runs() })
            #expect(try waitUntil { try xphase("hooks", "status").errors == ["xphase: there are no hooks"] })
            try hooks.end()
        }

        @Test func aClickChoosesIt() throws {
            let pick = try XPhase.start(
                ["freeze", "--pick"], on: hooks.session.display, environment: hooks.home.environment)
            let client = hooks.session.client
            #expect(waitUntil { client.isPointerGrabbed && client.isKeyboardGrabbed })
            let place = try Program.run(
                "xdotool", ["mousemove", "--window", "\(terminal.window)", "20", "20", "click", "1"],
                package: "xdotool", environment: hooks.session.display.environment)
            #expect(place.code == 0)
            #expect(try pick.output.rest() == ["XTerm frozen"])
            #expect(try pick.exitCode() == 0)
            try hooks.end()
        }

        /// An absent application, and the terminal that runs the command.
        @Test func whatCannotBeFrozenIsSaid() throws {
            let absent = try xphase("freeze", "XTrem")
            #expect(
                absent.code == 1
                    && absent.errors == ["xphase: no application matches 'XTrem': did you mean 'XTerm'?"])
            let (out, go) = (hooks.home.folder.path + "/said", hooks.home.folder.path + "/go")
            let own = try ProgramWindow(
                hooks.session, "xterm",
                [
                    "-class", "Own", "-e", "sh", "-c",
                    "until [ -e \(go) ]; do sleep 0.1; done; "
                        + "\(XPhase.path) freeze Own 2>\(out); echo $? >>\(out); sleep 60",
                ],
                package: "xterm", application: "Own", environment: hooks.home.environment)
            // The service knows the window now.
            _ = try hooks.home.folder.write("go", "")
            #expect(
                try waitUntil {
                    let said = try Program.run("cat", [out]).output
                    return said.first?.hasSuffix("started this command") == true && said.last == "1"
                })
            #expect(try FreezeTests.runs(own))
            try hooks.end()
        }

        /// Paused hooks do not affect manual freezes. `thaw-all` thaws what a killed service has left frozen.
        @Test func aServiceThatIsKilledLeavesNothingFrozen() throws {
            #expect(try xphase("hooks", "pause").code == 0)
            #expect(try xphase("freeze", "XTerm").output == ["XTerm frozen"])
            #expect(try waitUntil { try isFrozen() })
            hooks.run.send(SIGKILL)
            _ = try hooks.run.exitCode()
            #expect(try isFrozen())
            let thaw = try xphase("hooks", "thaw-all")
            #expect(thaw.code == 0 && thaw.output.count == 1, "\(thaw)")
            #expect(try waitUntil { try runs() })
        }

        /// Before it closes a window, xfwm4 sends _NET_WM_PING, and offers to kill a client that does not answer.
        @Test func aManagerThatAsksWhetherItLivesFindsItAwake() throws {
            let hooks = try HookSession("", manager: .none)
            let environment = hooks.session.display.environment.merging(hooks.home.environment) { $1 }
            let manager = try Program("xfwm4", package: "xfwm4", environment: environment)
            #expect(waitUntil { hooks.session.client.isManaged })
            let editor = try ProgramWindow(
                hooks.session, "mousepad", package: "mousepad", application: "Mousepad",
                environment: hooks.home.environment)
            let freeze = try XPhase.run(
                ["freeze", "Mousepad"], on: hooks.session.display, environment: hooks.home.environment)
            #expect(freeze.output == ["Mousepad frozen"], "\(freeze)")
            editor.close()
            try hooks.waitForMessage("Mousepad thawed: it is ")
            #expect(try editor.program.exitCode() == 0)
            try hooks.end()
            withExtendedLifetime(manager) {}
        }

        @Test func withoutAServiceNothingIsFrozen() throws {
            try hooks.end()
            let freeze = try xphase("freeze", "XTerm")
            #expect(
                freeze.code == 69 && freeze.errors.first?.contains("no 'xphase run' serves display") == true)
        }
    }
}
