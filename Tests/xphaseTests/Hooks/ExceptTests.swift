import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Conditions that a pair excepts, on a real display with a real audio server.
    @Suite struct ExceptTests {
        private static func hook(_ keys: String = "") -> String {
            "[[hook]]\nname = \"sleep\"\napplication = [\"XTerm\", \"Alpha\"]\nwhile = \"background\"\n"
                + "do = \"freeze\"\n\(keys)\n"
        }

        /// The window belongs to the test process, whose freeze is refused where no exception applies.
        @Test(arguments: [
            ("", "CLIPBOARD", "", "it owns the selection"), ("", "PRIMARY", "", "it owns the selection"),
            ("except = 'audio'", "CLIPBOARD", "", "is not frozen: process"),
            ("except = 'none'", "CLIPBOARD", "", "is not frozen: process"),
            ("except = []", "CLIPBOARD", "", "is not frozen: process"),
            ("except = ['fullscreen']", "", "FULLSCREEN", "one of its windows is fullscreen"),
            ("", "", "FULLSCREEN", "is not frozen: process"),
        ])
        func aSelectionAndAFullscreenWindow(keys: String, selection: String, state: String, text: String)
            throws
        {
            let hooks = try HookSession(Self.hook(keys))
            let window = hooks.session.window(.init("Alpha"))
            window.setOwner(ofThisProcess: true)
            try hooks.session.settle { window.map() }
            if !selection.isEmpty { hooks.session.client.own(selection, with: window) }
            if !state.isEmpty { try hooks.session.settle { window.setState(state, true) } }
            window.iconify()
            #expect(try hooks.waitForMessage(text).contains("Alpha"))
            try hooks.end()
        }

        /// The exception lasts until another client owns the selection.
        @Test func aWordThatWasSelectedInATerminal() throws {
            let hooks = try HookSession(Self.hook())
            let client = hooks.session.client
            let terminal = try ProgramWindow(
                hooks.session, "xterm", ["-e", "sh", "-c", "yes word | head -n 40; sleep 1000"],
                package: "xterm",
                application: "XTerm")
            #expect(
                try waitUntil {
                    try terminal.doubleClick(x: 15, y: 15)
                    return client.isOwned("PRIMARY")
                })
            terminal.iconify()
            let line = try hooks.waitForMessage("XTerm")
            #expect(
                line.contains(
                    "it owns the selection, which could not be pasted while it is frozen; checked again every 10s"
                ))
            #expect(try !terminal.isStopped)
            client.own("PRIMARY", with: hooks.session.window(.init("Other")))
            try hooks.waitForMessage("XTerm frozen (")
            #expect(try waitUntil { try terminal.isStopped })
            try hooks.end()
        }

        @Test func aStreamThatRunsUntilItIsCorked() throws {
            let sound = try SoundServer()
            let hooks = try HookSession(
                Self.hook(), environment: sound.address)
            let socket = "\(hooks.home.path)/mpv"
            let mpv = try Program.find("mpv", package: "mpv")
            let terminal = try ProgramWindow(
                hooks.session, "xterm",
                [
                    "-e", mpv, "--no-config", "--ao=pulse", "--no-video", "--really-quiet",
                    "--input-ipc-server=\(socket)", "av://lavfi:sine",
                ], package: "xterm", application: "XTerm", environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [false] })
            // A muted stream counts as running, too.
            try sound.ask("set-sink-input-mute", "0", "1")
            #expect(try sound.muted() == [true])
            terminal.iconify()
            try hooks.waitForMessage("not run for XTerm: it plays audio; checked again every 10s")
            let status = try ControlTests.hooks(hooks, "status").output
            #expect(status.count == 2 && status.last?.hasPrefix("  XTerm: excepted until ") == true)
            #expect(status.last?.hasSuffix(": it plays audio") == true)
            let pause = """
                import socket; s = socket.socket(socket.AF_UNIX); s.connect('\(socket)')
                s.send(b'{"command": ["set_property", "pause", true]}\\n'); s.recv(100)
                """
            #expect(try Program.run("python3", ["-c", pause], package: "python3").code == 0)
            #expect(
                try waitUntil {
                    try sound.ask("list", "sink-inputs").output.contains { $0.contains("Corked: yes") }
                })
            try hooks.waitForMessage("XTerm frozen (2 processes)")
            #expect(try terminal.isStopped)
            terminal.activate()
            try hooks.waitForMessage("XTerm thawed")
            try hooks.end()
        }

        /// A freeze would lose the recording. Once the window is shown, the status names the exception as a former
        /// reason.
        @Test func aStreamThatIsRecorded() throws {
            let sound = try SoundServer()
            let hooks = try HookSession(Self.hook(), environment: sound.address)
            let recorder = try Program.find("parec", package: "pulseaudio-utils")
            let terminal = try ProgramWindow(
                hooks.session, "xterm", ["-e", "sh", "-c", "exec \(recorder) --raw >/dev/null"],
                package: "xterm", application: "XTerm", environment: sound.environment)
            #expect(
                try waitUntil {
                    try sound.ask("list", "source-outputs").output.contains { $0.contains("Corked: no") }
                })
            terminal.iconify()
            try hooks.waitForMessage("not run for XTerm: it records audio; checked again every 10s")
            try hooks.session.settle { terminal.activate() }
            #expect(
                try ControlTests.hooks(hooks, "status").output == [
                    "sleep:",
                    "  XTerm: has nothing to do: it is no longer in the background; before that: it records audio",
                ])
            try hooks.end()
        }

        /// The client reports the PID in its own namespace to the audio server.
        @Test func aStreamFromASandboxWithProcessNumbersOfItsOwn() throws {
            let sound = try SoundServer()
            let hooks = try HookSession(Self.hook(), environment: sound.address)
            let unshare = try Program.find("unshare", package: "util-linux")
            let pacat = try Program.find("pacat", package: "pulseaudio-utils")
            let terminal = try ProgramWindow(
                hooks.session, "xterm",
                [
                    "-e", unshare, "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", pacat,
                    "--raw", "/dev/zero",
                ], package: "xterm", application: "XTerm", environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [false] })
            #expect(
                try sound.ask("list", "sink-inputs").output.contains {
                    $0.contains("application.process.id = \"1\"")
                })
            terminal.iconify()
            try hooks.waitForMessage("not run for XTerm: it plays audio; checked again every 10s")
            try hooks.end()
        }

        /// logind reports the PID of the inhibitor.
        @Test func anInhibitorOfAProcess() throws {
            var logind: FakeLogind?
            let hooks = try HookSession(
                Self.hook("except = 'inhibit'"),
                environment: [
                    "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "DBUS_SESSION_BUS_ADDRESS": nil,
                ]
            ) { home, _ in logind = try FakeLogind(home) }
            let terminal = try ProgramWindow.terminal(hooks.session)
            try logind?.hold(what: "sleep", by: terminal.program.pid)
            terminal.iconify()
            try hooks.waitForMessage(
                "not run for XTerm: it inhibits idleness or sleep")
            try logind?.hold(what: "idle", by: getpid())
            try hooks.waitForMessage("XTerm frozen (")
            try hooks.end()
        }

        /// The MATE session manager has the interface of GNOME's, and reports the application ID of an inhibitor.
        @Test func anInhibitorOfASessionManager() throws {
            let (bus, display) = (try SessionBus(), try VirtualDisplay())
            let hooks = try HookSession(Self.hook("except = 'inhibit'"), environment: bus.environment)
            let environment = hooks.home.environment.merging(bus.environment) { $1 }
            let manager = try Program(
                "mate-session", ["-f", "-a", hooks.home.path], package: "mate-session-manager",
                environment: environment.merging(display.environment) { $1 })
            let film = try Program(
                "sh",
                [
                    "-c",
                    """
                    until busctl --user --auto-start=no status org.gnome.SessionManager >/dev/null 2>&1; do sleep 0.1; done
                    exec mate-session-inhibit --inhibit idle --app-id xterm \
                        sh -c 'echo held; until [ -e "$HOME/over" ]; do sleep 0.1; done'
                    """,
                ], environment: environment.merging(display.environment) { $1 })
            #expect(try film.output.next() == "held")
            let terminal = try ProgramWindow.terminal(hooks.session)
            terminal.iconify()
            try hooks.waitForMessage(
                "not run for XTerm: it inhibits idleness or sleep")
            try hooks.home.write("over", "")
            try hooks.waitForMessage("XTerm frozen (")
            try hooks.end()
            try manager.end()
        }

        /// Without pactl, it is unknown whether the application plays audio.
        @Test func withoutPactlNothingIsFrozenWhereAnAudioServerRuns() throws {
            let sounding = ["PATH": "/nowhere", "PULSE_SERVER": "unix:/nowhere/pulse"]
            let hooks = try HookSession(Self.hook(), environment: sounding)
            let terminal = try ProgramWindow.terminal(hooks.session)
            terminal.iconify()
            try hooks.waitForMessage(
                "not run for XTerm: its state is unknown: there is no pactl: install pulseaudio-utils")
            let environment = hooks.home.environment.merging(sounding) { $1 }
            let check = XPhase.call(["hooks", "check"], environment: environment)
            #expect(check.code == 78)
            #expect(
                check.errors.contains(
                    "xphase: hook 'sleep': do: freeze cannot be done here, since there is no pactl: install pulseaudio-utils, "
                        + "or write except = \"none\""), "\(check)")
            let on = try XPhase.run(
                ["on", "XTerm", "background", "--do", "freeze"], on: hooks.session.display,
                environment: environment)
            #expect(on.code == 69)
            try hooks.home.configure(Self.hook("except = 'none'"))
            try hooks.waitForMessage("configuration reloaded")
            try hooks.session.settle { terminal.activate() }
            terminal.iconify()
            try hooks.waitForMessage("XTerm frozen (")
            try hooks.end()
        }

        @Test func withoutPactlAndWithoutAServiceManagerTheStartAndTheCheckNameIt() throws {
            let home = try HookHome(
                Self.hook().replacing("\"freeze\"", with: "[\"mute\", \"reclaim\", \"slow\"]"))
            let environment = home.environment.merging(["PATH": "/nowhere"]) { $1 }
            let check = XPhase.call(["hooks", "check"], environment: environment)
            let lacks = [
                "xphase: hook 'sleep': do: reclaim and slow cannot be done here, since your service manager "
                    + "(systemd --user) does not run",
                "xphase: hook 'sleep': do: mute cannot be done here, since there is no pactl: install pulseaudio-utils",
            ]
            #expect(check.code == 78 && check.errors == lacks)
            let on = ["on", "a", "background", "--do"]
            for words in [["slow"], ["mute"], ["idle", "--do", "mute", "--do", "reclaim"]] {
                let useless = try XPhase.run(on + words, on: nil, environment: environment)
                #expect(useless.code == 69 && !useless.errors.isEmpty)
                #expect(useless.errors.allSatisfy { $0.contains(" cannot be done here, since ") })
            }
            let stage = try Stage(.openbox)
            // The reactions that are possible still run.
            let useful = try XPhase.start(
                on + ["slow", "--do", "freeze"], on: stage.display, environment: environment)
            #expect(try useful.errors.next()?.contains("do: slow cannot be done here, since ") == true)
            try useful.end()
            let doctor = try XPhase.run(["doctor"], on: stage.display, environment: environment)
            #expect(doctor.output.filter { $0.contains("cannot be done here") }.count == 2)
            let run = try XPhase.start(["run"], on: stage.display, environment: environment)
            #expect(try [run.errors.next(), run.errors.next()] == lacks)
            try run.end(SIGTERM)
        }
    }
}
