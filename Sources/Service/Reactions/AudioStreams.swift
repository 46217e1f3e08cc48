import Glibc
import Hooks
import System

/// An audio stream of a client, as listed by pactl(1).
struct AudioStream: Decodable {
    /// The raw value is the argument of `pactl list`.
    enum Direction: String {
        case played = "sink-inputs"
        case recorded = "source-outputs"
    }

    /// The message if pactl is not installed.
    static let lack = "there is no pactl: install pulseaudio-utils"

    let index: Int
    let corked: Bool
    let mute: Bool
    let properties: [String: String]

    var pid: Int32? { properties["application.process.id"].flatMap { Int32($0) } }
    /// The key under which the server stores the stream's volume. The next stream of the same application has the same
    /// key.
    var memory: String? { properties["module-stream-restore.id"] }

    /// Whether the stream may belong to a process. A sandboxed process reports its pid inside the sandbox.
    func mayBelong(to process: ProcessIdentity) -> Bool {
        pid != nil && pid == ProcessFacts.innermostNumber(of: process.pid) && process.isAlive
    }

    /// Returns the process that plays the stream; nil if a process other than these may play it. If processes in two
    /// sandboxes have the same pid, the name of the program decides.
    ///
    /// - Parameter table: All processes.
    func player(of processes: [ProcessIdentity], among table: ProcessTable) -> ProcessIdentity? {
        guard processes.contains(where: mayBelong) else { return nil }
        var players = table.rows.values.map(\.identity).filter(mayBelong)
        if players.count > 1, let program = properties["application.process.binary"] {
            players.removeAll { player in
                let path = SystemString("/proc/\(player.pid)/exe").linkTarget?.description ?? ""
                return !path.hasSuffix("/" + program) && !path.hasSuffix("/\(program) (deleted)")
            }
        }
        return players.count == 1 ? processes.first { $0 == players[0] } : nil
    }

    /// Whether an audio server runs. Without one, pactl would start it.
    static func isServed(_ environment: Environment) -> Bool {
        if environment["PULSE_SERVER"] != nil || environment["PULSE_RUNTIME_PATH"] != nil { return true }
        let runtime = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(geteuid())"
        // Without a runtime directory, PulseAudio creates one below this directory.
        let own = environment.configurationHome.map { $0 + "/pulse" }
        let links = (own?.entryNames ?? []).filter { $0.hasSuffix("-runtime") }
        let places = [runtime + "/pulse", "/run/pulse"] + links.compactMap { own?.entry($0) }
        return places.contains { access($0.entry("native").cString, F_OK) == 0 }
    }
}

extension MutedStream {
    /// Returns nil if the stream is muted already or belongs to none of these processes.
    init?(_ stream: AudioStream, processes: [ProcessIdentity], among table: ProcessTable) {
        guard !stream.mute, let process = stream.player(of: processes, among: table) else { return nil }
        self.init(index: stream.index, process: process, memory: stream.memory)
    }

    /// Returns the stream property and the value in a key such as `sink-input-by-application-name:Slack`.
    static func property(of memory: String) -> (kind: String, value: Substring)? {
        let parts = memory.split(separator: ":", maxSplits: 1)
        let kinds = ["media-role", "application-id", "application-name", "media-name"]
        guard parts.count == 2, let kind = kinds.first(where: { parts[0] == "sink-input-by-\($0)" }) else {
            return nil
        }
        return (kind.replacing("-", with: "."), parts[1])
    }

    /// Returns whether a stream that pactl lists is this one.
    func isSame(as stream: AudioStream) -> Bool {
        stream.index == index && stream.mayBelong(to: process)
    }
}
