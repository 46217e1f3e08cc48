import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Conditions that a pair excepts, on a real display.
    @Suite struct ExceptTests {
        private static func hook(_ keys: String = "") -> String {
            FreezeTests.hook(keys, of: "[\"XTerm\", \"Alpha\"]")
        }

        /// The window belongs to the test process, whose freeze is refused where no exception applies.
        @Test(
            arguments: [
                ("", "CLIPBOARD", "it owns the selection"), ("", "PRIMARY", "it owns the selection"),
                ("except = 'audio'", "CLIPBOARD", "is not frozen: process"),
                ("except = ['fullscreen']", nil, "one of its windows is fullscreen"),
            ] as [(String, String?, String)])
        func aSelectionOrAFullscreenWindow(keys: String, selection: String?, text: String) throws {
            let hooks = try HookSession(Self.hook(keys))
            let window = hooks.session.window(.init("Alpha"))
            window.setOwner(ofThisProcess: true)
            try hooks.session.settle { window.map() }
            if let selection {
                hooks.session.client.own(selection, with: window)
            } else {
                try hooks.session.settle { window.setState("FULLSCREEN", true) }
            }
            window.iconify()
            #expect(try hooks.waitForMessage(text).contains("Alpha"))
        }

        /// With and without a service.
        @Test(arguments: [true, false]) func xphaseOnNamesTheOptionThatFreezesItAnyway(isServed: Bool) throws
        {
            let hooks = try HookSession("")
            let window = try hooks.session.open("Alpha")
            hooks.session.client.own("PRIMARY", with: window)
            if !isServed { try hooks.end() }
            let on = try hooks.start("on", "Alpha", "background", "--do", "freeze")
            try on.waitForError("waiting for Alpha to enter background")
            if !isServed { #expect(try on.comesToRest()) }
            window.iconify()
            let line = try on.errors.next() ?? ""
            let start = "xphase: hook 'on': does not freeze Alpha: it owns the selection; "
            #expect(line.hasPrefix(start) && line.hasSuffix(" (--except none freezes it anyway)"), "\(line)")
            try on.end(SIGTERM)
        }

        /// logind reports the PID of an inhibitor; GNOME, MATE and Cinnamon report its application ID.
        @Test(arguments: [true, false]) func anInhibitor(isOfLogind: Bool) throws {
            let logind = try FakeLogind()
            let hooks = try HookSession(Self.hook("except = 'inhibit'"), environment: logind.environment)
            let terminal = try ProgramWindow.terminal(hooks.session)
            if isOfLogind {
                try logind.hold(what: "sleep", by: terminal.program.pid)
            } else {
                try logind.holdAtManager()
            }
            terminal.iconify()
            try hooks.waitForMessage("does not freeze XTerm: it inhibits idleness or sleep")
            try logind.release()
            try logind.hold(what: "idle", by: getpid())
            try hooks.waitForMessage("XTerm frozen (")
        }

        /// Without pactl, it is unknown whether the application plays audio.
        @Test func withoutPactlNothingIsFrozenWhereAnAudioServerRuns() throws {
            let sounding = ["PATH": "/proc/none", "PULSE_SERVER": "unix:/dev/null/pulse"]
            let hooks = try HookSession(Self.hook(), environment: sounding)
            let terminal = try ProgramWindow.terminal(hooks.session)
            terminal.iconify()
            let lack = "pactl is missing; install pulseaudio-utils"
            try hooks.waitForMessage("does not freeze XTerm: cannot tell whether it plays audio: \(lack)")
            let environment = hooks.home.environment.merging(sounding) { $1 }
            let check = XPhase.call(["hooks", "check"], environment: environment)
            let text = "do: freeze is unavailable: \(lack), or write except = \"none\""
            #expect(check.code == 78 && check.errors.contains("xphase: hook 'sleep': \(text)"), "\(check)")
            try hooks.home.configure(Self.hook("except = 'none'"))
            try hooks.waitForMessage("configuration reloaded")
            try hooks.session.settle { terminal.activate() }
            terminal.iconify()
            try hooks.waitForMessage("XTerm frozen (")
        }

        @Test func withoutPactlAndWithoutAServiceManagerTheStartAndTheCheckNameIt() throws {
            let home = try HookHome(Self.hook().replacing("\"freeze\"", with: "\"mute\", \"slow\""))
            let environment = home.environment.merging(["PATH": "/proc/none"]) { $1 }
            let check = XPhase.call(["hooks", "check"], environment: environment)
            let lacks = [
                "xphase: hook 'sleep': do: slow is unavailable: systemd --user is not running",
                "xphase: hook 'sleep': do: mute is unavailable: pactl is missing; install pulseaudio-utils",
            ]
            #expect(check.code == 78 && check.errors == lacks)
            let on = ["on", "a", "background", "--do", "slow", "--do"]
            let useless = try XPhase.run(on + ["mute"], on: nil, environment: environment)
            #expect(useless.code == 69 && useless.errors.count == 2, "\(useless)")
            #expect(useless.errors.allSatisfy { $0.contains(" unavailable: ") })
            let stage = try Stage(.openbox)
            // The reactions that are possible still run.
            let useful = try XPhase.start(on + ["freeze"], on: stage.display, environment: environment)
            #expect(try useful.errors.next()?.contains("do: slow is unavailable: ") == true)
            try useful.end()
            let doctor = try XPhase.run(["doctor"], on: stage.display, environment: environment)
            #expect(doctor.output.filter { $0.contains(" unavailable: ") }.count == 2)
            let run = try XPhase.start(["run"], on: stage.display, environment: environment)
            #expect(try [run.errors.next(), run.errors.next()] == lacks)
            try run.end(SIGTERM)
        }
    }
}
