import Hooks
import System

/// The streams of an application on the audio server, which pactl(1) lists and mutes.
struct Sound {
    /// Runs a program, and passes on its output, or why it failed.
    typealias Tool = (
        _ words: [String], _ then: @escaping (Result<[UInt8], SystemError>) -> Void
    ) -> RunningProgram?

    /// The time limit of finding a stream that was just started.
    private static let patience = Duration.seconds(5)

    let run: Tool

    /// Passes on all streams of a direction; nil if no audio server runs.
    func list(
        _ direction: AudioStream.Direction, then: @escaping (Result<[AudioStream]?, SystemError>) -> Void
    ) {
        guard AudioStream.isServed(.own) else { return then(.success(nil)) }
        _ = run(["pactl", "--format=json", "list", direction.rawValue]) { output in
            then(
                output.flatMap { bytes in
                    // What it reports besides comes first.
                    guard let streams = [AudioStream](json: bytes.drop { $0 != UInt8(ascii: "[") }) else {
                        return .failure(.refused("pactl has no JSON output: install PulseAudio 16 or later"))
                    }
                    return .success(streams)
                })
        }
    }

    /// Mutes streams, and passes on how many, and what failed.
    func mute(_ streams: [MutedStream], then: @escaping (_ count: Int, _ faults: [SystemError]) -> Void) {
        if streams.isEmpty { return then(0, []) }
        list(.played) { present in
            switch present {
            case .success(let present):
                let found = (present ?? []).filter { stream in streams.contains { $0.isSame(as: stream) } }
                set(found[...], isMuted: true) { then(streams.count - $0.count, $0) }
            case .failure(let error): then(0, [error])
            }
        }
    }

    /// Unmutes streams, and passes on what failed. If the server stores the mute of a stream, it has also muted later
    /// streams of the application; these are unmuted, too. Streams of other programs with the same key stay as they are,
    /// because it is unknown who has muted them.
    ///
    /// - Parameter processes: The current processes of the application.
    func unmute(
        _ streams: [MutedStream], with processes: [ProcessIdentity],
        then: @escaping (_ faults: [SystemError]) -> Void
    ) {
        if streams.isEmpty { return then([]) }
        list(.played) { present in
            switch present {
            case .success(let present?):
                var (heard, forgotten): ([AudioStream], Set<String>) = ([], [])
                for stream in streams {
                    let own = present.filter { stream.isSame(as: $0) || stream.hasMuted($0, of: processes) }
                    heard += own
                    if own.isEmpty, let memory = stream.memory { forgotten.insert(memory) }
                }
                set(heard.filter(\.mute)[...], isMuted: false) { faults in
                    forget(forgotten.sorted()[...]) { then(faults + $0) }
                }
            case .success(nil) where streams.allSatisfy({ $0.memory == nil }): then([])
            case .success(nil):
                then([.refused("no audio server runs, and the next one remembers that it is muted")])
            case .failure(let error): then([error])
            }
        }
    }

    private func set(
        _ streams: ArraySlice<AudioStream>, isMuted: Bool, _ faults: [SystemError] = [],
        then: @escaping ([SystemError]) -> Void
    ) {
        guard let stream = streams.first else { return then(faults) }
        _ = run(["pactl", "set-sink-input-mute", "\(stream.index)", isMuted ? "1" : "0"]) { result in
            var faults = faults
            if case .failure(let error) = result { faults.append(error) }
            set(streams.dropFirst(), isMuted: isMuted, faults, then: then)
        }
    }

    /// Makes the server forget mutes by unmuting silent streams; nothing else changes the stored state.
    private func forget(
        _ memories: ArraySlice<String>, _ faults: [SystemError] = [], then: @escaping ([SystemError]) -> Void
    ) {
        guard let memory = memories.first else { return then(faults) }
        guard let (kind, value) = MutedStream.property(of: memory) else {
            return forget(memories.dropFirst(), faults, then: then)
        }
        let player = run(["pacat", "--raw", "--property=\(kind)=\(value)", "/dev/zero"]) { _ in }
        func end(_ error: SystemError?) {
            player?.signal(at: Clock.now(), isTimeout: false)
            forget(memories.dropFirst(), faults + [error].compactMap(\.self), then: then)
        }
        let deadline = Clock.now() + Self.patience
        func look() {
            list(.played) { present in
                switch present {
                case .success(let present):
                    let silent = present?.first { $0.pid != nil && $0.pid == player?.identity?.pid }
                    guard let silent else { return Clock.now() < deadline ? look() : end(nil) }
                    if silent.memory != memory { return end(nil) }
                    set([silent], isMuted: false) { end($0.first) }
                case .failure(let error): end(error)
                }
            }
        }
        player == nil ? end(nil) : look()
    }
}

extension MutedStream {
    /// Returns whether the server may have muted a later stream of the application because it has stored the mute.
    fileprivate func hasMuted(_ stream: AudioStream, of processes: [ProcessIdentity]) -> Bool {
        memory != nil && stream.memory == memory && stream.index > index
            && (processes + [process]).contains(where: stream.mayBelong)
    }
}
