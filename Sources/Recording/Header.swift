import System

/// What a recording was made of, and what is in it.
package struct RecordingHeader: Hashable, Sendable, Codable {
    /// The version of xphase that made it.
    package var program = ""
    /// Who made the X server, and its release number.
    package var server = ""
    /// The extensions of the server that xphase uses.
    package var extensions: [String] = []
    /// The names of the window managers at its start, screen by screen; empty where there was none.
    package var managers: [String] = []
    /// How many screens the display has.
    package var screenCount = 1
    /// The time at which it begins.
    package var start = Timestamp(seconds: 0, nanoseconds: 0)
    /// Titles and names are stand-ins.
    package var isRedacted = false
    /// It has the titles of all windows, and not only of those without a class.
    package var hasTitles = false
    /// How long the user must have touched nothing to be idle, in milliseconds; nil where that was not read.
    package var idle: Int?

    package init() {}

    package var line: [UInt8] { LineCoding.bytes(FirstLine(header: self)) }

    init(_ line: ArraySlice<UInt8>) throws(RecordingFault) {
        guard let first: FirstLine = try? LineCoding.decode(line) else { throw Self.foreign }
        guard first.version == FirstLine.current else {
            throw RecordingFault(
                "it is a recording of version \(first.version), and this xphase reads version "
                    + "\(FirstLine.current): replay it with the xphase that made it, or record it anew")
        }
        guard let header = first.header else { throw Self.foreign }
        guard (1...255).contains(header.screenCount), (1...1 << 50).contains(header.idle ?? 1),
            header.start.isPlausible
        else { throw RecordingFault("its first line has a number that is out of range") }
        self = header
    }

    private static let foreign = RecordingFault("this is no recording: 'xphase record' makes one")
}

/// The first line of a recording.
private struct FirstLine: Codable {
    /// The version of the format; another one is refused. All versions have this key.
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
    /// Up to the year 9999.
    var isPlausible: Bool {
        (0...253_402_300_799).contains(seconds) && (0..<1_000_000_000).contains(nanoseconds)
    }
}
