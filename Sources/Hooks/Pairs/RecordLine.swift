import FoundationEssentials
import PhaseWatch
import System

/// One line of the record: a checksum of eight hexadecimal digits, a space, and JSON.
///
/// The number names a pair in the lines that follow the one that made it known.
enum RecordLine: Codable, Hashable {
    /// The `enter` of a pair is about to run.
    case owed(number: Int, pair: PairEntry)
    /// A part of a pair runs as this process.
    case started(number: Int, part: Job.Part, process: ProcessIdentity)
    /// What is built in has done, or is about to do, all of this for the pair; `isEnding` while that is being undone.
    case held(number: Int, holds: [Hold], isEnding: Bool = false)
    /// Nothing is owed for the pair any longer.
    case done(number: Int)

    /// With the newline.
    func bytes() throws -> [UInt8] {
        let json = [UInt8](try JSONEncoder().encode(self))
        return Array(Self.checksum(json).utf8) + [UInt8(ascii: " ")] + json + [UInt8(ascii: "\n")]
    }

    /// nil for what was not written as it is now, or makes no sense.
    ///
    /// - Parameter line: Without the newline.
    init?(_ line: some Collection<UInt8>) {
        let json = [UInt8](line.dropFirst(9))
        guard line.prefix(9).elementsEqual("\(Self.checksum(json)) ".utf8),
            let read = try? JSONDecoder().decode(Self.self, from: Data(json))
        else { return nil }
        if case .owed(_, let pair) = read, !pair.isPlausible { return nil }
        if case .held(_, let holds, _) = read, !holds.allSatisfy(\.isPlausible) { return nil }
        self = read
    }

    /// CRC-32, as in gzip and PNG.
    static func checksum(_ bytes: [UInt8]) -> String {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        let digits = String(~sum, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// A pair that is owed, as the lines of the record tell of it.
struct RecordedPair: Hashable {
    var entry: PairEntry
    /// The part of it that was started last.
    var started: StartedPart?
    /// What is to be undone of what is built in.
    var holds: [Hold] = []
    /// It is being undone, and keeps nothing from being undone for others.
    var isEnding = false

    /// What of it may hold now. Neither processes nor control groups outlive the system; what a sound server remembers does.
    func holds(in bootID: String?) -> [Hold] {
        entry.bootID == bootID ? holds : holds.compactMap(\.afterBoot)
    }

    struct StartedPart: Hashable {
        var part: Job.Part
        var process: ProcessIdentity
    }
}

/// What a record says.
struct RecordContent {
    static let header = Array("xphase pairs 2\n".utf8)

    private(set) var pairs: [Int: RecordedPair] = [:]
    /// Some of it was not written by xphase, or not as it is now. What is good counts all the same.
    private(set) var isDamaged = false

    init(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.header) else {
            // A crash may leave a part of the header.
            isDamaged = !Self.header.starts(with: bytes)
            return
        }
        var rest = bytes.dropFirst(Self.header.count)
        // What has no newline was not written to its end: nothing was started for it.
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if let line = RecordLine(rest[..<end]) { add(line) } else { isDamaged = true }
            rest = rest[(end + 1)...]
        }
    }

    private mutating func add(_ line: RecordLine) {
        switch line {
        case .owed(let number, let pair): pairs[number] = RecordedPair(entry: pair)
        case .started(let number, let part, let process):
            pairs[number]?.started = RecordedPair.StartedPart(part: part, process: process)
        case .held(let number, let holds, let isEnding):
            pairs[number]?.holds = holds
            pairs[number]?.isEnding = isEnding
        case .done(let number): pairs[number] = nil
        }
    }
}

/// A pair whose `enter` ran and whose `leave` is owed.
struct PairEntry: Codable, Hashable {
    var hook: String
    /// The program of `leave` and its arguments; none where all is built in.
    var leave: [String]
    var builtIns: Set<BuiltIn>?
    var timeoutMilliseconds: Int
    /// What `enter` ran for.
    var change: Change
    /// The processes that `enter` was told of.
    var processes: [ProcessIdentity]
    /// The boot in which they ran; in another one, their numbers mean nothing.
    var bootID: String

    /// The longest time that a configuration can have, with something to spare.
    private static let longest = 200 * 366 * 24 * 3_600_000
    private static let mostScenes = 1 << 24

    /// Whether it can be reckoned with: a file may hold any number.
    var isPlausible: Bool {
        (leave.first.map { !$0.isEmpty } ?? (builtIns?.isEmpty == false))
            && leave.allSatisfy { !$0.utf8.contains(0) }
            && (0...Self.longest).contains(timeoutMilliseconds)
            && change.held.map { .zero <= $0 && $0 <= .milliseconds(Self.longest) } ?? true
            && counts.allSatisfy { (0...Self.mostScenes).contains($0) }
    }

    private var counts: [Int] {
        switch change.subject {
        case .scene: []
        case .group(let members), .application(let members):
            [members.counts.active, members.counts.inactive, members.counts.background]
        }
    }
}
