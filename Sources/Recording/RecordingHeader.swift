/// The origin and the contents of a recording.
package struct RecordingHeader: Hashable, Sendable, Codable {
    /// The version of xphase that made the recording.
    package var program = ""
    /// The vendor and the release number of the X server.
    package var server = ""
    /// The extensions of the server that xphase uses.
    package var extensions: [String] = []
    /// Whether titles and names are placeholders.
    package var isRedacted = false
    /// Whether the recording has the titles of all windows, not only of those without a class.
    package var hasTitles = false
    /// The time without input after which the user is idle, in milliseconds; nil if idle times were not read.
    package var idle: Int?

    package init() {}

    var line: [UInt8] { LineCoding.bytes(FirstLine(header: self)) }

    init(_ line: ArraySlice<UInt8>) throws(RecordingFault) {
        guard let first: FirstLine = try? LineCoding.decode(line, line: 1) else {
            throw RecordingFault(1, "this is not a recording: 'xphase record' makes one")
        }
        guard let header = first.header else {
            let versions = "version \(first.version), and this xphase reads version \(FirstLine.current)"
            let advice = "replay it with the xphase that made it, or record it again"
            throw RecordingFault(1, "it is a recording of \(versions): \(advice)")
        }
        self = header
    }
}

/// The first line of a recording.
private struct FirstLine: Codable {
    /// The version of the format. All versions have this key.
    static let current = 3

    enum CodingKeys: String, CodingKey {
        case version = "xphase-recording"
        case header
    }

    var version = Self.current
    /// nil for another version, whose header may be another one.
    var header: RecordingHeader?

    init(header: RecordingHeader) {
        self.header = header
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decode(Int.self, forKey: .version)
        if version == Self.current { header = try values.decode(RecordingHeader.self, forKey: .header) }
    }
}
