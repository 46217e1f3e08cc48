import Hooks
import System

/// An audio stream of a client, as listed by pactl(1).
struct AudioStream: Decodable {
    /// The raw value is the argument of `pactl list`.
    enum Direction: String {
        case played = "sink-inputs"
        case recorded = "source-outputs"
    }

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
