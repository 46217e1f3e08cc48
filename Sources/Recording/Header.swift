/// The first line of a recording: what it was made of, and what is in it.
package struct RecordingHeader: Hashable, Sendable {
    /// The version of the format, which a change of what lines mean would count up.
    static let version = 1

    /// The version of xphase that has made it.
    package var program = ""
    /// Who made the X server, and its release number.
    package var server = ""
    /// The extensions of the server that xphase has a use for.
    package var extensions: [String] = []
    /// The names of the window managers at its start, screen by screen; none where there was none.
    package var managers: [String] = []
    /// How many screens the display has.
    package var screenCount = 1
    /// The moment of the calendar that its times begin at, in seconds since 1970 and nanoseconds.
    package var seconds = 0
    package var nanoseconds = 0
    /// Titles and names are stand-ins.
    package var isRedacted = false
    /// Titles are in it of all windows, and not only of those that have no class.
    package var hasTitles = false
    /// How long the user must have touched nothing to be idle, in milliseconds; nil where that was not read.
    package var idle: Int?

    package init() {}

    func line() -> [UInt8] {
        var text = LineText()
        text.object { text in
            text.add("xphase-recording", Self.version)
            text.add("xphase", program)
            text.add("server", server)
            text.add("extensions", extensions)
            text.add("managers", managers)
            text.add("screens", screenCount)
            text.add("time", [seconds, nanoseconds])
            text.add("redacted", isRedacted)
            text.add("titles", hasTitles)
            text.add("idle", idle)
        }
        return text.end()
    }

    init(_ line: ArraySlice<UInt8>) throws(RecordingFault) {
        var version: Int?
        var header = RecordingHeader()
        do {
            var scanner = LineScanner(line)
            try scanner.object { scanner, key throws(RecordingFault) in
                if key == "xphase-recording" {
                    version = try scanner.integer(0...Int.max)
                } else if version == Self.version {
                    try header.read(key, &scanner)
                } else {
                    try scanner.skipValue()
                }
            }
            try scanner.expectEnd()
        } catch {
            if version == nil { throw RecordingFault(Self.foreign) }
            if version == Self.version { throw error }
        }
        guard let version else { throw RecordingFault(Self.foreign) }
        guard version == Self.version else {
            throw RecordingFault(
                "it is a recording of version \(version), and this xphase reads version \(Self.version): "
                    + "replay it with the xphase that made it, or with a newer one")
        }
        self = header
    }

    private static let foreign = "this is no recording: 'xphase record' makes one"

    private mutating func read(_ key: String, _ scanner: inout LineScanner) throws(RecordingFault) {
        switch key {
        case "xphase": program = try scanner.text()
        case "server": server = try scanner.text()
        case "extensions": extensions = try scanner.texts()
        case "managers": managers = try scanner.texts()
        case "screens": screenCount = try scanner.integer(1...255)
        case "time": (seconds, nanoseconds) = try scanner.calendarTime()
        case "redacted": isRedacted = try scanner.flag()
        case "titles": hasTitles = try scanner.flag()
        case "idle": idle = scanner.skipNull() ? nil : try scanner.integer(1...1 << 50)
        default: try scanner.skipValue()
        }
    }
}

extension LineScanner {
    fileprivate mutating func texts() throws(RecordingFault) -> [String] {
        var texts: [String] = []
        try list { scanner throws(RecordingFault) in
            texts.append(try scanner.text())
            if texts.count > 1000 { throw RecordingFault("a list is too long") }
        }
        return texts
    }

    /// Seconds since 1970, up to the year 9999, and nanoseconds.
    mutating func calendarTime() throws(RecordingFault) -> (seconds: Int, nanoseconds: Int) {
        let numbers = try integers(0...253_402_300_799, 2...2)
        guard numbers[1] < 1_000_000_000 else { throw RecordingFault("a second has no more nanoseconds") }
        return (numbers[0], numbers[1])
    }
}

/// Stable words in place of titles and names: each gets its own, whatever it stands for, a class or a program.
struct StandIns {
    /// A client may make up as many as it likes.
    private static let most = 10_000

    private let word: String
    private var known: [String: String] = [:]
    private var last = 0

    init(_ word: String) {
        self.word = word
    }

    mutating func standIn(for text: String?) -> String? {
        guard let text else { return nil }
        if let known = known[text] { return known }
        if known.count == Self.most { known = [:] }
        last += 1
        known[text] = "\(word)-\(last)"
        return known[text]
    }
}
