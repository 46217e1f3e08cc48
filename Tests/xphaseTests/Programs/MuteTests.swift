import Glibc
import TestDesktop
import Testing

extension ProgramTests {
    /// Muting and unmuting of real streams.
    @Suite struct MuteTests {
        private let sound: SoundServer

        init() throws { sound = try SoundServer() }

        private func session() throws -> HookSession {
            try HookSession(DesktopTests.HangingToolTests.mute, environment: sound.address)
        }

        /// Plays a stream outside the terminal.
        private func other() throws -> Program {
            try Program(
                "pacat", ["--raw", "/dev/zero"], package: "pulseaudio-utils", environment: sound.environment)
        }

        @Test func onlyStreamsThatWereHeardBeforeAreHeardAgain() throws {
            let hooks = try session()
            let other = try other()
            #expect(try waitUntil { try sound.muted() == [false] })
            let terminal = try sound.terminal(hooks.session, streams: 2)
            // The user has muted this stream.
            try sound.ask("set-sink-input-mute", "1", "1")
            for _ in 1...2 {
                terminal.iconify()
                #expect(try hooks.waitForMessage("muted") == "xphase: hook 'hush': XTerm muted (1 stream)")
                #expect(try sound.muted() == [false, true, true])
                let status = try DesktopTests.ControlTests.states(hooks).last ?? ""
                #expect(status.contains(": XTerm: entered since ") && status.hasSuffix(", mute"))
                terminal.activate()
                #expect(
                    try hooks.waitForMessage("unmuted") == "xphase: hook 'hush': XTerm unmuted (1 stream)")
                #expect(try sound.muted() == [false, true, false])
                try hooks.session.settle()
            }
            terminal.iconify()
            try hooks.waitForMessage("muted (1 stream)")
            // The audio server cannot distinguish the program of this stream from that in the terminal.
            let late = try self.other()
            #expect(try waitUntil { try sound.muted() == [false, true, true, true] })
            try hooks.end()
            #expect(try sound.muted() == [false, true, false, true])
            #expect(try hooks.home.records().isEmpty)
            try late.end()
            try other.end()
        }

        /// Two programs have the same PID in their namespaces, and report that PID.
        @Test func onlyItsOwnStreamsAreMutedWhereItHasItsOwnProcessNumbers() throws {
            let hooks = try session()
            let player = try Program.find("pacat", package: "pulseaudio-utils")
            let names = ["radio", "film"].map { "\(hooks.home.path)/\($0)" }
            for name in names { #expect(try Program.run("cp", [player, name]).code == 0) }
            let unshare = try Program.find("unshare", package: "util-linux")
            func sandbox(_ name: String) -> [String] {
                ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", name, "--raw", "/dev/zero"]
            }
            let other = try Program(unshare, sandbox(names[0]), environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [false] })
            let terminal = try ProgramWindow(
                hooks.session, "xterm", ["-e", unshare] + sandbox(names[1]), application: "XTerm",
                environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [false, false] })
            #expect(try sound.players() == [1, 1])
            terminal.iconify()
            try hooks.waitForMessage("XTerm muted (1 stream)")
            #expect(try sound.muted() == [false, true])
            terminal.activate()
            try hooks.waitForMessage("XTerm unmuted (1 stream)")
            #expect(try sound.muted() == [false, false])
            try hooks.end()
            try other.end()
        }

        /// The audio server remembers that an application was muted.
        @Test func theNextStreamIsHeardThoughTheMutedOneHasEnded() throws {
            let hooks = try session()
            let file = "\(hooks.home.path)/go"
            let script =
                "pacat --raw /dev/zero; while [ ! -e \(file) ]; do sleep 0.1; done; pacat --raw /dev/zero"
            let terminal = try ProgramWindow(
                hooks.session, "xterm", ["-e", "sh", "-c", script], application: "XTerm",
                environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [false] })
            terminal.iconify()
            try hooks.waitForMessage("muted (1 stream)")
            for player in try sound.players() { kill(player, SIGTERM) }
            #expect(try waitUntil { try sound.muted().isEmpty })
            terminal.activate()
            try hooks.waitForMessage("unmuted (1 stream)")
            try hooks.home.write("go", "")
            #expect(try waitUntil { try !sound.muted().isEmpty })
            #expect(try sound.muted() == [false])
            try hooks.end()
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
            let terminal = try sound.terminal(hooks.session)
            terminal.iconify()
            try hooks.waitForMessage("muted")
            sound.send(SIGSTOP)
            terminal.activate()
            try hooks.waitForMessage("XTerm is not restored: pactl does not answer")
            try hooks.waitForMessage("leave for XTerm is retried in 1s")
            unlink(socket)
            sound.send(SIGCONT)
            try hooks.waitForMessage("XTerm is not restored: no audio server is running")
            symlink("\(sound.folder.path)/socket", socket)
            try hooks.waitForMessage("unmuted (1 stream)")
            #expect(try sound.muted() == [false])
            try hooks.end()
        }
    }
}
