import Glibc
import TestDesktop
import Testing

extension ProgramTests {
    /// Programs whose real streams are muted and unmuted, and that are not frozen while they play or record.
    @Suite struct SoundTests {
        private static let play = "pacat --raw /dev/zero"
        private let sound: SoundServer

        init() throws { sound = try SoundServer() }

        private func session(_ hook: String = DesktopTests.HangingToolTests.mute) throws -> HookSession {
            try HookSession(hook, environment: sound.address)
        }

        private func waitForStreams(_ muted: [Bool]) throws {
            guard try waitUntil({ try sound.muted() == muted }) else {
                throw Failure("\(try sound.muted()), not \(muted)")
            }
        }

        /// Hides or shows a terminal, of which one stream is muted or unmuted then.
        private func setHidden(
            _ isHidden: Bool, _ terminal: ProgramWindow, _ hooks: HookSession, muted: Bool...
        ) throws {
            if isHidden { terminal.iconify() } else { terminal.activate() }
            let line = try hooks.waitForMessage(isHidden ? "muted" : "unmuted")
            #expect(line == "xphase: hook 'hush': XTerm \(isHidden ? "" : "un")muted (1 stream)")
            try waitForStreams(muted)
        }

        /// Plays a stream outside the terminal. The audio server cannot distinguish its program from that in the terminal.
        private func other() throws -> Program {
            try Program("sh", ["-c", "exec \(Self.play)"], environment: sound.environment)
        }

        @Test func onlyStreamsThatWereHeardBeforeAreHeardAgain() throws {
            let hooks = try session()
            let other = try other()
            try waitForStreams([false])
            let terminal = try sound.terminal(hooks.session, "sh", "-c", "\(Self.play) & \(Self.play) & wait")
            try waitForStreams([false, false, false])
            // The user has muted this stream.
            try sound.ask("set-sink-input-mute", "1", "1")
            for _ in 1...2 {
                try setHidden(true, terminal, hooks, muted: false, true, true)
                let status = try DesktopTests.ControlTests.states(hooks).last ?? ""
                #expect(status.contains(": XTerm: entered since ") && status.hasSuffix(", mute"))
                try setHidden(false, terminal, hooks, muted: false, true, false)
                try hooks.session.settle()
            }
            try setHidden(true, terminal, hooks, muted: false, true, true)
            let late = try self.other()
            try waitForStreams([false, true, true, true])
            try hooks.end()
            try waitForStreams([false, true, false, true])
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
            _ hooks: HookSession, _ other: String, _ own: String
        ) throws -> (other: Program, terminal: ProgramWindow) {
            let other = try Program("sh", ["-c", other], environment: sound.environment)
            try waitForStreams([false])
            let terminal = try sound.terminal(hooks.session, "sh", "-c", own)
            try waitForStreams([false, false])
            #expect(try sound.players() == [1, 1])
            return (other, terminal)
        }

        @Test(arguments: [("radio", "", "film", ""), ("player", "org.x.Radio", "player", "org.x.Film")])
        func onlyStreamsOfASandboxAreMutedWhereItHasItsOwnProcessNumbers(
            radio: String, id: String, film: String, ownID: String
        ) throws {
            let hooks = try session()
            let (other, terminal) = try sandboxes(
                hooks, sandbox(hooks, radio, of: id), sandbox(hooks, film, of: ownID))
            try setHidden(true, terminal, hooks, muted: false, true)
            try setHidden(false, terminal, hooks, muted: false, false)
            try other.end()
        }

        @Test func sandboxesThatCannotBeToldApartAreNamed() throws {
            let hooks = try session()
            let player = try sandbox(hooks, "player")
            let (other, terminal) = try sandboxes(hooks, player, player)
            terminal.iconify()
            let line = try hooks.waitForMessage("XTerm is not muted: 2 streams may be of process ")
            #expect(line.hasSuffix(", which have the same number and program in their sandboxes"))
            let status = try DesktopTests.ControlTests.states(hooks).last ?? ""
            #expect(
                status.contains(": XTerm: failed: is not muted: 2 streams may be of process "), "\(status)")
            try waitForStreams([false, false])
            try other.end()
        }

        /// The audio server remembers that an application was muted.
        @Test func theNextStreamIsHeardThoughTheMutedOneHasEnded() throws {
            let hooks = try session()
            let file = "\(hooks.home.path)/go"
            let script = "\(Self.play); while [ ! -e \(file) ]; do sleep 0.1; done; \(Self.play)"
            let terminal = try sound.terminal(hooks.session, "sh", "-c", script)
            try waitForStreams([false])
            try setHidden(true, terminal, hooks, muted: true)
            for player in try sound.players() { kill(player, SIGTERM) }
            try waitForStreams([])
            try setHidden(false, terminal, hooks)
            try hooks.home.write("go", "")
            #expect(try waitUntil { try !sound.muted().isEmpty })
            try waitForStreams([false])
        }

