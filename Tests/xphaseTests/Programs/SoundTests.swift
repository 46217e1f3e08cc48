import Glibc
import TestDesktop
import Testing

extension ProgramTests {
    /// Programs whose real streams are muted and unmuted, and that are not frozen while they play or record.
    @Suite struct SoundTests {
        @Test func onlyStreamsThatWereHeardBeforeAreHeardAgain() throws {
            let sound = try SoundServer()
            let hooks = try sound.session()
            let other = try sound.startPlayer()
            try sound.waitForStreams([false])
            let terminal = try sound.terminal(
                hooks.session, "sh", "-c", "\(sound.play) & \(sound.play) & wait")
            try sound.waitForStreams([false, false, false])
            // The user has muted this stream.
            try sound.mute(stream: 1)
            for _ in 1...2 {
                try sound.setHidden(true, terminal, hooks, muted: false, true, true)
                let status = try DesktopTests.ControlTests.states(hooks).last ?? ""
                #expect(status.contains(": XTerm: entered since ") && status.hasSuffix(", mute"))
                try sound.setHidden(false, terminal, hooks, muted: false, true, false)
                try hooks.session.settle()
            }
            try sound.setHidden(true, terminal, hooks, muted: false, true, true)
            let late = try sound.startPlayer()
            try sound.waitForStreams([false, true, true, true])
            try hooks.end()
            try sound.waitForStreams([false, true, false, true])
            #expect(try hooks.home.records().isEmpty)
            for program in [late, other] { try program.end() }
        }

        /// Returns a script that plays in a sandbox, where the number of the program is 1. With the ID of an application,
        /// its root directory is as in Flatpak.
        private func sandbox(_ hooks: HookSession, _ program: String, of id: String = "") throws -> String {
            let player = try Program.find("pacat", package: "pulseaudio-utils")
            let copy = "\(hooks.home.path)/\(program)"
            #expect(try Program.run("cp", [player, copy]).code == 0)
            try hooks.home.write(
                "sandbox",
                """
                set -e
                player=$1 id=$2
                [ "$id" ] || exec "$player" --raw /dev/zero
                root=$(mktemp -d -p "${0%/*}")
                mount -t tmpfs tmpfs "$root"
                cd "$root"
                mkdir usr tmp dev etc proc
                for part in *; do mount --rbind "/$part" "$part"; done
                ln -s usr/bin usr/lib usr/lib64 .
                printf '[Application]\\nname=%s\\n' "$id" >.flatpak-info
                exec chroot . "$player" --raw --property="application.id=$id" /dev/zero
                """)
            return "exec unshare --user --map-root-user --mount --pid --fork --mount-proc "
                + "sh \(hooks.home.path)/sandbox \(copy) \(id)"
        }

        /// Starts a player outside of the terminal and one in it. Both report the same number.
        private func sandboxes(
            _ sound: SoundServer, _ hooks: HookSession, _ other: String, _ own: String
        ) throws -> (other: Program, terminal: ProgramWindow) {
            let other = try sound.start(other)
            try sound.waitForStreams([false])
            let terminal = try sound.terminal(hooks.session, "sh", "-c", own)
            try sound.waitForStreams([false, false])
            #expect(try sound.clients(numbered: 1) == 2)
            return (other, terminal)
        }

        @Test(arguments: [("radio", "", "film", ""), ("player", "org.x.Radio", "player", "org.x.Film")])
        func onlyStreamsOfASandboxAreMutedWhereItHasItsOwnProcessNumbers(
            radio: String, id: String, film: String, ownID: String
        ) throws {
            let sound = try SoundServer()
            let hooks = try sound.session()
            let (other, terminal) = try sandboxes(
                sound, hooks, sandbox(hooks, radio, of: id), sandbox(hooks, film, of: ownID))
            try sound.setHidden(true, terminal, hooks, muted: false, true)
            try sound.setHidden(false, terminal, hooks, muted: false, false)
            try other.end()
        }

        /// Their streams name no process, and PipeWire sees the numbers outside of them.
        @Test func aSandboxWithoutPulseAudioHasItsStreamsMutedThoughAnotherPlaysTheSame() throws {
            let sound = try SoundServer(.pipewire)
            let hooks = try sound.session()
            let sandbox =
                "exec unshare --user --map-root-user --mount --pid --kill-child --mount-proc \(sound.play)"
            let (other, terminal) = try sandboxes(sound, hooks, sandbox, sandbox)
            try sound.setHidden(true, terminal, hooks, muted: false, true)
            try sound.setHidden(false, terminal, hooks, muted: false, false)
            try other.end()
        }

