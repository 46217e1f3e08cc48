import Glibc
import TestDesktop
import Testing

/// A private audio server with a null sink.
final class SoundServer {
    /// The raw value is what mpv calls it.
    enum Kind: String, CaseIterable {
        case pulse
        /// With clients that need no PulseAudio, whose streams do not name their processes.
        case pipewire
    }

    private let kind: Kind
    private let folder: TemporaryFolder
    /// The program that answers pactl(1), and its socket.
    let server: Program
    let socket: String
    /// What it needs.
    private let others: [Program]
    private let bus: SessionBus?

    init(_ kind: Kind = .pulse) throws {
        self.kind = kind
        folder = try TemporaryFolder()
        bus = kind == .pipewire ? try SessionBus() : nil
        var environment: [String: String?] = [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": nil,
        ]
        switch kind {
        case .pulse:
            socket = "\(folder.path)/socket"
            let options = ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
            let protocols = "module-native-protocol-unix auth-anonymous=1 socket=\(socket)"
            let modules = ["module-null-sink", "module-stream-restore", protocols].flatMap { ["-L", $0] }
            others = []
            server = try Program(
                "pulseaudio", options + modules, package: "pulseaudio", environment: environment)
        case .pipewire:
            socket = "\(folder.path)/pulse/native"
            if let bus { environment.merge(bus.environment) { $1 } }
            let pipewire = try Program("pipewire", package: "pipewire-bin", environment: environment)
            let own = "\(folder.path)/pipewire-0"
            guard waitUntil({ access(own, F_OK) == 0 }) else { throw Failure("pipewire has no socket") }
            let manager = try Program("wireplumber", package: "wireplumber", environment: environment)
            others = [pipewire, manager]
            server = try Program("pipewire-pulse", package: "pipewire-pulse", environment: environment)
        }
        guard try waitUntil({ try ask("list", "short", "sinks").output.contains { $0.contains("null") } })
        else { throw Failure("the audio server has no sink") }
    }

    // MARK: Clients

    /// The environment for clients with their own home.
    var address: [String: String?] {
        ["PULSE_SERVER": "unix:\(socket)", "PIPEWIRE_RUNTIME_DIR": folder.path]
    }
    private var environment: [String: String?] { address.merging(["HOME": folder.path]) { $1 } }

    /// Commands that play and record a stream.
    var play: String {
        switch kind {
        case .pulse: "pacat --raw /dev/zero"
        case .pipewire: "mpv --no-config --no-terminal --no-video --ao=pipewire av://lavfi:anullsrc"
        }
    }
    var record: String {
        switch kind {
        case .pulse: "parec --raw >/dev/null"
        case .pipewire: "pw-record \(folder.path)/record.wav"
        }
    }

    /// Plays a stream.
    func startPlayer() throws -> Program { try start("exec \(play)") }

    func start(_ script: String) throws -> Program {
        try Program("sh", ["-c", script], environment: environment)
    }

    /// Starts a terminal with a program that plays or records.
    func terminal(_ session: Session, _ command: String...) throws -> ProgramWindow {
        try ProgramWindow(
            session, "xterm", ["-e"] + command, package: "xterm", application: "XTerm",
            environment: environment)
    }

    /// Starts a service.
    func session(_ hook: String = DesktopTests.HangingToolTests.mute) throws -> HookSession {
        try HookSession(hook, environment: address)
    }

    /// Hides or shows a terminal, of which one stream is muted or unmuted then.
    func setHidden(
        _ isHidden: Bool, _ terminal: ProgramWindow, _ hooks: HookSession, muted: Bool...
    ) throws {
        if isHidden { terminal.iconify() } else { terminal.activate() }
        let line = try hooks.waitForMessage(isHidden ? "muted" : "unmuted")
        #expect(line == "xphase: hook 'hush': XTerm \(isHidden ? "" : "un")muted (1 stream)")
        try waitForStreams(muted)
    }

    // MARK: Streams

    /// Returns whether each playing stream is muted, in the order in which the streams began.
    func muted() throws -> [Bool] {
        try ask("list", "sink-inputs").output.filter { $0.contains("Mute: ") }.map { $0.contains("yes") }
    }

    func waitForStreams(_ muted: [Bool]) throws {
        guard try waitUntil({ try self.muted() == muted }) else {
            throw Failure("\(try self.muted()), not \(muted)")
        }
    }

    /// Mutes a playing stream, as its user.
    func mute(stream position: Int) throws {
        let streams = try ask("list", "short", "sink-inputs").output
        let index = try #require(streams[position].split(separator: "\t").first)
        try ask("set-sink-input-mute", "\(index)", "1")
    }

    /// Returns the number of clients that report this number of their process.
    func clients(numbered number: Int) throws -> Int {
        try ask("list", "clients").output.count { $0.hasSuffix("application.process.id = \"\(number)\"") }
    }

    @discardableResult func ask(_ words: String...) throws -> XPhase.Result {
        try Program.run(
            "pactl", words, package: "pulseaudio-utils",
            environment: environment.merging(["LC_ALL": "C"]) { $1 })
    }
}