        /// xphase retries while the server does not answer or does not run.
        @Test func aStreamThatCannotBeUnmutedIsUnmutedLater() throws {
            // The socket is where a session has it, so the test can remove it.
            var socket = ""
            let hooks = try HookSession(DesktopTests.HangingToolTests.mute) { home, _ in
                mkdir("\(home.path)/runtime/pulse", 0o700)
                socket = "\(home.path)/runtime/pulse/native"
                symlink("\(sound.folder.path)/socket", socket)
            }
            let terminal = try sound.terminal(hooks.session, "sh", "-c", Self.play)
            try waitForStreams([false])
            terminal.iconify()
            try hooks.waitForMessage("muted")
            sound.server.send(SIGSTOP)
            terminal.activate()
            try hooks.waitForMessage("XTerm is not restored: pactl does not answer")
            try hooks.waitForMessage("leave for XTerm is retried in 1s")
            unlink(socket)
            sound.server.send(SIGCONT)
            try hooks.waitForMessage("XTerm is not restored: no audio server is running")
            symlink("\(sound.folder.path)/socket", socket)
            try hooks.waitForMessage("unmuted (1 stream)")
            try waitForStreams([false])
        }

        /// A muted stream counts as running, too.
        @Test func aPlayerIsFrozenOnceItPauses() throws {
            let hooks = try session(DesktopTests.FreezeTests.hook())
            let socket = "\(hooks.home.path)/mpv"
            let terminal = try sound.terminal(
                hooks.session, Program.find("mpv", package: "mpv"), "--no-config", "--ao=pulse", "--no-video",
                "--really-quiet", "--input-ipc-server=\(socket)", "av://lavfi:sine")
            try waitForStreams([false])
            try sound.ask("set-sink-input-mute", "0", "1")
            try waitForStreams([true])
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

        /// The server's socket is where a session has it, in a /run of its own. There, the root directory belongs to
        /// nobody, so no configuration would be read.
        @Test func pactlAnswersTheSameWithoutXDG_RUNTIME_DIR() throws {
            let session = try Session(.openbox)
            let home = try HookHome()
            let script = """
                mount -t tmpfs tmpfs /run && mkdir -p -m 700 /run/user/0/pulse &&
                ln -s \(sound.folder.path)/socket /run/user/0/pulse/native || exit
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
        @Test func aRecorderIsNotFrozen() throws {
            let hooks = try session(DesktopTests.FreezeTests.hook())
            let terminal = try sound.terminal(hooks.session, "sh", "-c", "exec parec --raw >/dev/null")
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

/// A private PulseAudio server with a null sink.
final class SoundServer {
    let folder: TemporaryFolder
    let server: Program

    init() throws {
        folder = try TemporaryFolder()
        let socket = "module-native-protocol-unix auth-anonymous=1 socket=\(folder.path)/socket"
        let modules = ["module-null-sink", "module-stream-restore", socket].flatMap { ["-L", $0] }
        server = try Program(
            "pulseaudio", ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"] + modules,
            package: "pulseaudio",
            environment: [
                "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": nil,
            ])
        guard try waitUntil({ try ask("info").code == 0 }) else {
            throw Failure("pulseaudio does not answer")
        }
    }

    /// The environment for clients with their own home.
    var address: [String: String?] { ["PULSE_SERVER": "unix:\(folder.path)/socket"] }
    var environment: [String: String?] { address.merging(["HOME": folder.path]) { $1 } }

    /// Returns whether each playing stream is muted, in the order in which the streams began.
    func muted() throws -> [Bool] {
        try ask("list", "sink-inputs").output.filter { $0.contains("Mute: ") }.map { $0.contains("yes") }
    }

    /// Returns the PIDs that the streams report.
    func players() throws -> [pid_t] {
        try ask("list", "sink-inputs").output.filter { $0.contains("application.process.id") }
            .compactMap { pid_t($0.filter(\.isNumber)) }
    }

    @discardableResult func ask(_ words: String...) throws -> XPhase.Result {
        try Program.run(
            "pactl", words, package: "pulseaudio-utils",
            environment: environment.merging(["LC_ALL": "C"]) { $1 })
    }

    /// Starts a terminal with a program that plays or records.
    func terminal(_ session: Session, _ command: String...) throws -> ProgramWindow {
        try ProgramWindow(
            session, "xterm", ["-e"] + command, package: "xterm", application: "XTerm",
            environment: environment)
    }
}
