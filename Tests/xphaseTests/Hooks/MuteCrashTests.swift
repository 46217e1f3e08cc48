import Glibc
import TestDesktop
import Testing

/// Muted streams when xphase or the display dies, or when a required program does not answer.
extension DesktopTests.MuteTests {
    @Test func itIsHeardAgainWhenXphaseEndsAndAfterKill() throws {
        let sound = try SoundServer()
        let hooks = try HookSession(Self.hook, environment: sound.address)
        let terminal = try sound.terminal(hooks.session)
        terminal.iconify()
        try hooks.waitForMessage("muted")
        try hooks.run.end(SIGKILL)
        #expect(try sound.muted() == [true])
        try hooks.session.restart()
        try hooks.waitForMessage("unmuted (1 stream)")
        #expect(try sound.muted() == [false])
        try hooks.session.settle { terminal.activate() }
        terminal.iconify()
        try hooks.waitForMessage(" muted")
        try hooks.home.configure("")
        try hooks.waitForMessage("unmuted (1 stream)")
        #expect(try sound.muted() == [false])
        try hooks.end()
    }

    /// An audio server remembers muted streams across a power failure, and so must the record. The freeze waits, too.
    @Test func nothingIsMutedBeforeTheDiskKnowsIt() throws {
        let sound = try SoundServer()
        let keys = "do = [\"freeze\", \"mute\"]\nexcept = \"none\""
        let hooks = try HookSession(
            Self.hook.replacing("do = \"mute\"", with: keys)
                + HookSession.hook("later", "application = \"Beta\"", shell: "sleep 1; echo >> later"),
            environment: sound.address)
        let terminal = try sound.terminal(hooks.session)
        terminal.iconify()
        try hooks.waitForMessage("muted (1 stream)")
        terminal.activate()
        try hooks.waitForMessage("unmuted (1 stream)")
        try hooks.session.settle()
        // The first fsync is that of `enter`.
        let slowness = try hooks.slowDisk(from: 2)
        terminal.iconify()
        try hooks.session.open("Beta", x: 300)
        try hooks.home.waitForFile("later")
        #expect(try sound.muted() == [false] && !terminal.isStopped)
        try slowness.end()
        try hooks.waitForMessage("XTerm frozen (")
        #expect(try sound.muted() == [true])
        try hooks.end()
        #expect(try sound.muted() == [false])
    }

    /// The player outlives its window.
    @Test func itIsHeardAgainWhenTheDisplayDies() throws {
        let sound = try SoundServer()
        let hooks = try HookSession(Self.hook, environment: sound.address)
        let player = try Program.find("pacat", package: "pulseaudio-utils")
        let terminal = try ProgramWindow(
            hooks.session, "xterm", ["-e", "sh", "-c", "setsid \(player) --raw /dev/zero & wait"],
            package: "xterm", application: "XTerm", environment: sound.environment)
        #expect(try waitUntil { try sound.muted() == [false] })
        terminal.iconify()
        try hooks.waitForMessage("muted (1 stream)")
        #expect(try sound.muted() == [true])
        try hooks.session.display.crash()
        #expect(try hooks.ended(with: 69).contains { $0.hasSuffix("XTerm unmuted (1 stream)") })
        #expect(try sound.muted() == [false])
        #expect(try hooks.home.records().isEmpty)
        for player in try sound.players() { kill(player, SIGTERM) }
    }

    /// If the server does not answer the unmute, xphase retries until it does.
    @Test func whatCannotBeUndoneStaysOwed() throws {
        let sound = try SoundServer()
        let hooks = try HookSession(Self.hook, environment: sound.address)
        let terminal = try sound.terminal(hooks.session)
        terminal.iconify()
        try hooks.waitForMessage("muted")
        sound.send(SIGSTOP)
        terminal.activate()
        try hooks.waitForMessage("XTerm is not restored: pactl does not answer")
        try hooks.waitForMessage("leave for XTerm is retried in 1s")
        sound.send(SIGCONT)
        try hooks.waitForMessage("unmuted (1 stream)")
        #expect(try sound.muted() == [false])
        try hooks.end()
    }

    @Test func whereNoServerRunsItStaysOwed() throws {
        let sound = try SoundServer()
        // The socket is where a session has it, so the test can remove it.
        var socket = ""
        let hooks = try HookSession(Self.hook) { home, _ in
            mkdir("\(home.path)/runtime/pulse", 0o700)
            socket = "\(home.path)/runtime/pulse/native"
            symlink("\(sound.folder.path)/socket", socket)
        }
        let terminal = try sound.terminal(hooks.session)
        terminal.iconify()
        try hooks.waitForMessage("muted")
        unlink(socket)
        terminal.activate()
        try hooks.waitForMessage("XTerm is not restored: no audio server runs")
        try hooks.waitForMessage("leave for XTerm is retried in 1s")
        hooks.run.send(SIGTERM)
        _ = try hooks.ended()
        #expect(try hooks.home.records().count == 1)
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
        #expect(try DesktopTests.ControlTests.hooks(hooks, "status").code == 0)
        rename("\(hooks.home.path)/block", "\(hooks.home.path)/unblocked")
        try hooks.home.waitForLines(["set-sink-input-mute 7 1", "set-sink-input-mute 7 0"])
        #expect(try waitUntil { try hooks.home.records().isEmpty })
        try hooks.end()
    }

    /// xphase is killed while `pactl`, which has started another program, hangs.
    @Test func aGrandchildOfAToolThatHangsKeepsNoStartWaiting() throws {
        let hooks = try HookSession(Self.hook, environment: ["PULSE_SERVER": "nowhere"]) { home, _ in
            try home.addTool("pactl", "cd '\(home.path)'; echo >asked; sleep 60 & wait")
        }
        let terminal = try ProgramWindow.terminal(hooks.session)
        terminal.iconify()
        try hooks.home.waitForFile("asked")
        try hooks.run.end(SIGKILL)
        try hooks.session.restart()
        #expect(try DesktopTests.ControlTests.hooks(hooks, "status").code == 0)
        try hooks.end()
    }

    /// Killed at their writes are xphase or, with `-f`, also its descendants.
    @Test(arguments: [([], 1...9), (["-f"], 2...4)])
    func whereverItIsKilledTheNextStartUndoesIt(options: [String], numbers: ClosedRange<Int>) throws {
        let home = try HookHome()
        let sound = try SoundServer()
        let session = try Session(.openbox)
        let terminal = try sound.terminal(session)
        try session.applicationLine("XTerm", to: "background") { terminal.iconify() }
        let environment = session.display.environment.merging(home.environment) { $1 }
            .merging(sound.address) { $1 }
        let on = ["on", "XTerm", "background", "--initial", "--do", "mute"]
        var wasMuted = false
        for number in numbers {
            let killed = try Program(
                "strace",
                options + [
                    "-D", "-qq", "-o", "/dev/null", "-e", "trace=write", "-e",
                    "inject=write:signal=SIGKILL:when=\(number)", XPhase.path,
                ] + on, package: "strace", environment: environment)
            _ = try waitUntil(within: .seconds(6)) {
                let isMuted = try sound.muted() == [true]
                wasMuted = wasMuted || isMuted
                return isMuted || (try? killed.exitCode(within: .milliseconds(1))) != nil
            }
            killed.send(SIGTERM)
            _ = try killed.exitCode()
            let next = try Program(XPhase.path, on, environment: environment)
            try next.waitForError("XTerm muted (1 stream)")
            try next.end(SIGTERM)
            #expect(try sound.muted() == [false], "write \(number) \(options)")
        }
        #expect(wasMuted || !options.isEmpty)
    }
}