        @Test func sandboxesThatCannotBeToldApartAreNamed() throws {
            let sound = try SoundServer()
            let hooks = try sound.session()
            let player = try sandbox(hooks, "player")
            let (other, terminal) = try sandboxes(sound, hooks, player, player)
            terminal.iconify()
            let line = try hooks.waitForMessage("XTerm is not muted: 2 streams may be of process ")
            #expect(line.hasSuffix(", which have the same number and program in their sandboxes"))
            let status = try DesktopTests.ControlTests.states(hooks).last ?? ""
            #expect(
                status.contains(": XTerm: failed: is not muted: 2 streams may be of process "), "\(status)")
            try sound.waitForStreams([false, false])
            try other.end()
        }

        /// The audio server remembers that an application was muted.
        @Test(arguments: SoundServer.Kind.allCases)
        func theNextStreamIsHeardThoughTheMutedOneHasEnded(server: SoundServer.Kind) throws {
            let sound = try SoundServer(server)
            let hooks = try sound.session()
            let (end, go) = ("\(hooks.home.path)/end", "\(hooks.home.path)/go")
            let script = """
                \(sound.play) & until [ -e \(end) ]; do sleep 0.1; done; kill $!
                until [ -e \(go) ]; do sleep 0.1; done; \(sound.play)
                """
            let terminal = try sound.terminal(hooks.session, "sh", "-c", script)
            try sound.waitForStreams([false])
            try sound.setHidden(true, terminal, hooks, muted: true)
            try hooks.home.write("end", "")
            try sound.waitForStreams([])
            try sound.setHidden(false, terminal, hooks)
            try hooks.home.write("go", "")
            #expect(try waitUntil { try !sound.muted().isEmpty })
            try sound.waitForStreams([false])
        }

        /// xphase retries while the server does not answer or does not run.
        @Test func aStreamThatCannotBeUnmutedIsUnmutedLater() throws {
            let sound = try SoundServer()
            // The socket is where a session has it, so the test can remove it.
            var socket = ""
            let hooks = try HookSession(DesktopTests.HangingToolTests.mute) { home, _ in
                mkdir("\(home.path)/runtime/pulse", 0o700)
                socket = "\(home.path)/runtime/pulse/native"
                symlink(sound.socket, socket)
            }
            let terminal = try sound.terminal(hooks.session, "sh", "-c", sound.play)
            try sound.waitForStreams([false])
            terminal.iconify()
            try hooks.waitForMessage("muted")
            sound.server.send(SIGSTOP)
            terminal.activate()
            try hooks.waitForMessage("XTerm is not restored: pactl does not answer")
            try hooks.waitForMessage("leave for XTerm is retried in 1s")
            unlink(socket)
            sound.server.send(SIGCONT)
            try hooks.waitForMessage("XTerm is not restored: no audio server is running")
            symlink(sound.socket, socket)
            try hooks.waitForMessage("unmuted (1 stream)")
            try sound.waitForStreams([false])
        }

        /// A muted stream counts as running, too.
        @Test(arguments: SoundServer.Kind.allCases)
        func aPlayerIsFrozenOnceItPauses(server: SoundServer.Kind) throws {
            let sound = try SoundServer(server)
            let hooks = try sound.session(DesktopTests.FreezeTests.hook())
            let socket = "\(hooks.home.path)/mpv"
            let terminal = try sound.terminal(
                hooks.session, Program.find("mpv", package: "mpv"), "--no-config", "--ao=\(server)",
                "--no-video",
                "--really-quiet", "--input-ipc-server=\(socket)", "av://lavfi:sine")
            try sound.waitForStreams([false])
            try sound.mute(stream: 0)
            try sound.waitForStreams([true])
            terminal.iconify()
            try hooks.waitForMessage("does not freeze XTerm: it plays audio; checked again after 10s")
            _ = try hooks.xphase("freeze", "XTerm")
            #expect(try hooks.waitForMessage("hook 'by hand: XTerm': ").hasSuffix(" it plays audio"))
            let status = try DesktopTests.ControlTests.states(hooks).last
            #expect(status?.contains(": XTerm: excepted until ") == true)
            #expect(status?.hasSuffix(": it plays audio") == true)
            let pause = """
                import socket; s = socket.socket(socket.AF_UNIX); s.connect('\(socket)')
                s.send(b'{"command": ["set_property", "pause", true]}\\n'); s.recv(100)
                """
            #expect(try Program.run("python3", ["-c", pause], package: "python3").code == 0)
            try hooks.waitForMessage("XTerm frozen (2 processes)")
        }

