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

        /// A watch goes on meanwhile. A first reading waits, but not for long, and ends it.
        @Test func aUserIsIdleThoughPactlHangs() throws {
            let (stage, _) = try Stage.alpha(.none)
            stage.environment["PULSE_SERVER"] = "nowhere"
            try stage.home.addTool("pactl", "echo $$ >>'\(stage.home.path)/asked'; exec sleep 1000")
            let watch = try stage.start("watch --json --idle 1s")
            _ = try watch.output.next()
            func tools() throws -> [pid_t] { try stage.home.lines("asked").compactMap { pid_t($0) } }
            try stage.display.run("xdotool key a")
            #expect(try waitUntil { try tools().contains { kill($0, 0) == 0 } })
            try stage.show(.init("Beta"))
            // In either order: on a slow machine, pactl is given up first.
            var isIdle = false
            var isShown = false
            while !isIdle || !isShown {
                let line = try Line(#require(try watch.output.next()))
                if line.kind != "application" { continue }
                isIdle = isIdle || line.description == "Alpha active→inactive idle"
                isShown = isShown || line.description.hasPrefix("Beta →")
            }
            try stage.home.configure("idle = '1s'")
            try stage.expect("phase alpha", output: ["inactive"])
            try watch.end()
            #expect(try tools().count > 1 && waitUntil { try tools().allSatisfy { kill($0, 0) != 0 } })
        }

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

        /// The server has stored two mutes, and their streams have ended. Each `pacat` plays only once both run.
        @Test func mutesThatTheServerHasStoredAreUndoneAtOnce() throws {
            let hooks = try HookSession(Self.mute, environment: ["PULSE_SERVER": "nowhere"]) { home, _ in
                try home.addTool(
                    "pactl",
                    """
                    cd '\(home.path)'; case $* in *mute*) echo "$2 $3" >>log; exit;; esac
                    set -- playing*
                    if [ -e streams ]; then cat streams; elif [ $# = 2 ]; then sed '1s/^/[/; $s/,$/]/' "$@"; else echo []; fi
                    """)
                try home.addTool(
                    "pacat",
                    """
                    cd '\(home.path)'
                    name=${2#*=*=}
                    stream='{"index":1'$name',"corked":false,"mute":true,"properties":{"application.process.id":"'$$'",'
                    echo "$stream\\"module-stream-restore.id\\":\\"sink-input-by-application-name:$name\\"}}," >draft$name
                    trap "rm playing$name; exit" TERM
                    mv draft$name playing$name
                    sleep 1000 & wait
                    """)
            }
            let terminal = try ProgramWindow.terminal(hooks.session)
            let streams = [1, 2].map { number in
                let name = "sink-input-by-application-name:\(number)"
                let pid = #""application.process.id":"\#(terminal.program.pid)""#
                let properties = #"{\#(pid),"module-stream-restore.id":"\#(name)"}"#
                return #"{"index":\#(number),"corked":false,"mute":false,"properties":\#(properties)}"#
            }
            try hooks.home.write("streams", "[\(streams.joined(separator: ","))]")
            terminal.iconify()
            try hooks.waitForMessage("XTerm muted (2 streams)")
            rename("\(hooks.home.path)/streams", "\(hooks.home.path)/ended")
            terminal.activate()
            try hooks.waitForMessage("XTerm unmuted (2 streams)")
            #expect(try Set(hooks.home.lines("log")) == ["1 1", "2 1", "11 0", "12 0"])
            try hooks.end()
        }
    }
}
