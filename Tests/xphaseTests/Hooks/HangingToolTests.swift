import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Muting by a fake `pactl`, which may hang.
    @Suite struct HangingToolTests {
        static let mute = """
            [[hook]]
            name = "hush"
            application = "XTerm"
            while = "background"
            do = "mute"

            """

        /// A start does not wait until the reactions of a killed command are undone, since `pactl` may take long to answer.
        @Test func aStartDoesNotWaitForWhatAKilledCommandHeld() throws {
            let hooks = try HookSession("", environment: ["PULSE_SERVER": "nowhere"]) { home, _ in
                try home.addTool(
                    "pactl",
                    """
                    cd '\(home.path)'; case $* in *mute*) echo "$@" >>log; exit;; esac
                    if [ -e block ]; then echo >asked; while [ -e block ]; do sleep 0.05; done; fi; cat streams
                    """)
            }
            let terminal = try ProgramWindow.terminal(hooks.session)
            try hooks.session.settle { terminal.iconify() }
            func play(isMuted: Bool) throws {
                let properties = #"{"application.process.id":"\#(terminal.program.pid)"}"#
                try hooks.home.write(
                    "streams", #"[{"index":7,"corked":false,"mute":\#(isMuted),"properties":\#(properties)}]"#
                )
            }
            try play(isMuted: false)
            let command = try XPhase.start(
                ["on", "XTerm", "background", "--initial", "--do", "mute"], on: hooks.session.display,
                environment: hooks.home.environment.merging(["PULSE_SERVER": "nowhere"]) { $1 })
            try command.waitForError("XTerm muted (1 stream)")
            // The service, which holds the mute for the command, is killed, too.
            try hooks.run.end(SIGKILL)
            try command.end(SIGKILL)
            try play(isMuted: true)
            try hooks.home.write("block", "")
            try hooks.session.restart()
            try hooks.home.waitForFile("asked")
            // The service answers although `pactl` does not.
            #expect(try hooks.xphase("hooks", "status").code == 0)
            rename("\(hooks.home.path)/block", "\(hooks.home.path)/unblocked")
            try hooks.home.waitForLines(["set-sink-input-mute 7 1", "set-sink-input-mute 7 0"])
            #expect(try waitUntil { try hooks.home.records().isEmpty })
            try hooks.end()
        }
    }
}