        /// It inhibits nothing. Another program plays all the time.
        @Test(arguments: SoundServer.Kind.allCases)
        func nobodyIsIdleWhileTheActiveApplicationPlays(server: SoundServer.Kind) throws {
            let sound = try SoundServer(server)
            let home = try HookHome("idle = '1s'")
            let pactl = try Program.find("pactl", package: "pulseaudio-utils")
            try home.addTool("pactl", "\(pactl) \"$@\"; code=$?; echo >>'\(home.path)/asked'; exit $code")
            let session = try Session(
                .openbox, environment: home.environment.merging(sound.address) { $1 })
            let other = try sound.startPlayer()
            let stop = "\(home.path)/stop"
            let script =
                "\(sound.play) & until [ -e \(stop) ]; do sleep 0.1; done; kill $!; exec sleep 1000"
            let terminal = try sound.terminal(session, "sh", "-c", script)
            try sound.waitForStreams([false, false])
            try session.settle { terminal.activate() }
            try session.display.run("xdotool key a")
            let former = try home.lines("asked").count
            #expect(try waitUntil { try home.lines("asked").count > former })
            // The user is idle now but for the sound. The watch has seen that, and so do first readings.
            #expect(try !session.settle().contains { $0.cause == "idle" })
            try session.expect("phase XTerm", output: ["active"])
            #expect(try !session.output("explain XTerm").contains { $0.contains("  idle since ") })
            try session.restart()
            #expect(session.initial.contains { $0.application == "XTerm" && $0.to == "active" })

            try home.write("stop", "")
            try sound.waitForStreams([false])
            try session.expect("phase XTerm", output: ["inactive"])
            #expect(try session.output("explain XTerm").contains { $0.contains("  idle since ") })
            try session.display.run("xdotool key a")
            let fall = try session.applicationLine("XTerm", to: "inactive") {}
            #expect(fall.cause == "idle")
            try other.end()
        }

        /// The server's socket is where a session has it, in a /run of its own. There, the root directory belongs to
        /// nobody, so no configuration would be read.
        @Test func pactlAnswersTheSameWithoutXDG_RUNTIME_DIR() throws {
            let sound = try SoundServer()
            let session = try Session(.openbox)
            let home = try HookHome()
            let script = """
                mount -t tmpfs tmpfs /run && mkdir -p -m 700 /run/user/0/pulse &&
                ln -s \(sound.socket) /run/user/0/pulse/native || exit
                xev >/dev/null & xdotool search --sync --onlyvisible --name Tester || exit
                exec \(XPhase.path) on xev background --do freeze
                """
            let environment = home.environment.merging(session.display.environment) { $1 }.merging([
                "XDG_RUNTIME_DIR": nil, "DBUS_SESSION_BUS_ADDRESS": nil,
            ]) { $1 }
            let run = try Program(
                "unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", script],
                package: "util-linux", environment: environment)
            try run.waitForError("waiting for xev to enter background")
            try session.display.run("xdotool search --sync --name Tester windowminimize")
            try run.waitForError("xev frozen (1 process)")
            try run.end(SIGTERM)
        }

        /// A freeze would lose the recording. Once the window is shown, the status names the exception as a former
        /// reason.
        @Test(arguments: SoundServer.Kind.allCases)
        func aRecorderIsNotFrozen(server: SoundServer.Kind) throws {
            let sound = try SoundServer(server)
            let hooks = try sound.session(DesktopTests.FreezeTests.hook())
            let terminal = try sound.terminal(hooks.session, "sh", "-c", "exec \(sound.record)")
            #expect(
                try waitUntil {
                    try sound.ask("list", "source-outputs").output.contains { $0.contains("Corked: no") }
                })
            terminal.iconify()
            try hooks.waitForMessage("does not freeze XTerm: it records audio; checked again after 10s")
            try hooks.session.settle { terminal.activate() }
            let reason = "it is no longer in the background; before that: it records audio"
            #expect(try DesktopTests.ControlTests.states(hooks) == ["sleep: XTerm: ready: \(reason)"])
        }
    }
}
