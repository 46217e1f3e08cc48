import Glibc
import TestDesktop

/// A private PulseAudio server with a null sink.
final class SoundServer {
    let folder: TemporaryFolder
    private let server: Program

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

    /// Sends a signal, such as SIGSTOP or SIGCONT, to the server.
    func send(_ signal: Int32) { server.send(signal) }

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
