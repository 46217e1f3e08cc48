import System

/// The origin and the contents of a recording.
package struct RecordingHeader: Hashable, Sendable, Codable {
    /// The version of xphase that made the recording.
    package var program = ""
    /// The vendor and the release number of the X server.
    package var server = ""
    /// The extensions of the server that xphase uses.
    package var extensions: [String] = []
    /// The name of the window manager of each screen at the start; empty if there was none.
    package var managers: [String] = []
    /// The number of screens of the display.
    package var screenCount = 1
    /// The start of the recording.
    package var start = Timestamp(seconds: 0, nanoseconds: 0)
    /// Whether titles and names are stand-ins.
    package var isRedacted = false
    /// Whether the recording has the titles of all windows, not only of those without a class.
    package var hasTitles = false
    /// The time without input after which the user is idle, in milliseconds; nil if idle times were not read.
    package var idle: Int?

    package init() {}

    package var line: [UInt8] { LineCoding.bytes(FirstLine(header: self)) }

    init(_ line: ArraySlice<UInt8>) throws(RecordingFault) {
        guard let first: FirstLine = try? LineCoding.decode(line) else { throw Self.foreign }
        guard first.version == FirstLine.current else {
            throw RecordingFault(
                "it is a recording of version \(first.version), and this xphase reads version "
                    + "\(FirstLine.current): replay it with the xphase that made it, or record it again")
        }
        guard let header = first.header else { throw Self.foreign }
        guard (1...255).contains(header.screenCount), (1...1 << 50).contains(header.idle ?? 1),
            header.start.isPlausible
        else { throw RecordingFault("its first line has a number that is out of range") }
        self = header
    }

    private static let foreign = RecordingFault("this is not a recording: 'xphase record' makes one")
}

/// The first line of a recording.
private struct FirstLine: Codable {
    /// The version of the format; other versions are rejected. All versions have this key.
    static let current = 2

    enum CodingKeys: String, CodingKey {
        case version = "xphase-recording"
        case header
    }

    var version = Self.current
    /// nil in version 1.
    var header: RecordingHeader?
}

extension Timestamp {
    /// Whether the time is at most in the year 9999.
    var isPlausible: Bool {
        (0...253_402_300_799).contains(seconds) && (0..<1_000_000_000).contains(nanoseconds)
    }
}
