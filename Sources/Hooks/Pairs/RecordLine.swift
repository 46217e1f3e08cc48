import FoundationEssentials
import PhaseWatch

/// One line of the record: a checksum of eight hexadecimal digits, a space, and JSON.
///
/// The number names a pair in the lines that follow the one that made it known.
enum RecordLine: Codable, Hashable {
    /// The `enter` of a pair is about to run.
    case owed(number: Int, pair: PairEntry)
    /// A part of a pair runs as this process.
    case started(number: Int, part: Job.Part, process: ProcessIdentity)
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
        case .done(let number): pairs[number] = nil
        }
    }
}
