import Glibc
import Hooks
import System

/// The streams of an application on the audio server, which pactl(1) lists and mutes.
struct Sound {
    /// Something that ends later, and may fail.
    private typealias Call = (_ done: @escaping (SystemError?) -> Void) -> Void

    /// The time limit of finding a stream that was just started. With `storing`, it is less than a tool may run.
    private static let patience = Duration.seconds(3)
    /// The interval of looking for it.
    private static let interval = Duration.milliseconds(250)
    /// The time in which a server stores a mute. PipeWire's session manager does so by itself.
    private static let storing = Duration.seconds(1)

    let programs: HookPrograms
    let buses: Buses
    /// The job that the programs are run for.
    let job: Job

    /// Passes on all streams of a direction; nil if no audio server runs.
    func list(
        _ direction: AudioStream.Direction, then: @escaping (Result<[AudioStream]?, SystemError>) -> Void
    ) {
        list(direction.rawValue) { (listed: Result<[AudioStream]?, SystemError>) in
            guard case .success(let streams?) = listed, streams.contains(where: \.needsClient) else {
                return then(listed)
            }
            list("clients") { (clients: Result<[AudioClient]?, SystemError>) in
                then(clients.map { clients in clients.map(streams.completed) })
            }
        }
    }

    /// Passes on all objects of a kind; nil if no audio server runs.
    private func list<Object: Decodable>(
        _ kind: String, then: @escaping (Result<[Object]?, SystemError>) -> Void
    ) {
        let words = ["pactl", "--format=json", "list", kind]
        _ = programs.run(words, for: job, if: AudioStream.checkServer) { output in
            if case .failure(AudioStream.noServer) = output { return then(.success(nil)) }
            then(
                output.flatMap { bytes in
                    // What it reports besides comes first.
                    guard let objects = [Object](json: bytes.drop { $0 != UInt8(ascii: "[") }) else {
                        return .failure(.refused("pactl has no JSON output: install PulseAudio 16 or later"))
                    }
                    return .success(objects)
                })
        }
    }

    /// Mutes or unmutes streams, and passes on how many, and what failed.
    ///
    /// If the server stores the mute of a stream, it has also muted later streams of the application; these are unmuted,
    /// too. Streams of other programs with the same key stay as they are, because it is unknown who has muted them.
    ///
    /// - Parameter processes: The current processes of the application.
    func set(
        _ streams: [MutedStream], isMuted: Bool, _ processes: [ProcessIdentity],
        then: @escaping ((count: Int, faults: [SystemError])) -> Void
    ) {
        list(.played) { present in
            switch present {
            case .failure(let error): then((0, [error]))
            case .success(let present) where isMuted:
                let found = (present ?? []).filter { stream in streams.contains { $0.isSame(as: stream) } }
                inTurn(found.map { mute($0, true) }) { then((streams.count - $0.count, $0)) }
            case .success(nil) where streams.contains { $0.memory != nil }:
                then((0, [.refused("no audio server is running; the next one will mute it again")]))
            case .success(let present):
                let (heard, forgotten) = streams.toUnmute(among: present ?? [], of: processes)
                inTurn(heard.filter(\.mute).map { mute($0, false) } + forgotten.sorted().map(forget)) {
                    then(($0.isEmpty ? streams.count : 0, $0))
                }
            }
        }
    }

    /// Makes one call after the other, and passes on what failed.
    private func inTurn(
        _ calls: [Call], _ faults: [SystemError] = [], then: @escaping ([SystemError]) -> Void
    ) {
        guard let call = calls.first else { return then(faults) }
        call { inTurn(Array(calls.dropFirst()), faults + [$0].compactMap(\.self), then: then) }
    }

    private func mute(_ stream: AudioStream, _ isMuted: Bool) -> Call {
        { done in
            let words = ["pactl", "set-sink-input-mute", "\(stream.index)", isMuted ? "1" : "0"]
            _ = programs.run(words, for: job) { done($0.failure) }
        }
    }

    /// Makes the server forget a mute by unmuting a silent stream; nothing else changes the stored state.
    private func forget(_ memory: String) -> Call {
        { done in
            guard let (kind, value) = MutedStream.property(of: memory) else { return done(nil) }
            let words = ["pacat", "--raw", "--property=\(kind)=\(value)", "/dev/zero"]
            guard let player = programs.run(words, for: job, then: { _ in }) else { return done(nil) }
            let deadline = Clock.now() + Self.patience
            func end(_ error: SystemError?) {
                if !player.isOver { programs.signal(player, because: .stopped) }
                done(error)
            }
            func look() {
                list(.played) { present in
                    guard case .success(let streams?) = present else { return end(present.failure) }
                    let number = (player.identity?.pid).map(ProcessNumber.stated)
                    let silent = streams.first { number != nil && $0.number == number }
                    if let silent, silent.memory != memory { return end(nil) }
                    // The session manager of PipeWire mutes a stream after its beginning.
                    guard let silent, silent.mute else {
                        if Clock.now() < deadline { return buses.wait(Self.interval, look) }
                        return end(silent == nil ? .refused("pacat played nothing, so the mute stays") : nil)
                    }
                    let unmute = mute(silent, false)
                    unmute { error in buses.wait(Self.storing) { end(error) } }
                }
            }
            look()
        }
    }
}

/// An audio stream of a client, as listed by pactl(1).
struct AudioStream: Decodable {
    /// The raw value is the argument of `pactl list`.
    enum Direction: String {
        case played = "sink-inputs"
        case recorded = "source-outputs"
    }

