import Console
import FoundationEssentials
import PhaseWatch

/// A decoder of the lines of a journal.
struct JournalDecoder {
    private let decoder = JSONDecoder()
    /// The previous time up to its minute: most lines are of the same minute as the line before.
    private var head: [UInt8] = []
    /// The time of the head, in milliseconds since 1970.
    private var minute: Int64 = 0

    /// Decodes a line; returns nil if it does not belong to a journal.
    mutating func line(_ bytes: ArraySlice<UInt8>) -> JournalLine? {
        guard var line = try? decoder.decode(JournalLine.self, from: Data(bytes)),
            let time = milliseconds(line.timeText.utf8)
        else { return nil }
        line.time = time
        return line
    }

    private mutating func milliseconds(_ text: String.UTF8View) -> Int64? {
        let head = text.prefix(17)
        if !head.elementsEqual(self.head) {
            guard let date = try? Date("\(Substring(head))00Z", strategy: .iso8601) else { return nil }
            (self.head, minute) = (Array(head), Int64(date.timeIntervalSince1970) * 1000)
        }
        let seconds = Double(Substring(text.dropFirst(17).dropLast()))
        guard let seconds, (0..<61).contains(seconds) else { return nil }
        return minute + Int64((seconds * 1000).rounded())
    }
}

/// One line of a journal, as `JournalFormat` writes it. Unknown keys are ignored.
struct JournalLine: Decodable {
    enum Event {
        /// A run starts to write, or continues in another file. The current state follows.
        case start(Start)
        /// A group has entered a phase, or is gone.
        case group(Name, to: ScenePhase?)
        /// The active scene of a group has this title.
        case title(Name, String?)
        /// A state of the session begins or ends.
        case session(SessionState, isOn: Bool)
        /// The machine was asleep for this long, in milliseconds.
        case resumed(slept: Int64)
        /// The run was still alive.
        case alive
        case stop
    }

    struct Start: Decodable {
        let v: Int
        let display: String
        let continued: Bool?
        let boot: String?
        let pid: Int?
        let ticks: Int?

        var isContinued: Bool { continued ?? false }
        var origin: RunOrigin { RunOrigin(boot: boot ?? "", pid: pid ?? 0, ticks: ticks ?? 0) }
    }

    private enum Key: CodingKey {
        case kind, run, time, clock, application, group, to, title, state, on, slept
    }

    /// The reason why a line does not belong to a journal.
    private enum Fault: Error { case unknownWord, badTime, badVersion }

    /// No clock that starts at boot exceeds this range, and no sum of such times overflows.
    private static let longestTime = 0..<4e9

    let run: Int
    /// `2026-11-20T11:03:41.207113Z`.
    fileprivate let timeText: String
    /// The time in milliseconds since 1970.
    fileprivate(set) var time: Int64 = 0
    /// Milliseconds of CLOCK_MONOTONIC, which stops while the machine sleeps.
    let clock: Int64
    let event: Event

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        run = try values.decode(Int.self, forKey: .run)
        timeText = try values.decode(String.self, forKey: .time)
        clock = try Self.milliseconds(values.decode(Double.self, forKey: .clock))
        // Decoding an enumeration takes twice as long as decoding its raw value.
        switch try values.decode(String.self, forKey: .kind) {
        case "start":
            let start = try Start(from: decoder)
            guard start.v > 0 else { throw Fault.badVersion }
            event = .start(start)
        case "group":
            event = .group(try Self.name(values), to: try Self.phase(values))
        case "title":
            event = .title(try Self.name(values), try values.decodeIfPresent(String.self, forKey: .title))
        case "session":
            let isOn = try values.decodeIfPresent(Bool.self, forKey: .on) ?? false
            event = .session(try values.decode(SessionState.self, forKey: .state), isOn: isOn)
        case "resumed":
            let slept = try values.decodeIfPresent(Double.self, forKey: .slept) ?? 0
            event = .resumed(slept: try Self.milliseconds(slept))
        case "alive": event = .alive
        case "stop": event = .stop
        default: throw Fault.unknownWord
        }
    }

    private static func name(_ values: KeyedDecodingContainer<Key>) throws -> Name {
        Name(
            try values.decode(String.self, forKey: .application),
            group: try values.decode(String.self, forKey: .group))
    }

    /// Returns nil for a group that is gone.
    private static func phase(_ values: KeyedDecodingContainer<Key>) throws -> ScenePhase? {
        guard let word = try values.decodeIfPresent(String.self, forKey: .to) else { return nil }
        guard let phase = ScenePhase(rawValue: word) else { throw Fault.unknownWord }
        return phase
    }

    private static func milliseconds(_ seconds: Double) throws -> Int64 {
        guard longestTime.contains(seconds) else { throw Fault.badTime }
        return Int64((seconds * 1000).rounded())
    }
}
