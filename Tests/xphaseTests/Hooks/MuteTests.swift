import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Muting and unmuting of real streams.
    @Suite struct MuteTests {
        static let hook = """
            [[hook]]
            name = "hush"
            application = "XTerm"
            while = "background"
            do = "mute"

            """

        @Test func whatHasNoStreamSaysSoInTheStatus() throws {
            let sound = try SoundServer()
            let hooks = try HookSession(Self.hook, environment: sound.address)
            let terminal = try ProgramWindow.terminal(hooks.session)
            terminal.iconify()
            #expect(
                try waitUntil {
                    try ControlTests.hooks(hooks, "status").output.last
                        == "  XTerm: has nothing to do: it has no audible stream"
                })
            #expect(try !hooks.end().contains { $0.contains("muted") })
        }

        @Test func onlyStreamsThatWereHeardBeforeAreHeardAgain() throws {
            let sound = try SoundServer()
            let hooks = try HookSession(Self.hook, environment: sound.address)
            let other = try Program(
                "pacat", ["--raw", "/dev/zero"], package: "pulseaudio-utils", environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [false] })
            let terminal = try sound.terminal(hooks.session, streams: 2)
            // The user has muted this stream.
            try sound.ask("set-sink-input-mute", "1", "1")
            for _ in 1...2 {
                terminal.iconify()
                #expect(try hooks.waitForMessage("muted") == "xphase: hook 'hush': XTerm muted (1 stream)")
                #expect(try sound.muted() == [false, true, true])
                let status = try ControlTests.hooks(hooks, "status").output.last ?? ""
                #expect(status.hasPrefix("  XTerm: entered since ") && status.hasSuffix(", mute"))
                terminal.activate()
                #expect(
                    try hooks.waitForMessage("unmuted") == "xphase: hook 'hush': XTerm unmuted (1 stream)")
                #expect(try sound.muted() == [false, true, false])
                try hooks.session.settle()
            }
            try hooks.end()
            #expect(try hooks.home.records().isEmpty)
            try other.end()
        }

        /// The audio server cannot distinguish this program from the one in the terminal.
        @Test func aStreamOfAnotherProgramStaysAsItIs() throws {
            let sound = try SoundServer()
            let hooks = try HookSession(Self.hook, environment: sound.address)
            let terminal = try sound.terminal(hooks.session)
            terminal.iconify()
            try hooks.waitForMessage("XTerm muted (1 stream)")
            let other = try Program(
                "pacat", ["--raw", "/dev/zero"], package: "pulseaudio-utils", environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [true, true] })
            terminal.activate()
            try hooks.waitForMessage("XTerm unmuted (1 stream)")
            #expect(try sound.muted() == [false, true])
            try hooks.end()
            try other.end()
        }

        /// The audio server remembers that an application was muted.
        @Test func theNextStreamIsHeardThoughTheMutedOneHasEnded() throws {
            let sound = try SoundServer()
            let hooks = try HookSession(Self.hook, environment: sound.address)
            let file = "\(hooks.home.path)/go"
            let script =
                "pacat --raw /dev/zero; while [ ! -e \(file) ]; do sleep 0.1; done; pacat --raw /dev/zero"
            let terminal = try ProgramWindow(
                hooks.session, "xterm", ["-e", "sh", "-c", script], package: "xterm", application: "XTerm",
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
    }
}