    /// The message if pactl is not installed.
    static let lack = "pactl is missing; install pulseaudio-utils"

    let index: Int
    /// The index of its client; nil for a stream of the server itself.
    var client: String?
    let corked: Bool
    let mute: Bool
    /// Its own properties, and those of its client if it needs them.
    var properties: [String: String]

    /// The number of its process; nil if the server reports none. Such a stream belongs to no application: otherwise, a
    /// loop-back of the server or a program on another machine would keep all applications from a freeze.
    var number: ProcessNumber? { ProcessNumber(properties) }
    /// Whether only its client may name the process, as for programs that use PipeWire without its PulseAudio server.
    var needsClient: Bool { number == nil && client != nil }
    /// The key under which the server stores the stream's volume. The next stream of the same application has the same
    /// key.
    var memory: String? { properties["module-stream-restore.id"] }

    func mayBelong(to process: ProcessIdentity) -> Bool {
        number.map(ProcessNumber.all(of: process).contains) == true && process.isAlive
    }

    static let noServer = SystemError.refused("no audio server is running")

    @Sendable static func checkServer() throws(SystemError) {
        if !isServed(.own) { throw noServer }
    }

    /// Whether an audio server runs. Without one, pactl would start it.
    static func isServed(_ environment: Environment) -> Bool {
        isNamed(in: environment) || hasSocket(sessionDirectory(environment)) || hasSocket("/run/pulse")
            || privateDirectory(environment) != nil
    }

    /// The variables with which clients find a server that was started without a runtime directory, though they have
    /// one.
    static func variables(_ environment: Environment) -> [SystemString] {
        guard !isNamed(in: environment), !hasSocket(sessionDirectory(environment)),
            let path = privateDirectory(environment)?.resolved
        else { return [] }
        return ["PULSE_RUNTIME_PATH=\(path)"]
    }

    private static func isNamed(in environment: Environment) -> Bool {
        environment["PULSE_SERVER"] != nil || environment["PULSE_RUNTIME_PATH"] != nil
    }

    private static func sessionDirectory(_ environment: Environment) -> SystemString? {
        environment.absolutePath("XDG_RUNTIME_DIR").map { $0 + "/pulse" }
    }

    /// The directory of a server without a runtime directory, as a symbolic link; nil if there is no such server.
    private static func privateDirectory(_ environment: Environment) -> SystemString? {
        guard let own = environment.configurationHome.map({ $0 + "/pulse" }) else { return nil }
        let links = (own.entryNames ?? []).filter { $0.hasSuffix("-runtime") }
        return links.map(own.entry).first(where: hasSocket)
    }

    private static func hasSocket(_ directory: SystemString?) -> Bool {
        directory.map { access($0.entry("native").cString, F_OK) == 0 } ?? false
    }
}

extension [AudioStream] {
    /// Returns the streams with the properties that they lack of their clients.
    func completed(by clients: [AudioClient]) -> [AudioStream] {
        let all = Dictionary(clients.map { ("\($0.index)", $0.properties) }) { first, _ in first }
        return map { stream in
            var stream = stream
            if stream.needsClient, let inherited = stream.client.flatMap({ all[$0] }) {
                stream.properties.merge(inherited) { own, _ in own }
            }
            return stream
        }
    }
}

/// A client of the audio server, as listed by pactl(1).
struct AudioClient: Decodable {
    let index: Int
    let properties: [String: String]
}

/// A number of a process that an audio server knows.
enum ProcessNumber: Hashable {
    /// The one that the process states: in a sandbox, that inside of it.
    case stated(Int32)
    /// The one that the server sees.
    case seen(Int32)

    init?(_ properties: [String: String]) {
        func read(_ property: String) -> Int32? { properties[property].flatMap { Int32($0) } }
        if let number = read("application.process.id") {
            self = .stated(number)
        } else if properties["client.api"] != "pipewire-pulse", let number = read("pipewire.sec.pid") {
            // Of a client of its PulseAudio server, PipeWire sees that server.
            self = .seen(number)
        } else {
            return nil
        }
    }

    static func all(of process: ProcessIdentity) -> [ProcessNumber] {
        let inside = ProcessFacts.innermostNumber(of: process.pid)
        return [.seen(process.pid)] + (inside.map { [.stated($0)] } ?? [])
    }

    var value: Int32 {
        switch self {
        case .stated(let number), .seen(let number): number
        }
    }
}

extension MutedStream {
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

    /// Returns whether the server may have muted a later stream of the application because it has stored the mute.
    func hasMuted(_ stream: AudioStream, of processes: [ProcessIdentity]) -> Bool {
        memory != nil && stream.memory == memory && stream.index > index
            && (processes + [process]).contains(where: stream.mayBelong)
    }
}

extension [MutedStream] {
    /// Returns the present streams to unmute, and the stored mutes that no present stream has.
    ///
    /// - Parameter processes: The current processes of the application.
    func toUnmute(
        among present: [AudioStream], of processes: [ProcessIdentity]
    ) -> (heard: [AudioStream], forgotten: Set<String>) {
        var (heard, forgotten): ([AudioStream], Set<String>) = ([], [])
        for stream in self {
            let own = present.filter { stream.isSame(as: $0) || stream.hasMuted($0, of: processes) }
            heard += own
            if own.isEmpty, let memory = stream.memory { forgotten.insert(memory) }
        }
        return (heard, forgotten)
    }
}
