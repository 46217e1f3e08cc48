import Glibc
import System
import TestDesktop
import Testing

@testable import Service

/// What the commands about the service tell the user to type, and what other programs get.
@Suite struct SessionServiceTests {
    private let folder: TemporaryFolder
    private let own: String

    init() throws {
        folder = try TemporaryFolder()
        own = folder("sessions/\(geteuid())")
        for path in [folder("sessions"), own, "\(own)/systemd", "\(own)/pulse"] { mkdir(path, 0o700) }
    }

    private func environment(_ variables: [String: String] = [:]) -> Environment {
        Environment(variables.merging(["HOME": folder.path]) { $1 })
            .completed(sessions: SystemString(folder("sessions")))
    }

    @Test(arguments: [
        ("disabled", "CALL enable xphase && DISPLAY=:7 xphase session start"),
        ("masked", "CALL unmask xphase && CALL enable xphase && DISPLAY=:7 xphase session start"),
        ("enabled", "DISPLAY=:7 xphase session start"),
        // There is no unit.
        (
            "",
            "mkdir -p ~/.config/xphase && touch ~/.config/xphase/enabled && DISPLAY=:7 xphase session start"
        ),
    ])
    func theCommandsWorkInTheShellOfTheUser(state: String, text: String) throws {
        let manager = try FakeBus(
            "\(own)/systemd/private",
            """
            def answer(member, arguments, path):
                if "\(state)": return "s", ("\(state)",)
                \(FakeBus.refusal)
            """)
        for variables in [[:], ["XDG_RUNTIME_DIR": own]] {
            let service = try #require(try SessionService(environment: environment(variables), display: ":7"))
            let call = (variables.isEmpty ? "XDG_RUNTIME_DIR=\(own) " : "") + "systemctl --user"
            #expect(service.starting == text.replacing("CALL", with: call))
        }
        withExtendedLifetime(manager) {}
    }

    @Test(arguments: [
        ("xphase session start &", ["session"]),
        ("exec --no-startup-id /usr/bin/xphase session start", ["session"]),
        ("Exec=xphase session start", ["session"]), ("(xphase run >/dev/null 2>&1 &)", ["run"]),
        ("exec xphase run\nxphase session start", ["run", "session"]),
        ("# xphase run", []), ("openbox # xphase run", []), ("xphase list\nmyxphase run", []), ("", []),
    ])
    func aFileThatStartsTheServiceIsKnownByItsCalls(text: String, calls: [String]) {
        #expect(LoginFiles.calls(in: text).sorted() == calls)
    }

    /// pactl, and whatever a hook calls.
    @Test func programsFindTheAudioServerThatIsFound() throws {
        func inherited() -> [SystemString] {
            HookContext(environment: environment(), display: nil, log: Log(-1) { Array($0.utf8) }).inherited()
        }
        #expect(!AudioServer.runs(in: environment()))
        // That of a server without a runtime directory.
        for name in [".config", ".config/pulse", "private"] { mkdir(folder(name), 0o700) }
        symlink(folder("private"), folder(".config/pulse/0123-runtime"))
        try folder.write("private/native", "")
        #expect(AudioServer.runs(in: environment()))
        #expect(inherited().contains("PULSE_RUNTIME_PATH=\(folder("private"))"))
        try folder.write("sessions/\(geteuid())/pulse/native", "")
        #expect(inherited().contains("XDG_RUNTIME_DIR=\(own)"))
        #expect(!inherited().contains { $0.hasPrefix("PULSE_RUNTIME_PATH=") })
    }
}
