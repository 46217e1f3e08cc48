import TestDesktop
import Testing

extension ProgramTests {
    /// Programs that play or record audio are not frozen.
    @Suite struct AudioExceptionTests {
        private let sound: SoundServer
        private let hooks: HookSession

        init() throws {
            sound = try SoundServer()
            hooks = try HookSession(DesktopTests.FreezeTests.hook(), environment: sound.address)
        }

        private func status() throws -> [String] {
            try DesktopTests.ControlTests.states(hooks)
        }

        @Test func aPlayerIsFrozenOnceItPauses() throws {
            let socket = "\(hooks.home.path)/mpv"
            let mpv = try Program.find("mpv", package: "mpv")
            let terminal = try ProgramWindow(
                hooks.session, "xterm",
                [
                    "-e", mpv, "--no-config", "--ao=pulse", "--no-video", "--really-quiet",
                    "--input-ipc-server=\(socket)", "av://lavfi:sine",
                ], application: "XTerm", environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [false] })
            // A muted stream counts as running, too.
            try sound.ask("set-sink-input-mute", "0", "1")
            #expect(try sound.muted() == [true])
            terminal.iconify()
            try hooks.waitForMessage("does not freeze XTerm: it plays audio; checked again after 10s")
            #expect(try status().last?.contains(": XTerm: excepted until ") == true)
            #expect(try status().last?.hasSuffix(": it plays audio") == true)
            let pause = """
                import socket; s = socket.socket(socket.AF_UNIX); s.connect('\(socket)')
                s.send(b'{"command": ["set_property", "pause", true]}\\n'); s.recv(100)
                """
            #expect(try Program.run("python3", ["-c", pause], package: "python3").code == 0)
            try hooks.waitForMessage("XTerm frozen (2 processes)")
            try hooks.end()
        }

        /// A freeze would lose the recording. Once the window is shown, the status names the exception as a former
        /// reason.
        @Test func aRecorderIsNotFrozen() throws {
            let recorder = try Program.find("parec", package: "pulseaudio-utils")
            let terminal = try ProgramWindow(
                hooks.session, "xterm", ["-e", "sh", "-c", "exec \(recorder) --raw >/dev/null"],
                application: "XTerm", environment: sound.environment)
            #expect(
                try waitUntil {
                    try sound.ask("list", "source-outputs").output.contains { $0.contains("Corked: no") }
                })
            terminal.iconify()
            try hooks.waitForMessage("does not freeze XTerm: it records audio; checked again after 10s")
            try hooks.session.settle { terminal.activate() }
            let reason = "it is no longer in the background; before that: it records audio"
            #expect(try status() == ["sleep: XTerm: ready: \(reason)"])
            try hooks.end()
        }
    }
}
