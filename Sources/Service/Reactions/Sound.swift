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
    /// The number of calls at once. `HookContext.undoDescriptors` has room for their tools.
    private static let most = 4
    /// The time in which a server stores a mute. PipeWire's session manager does so by itself.
    private static let storing = Duration.seconds(1)

    let programs: HookPrograms
    let buses: Buses

    /// Passes on all streams of a direction, each with the processes that may play it if one of these belongs to the
    /// application; nil if no audio server runs. The remark is that of `StreamPlayers`.
    ///
    /// - Parameters:
    ///   - processes: The processes of the application.
    ///   - table: All processes.
    ///   - sandboxes: Reads the files of sandboxes.
    func list(
        _ direction: AudioStream.Direction, of processes: [ProcessIdentity], among table: ProcessTable,
        _ sandboxes: ProcessReadings,
        then: @escaping (Result<[PlayedStream]?, SystemError>, _ remark: String?) -> Void
    ) {
        list(direction) { listed in
            guard case .success(let streams?) = listed else { return then(listed.map { _ in nil }, nil) }
            let players = StreamPlayers(processes, sandboxes)
            players.find(streams, among: table) { then(.success($0), players.remark) }
        }
    }

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
        _ = programs.run(words, if: AudioServer.check) { output in
            if case .failure(AudioServer.lack) = output { return then(.success(nil)) }
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
                make(found.map { mute($0, true) }) { then((streams.count - $0.count, $0)) }
            case .success(nil) where streams.contains { $0.memory != nil }:
                then((0, [.refused("no audio server is running; the next one will mute it again")]))
            case .success(let present):
                let (heard, forgotten) = streams.toUnmute(among: present ?? [], of: processes)
                make(heard.filter(\.mute).map { mute($0, false) } + forgotten.sorted().map(forget)) {
                    then(($0.isEmpty ? streams.count : 0, $0))
                }
            }
        }
    }

    /// Makes calls, a few at once, and passes on what failed.
    private func make(_ calls: [Call], then: @escaping ([SystemError]) -> Void) {
        var (left, faults): ([Call], [SystemError]) = (calls.reversed(), [])
        let answers = Answers { then(faults) }
        func next() {
            guard let call = left.popLast() else { return }
            call(
                answers.awaiting { fault in
                    if let fault { faults.append(fault) }
                    next()
                })
        }
        for _ in 1...Self.most { next() }
        answers.end()
    }

    private func mute(_ stream: AudioStream, _ isMuted: Bool) -> Call {
        { done in
            let words = ["pactl", "set-sink-input-mute", "\(stream.index)", isMuted ? "1" : "0"]
            _ = programs.run(words) { done($0.failure) }
        }
    }

    /// Makes the server forget a mute by unmuting a silent stream; nothing else changes the stored state.
    private func forget(_ memory: String) -> Call {
        { done in
            guard let (kind, value) = MutedStream.property(of: memory) else { return done(nil) }
            let words = ["pacat", "--raw", "--property=\(kind)=\(value)", "/dev/zero"]
            guard let player = programs.run(words, then: { _ in }) else { return done(nil) }
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
