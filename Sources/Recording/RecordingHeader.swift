/// The origin and the contents of a recording.
package struct RecordingHeader: Hashable, Sendable, Codable {
    /// The version of xphase that made the recording.
    package var program = ""
    /// The vendor and the release number of the X server.
    package var server = ""
    /// Whether titles and names are placeholders.
    package var isRedacted = false
    /// The time without input after which the user is idle, in milliseconds; nil if idle times were not read.
    package var idle: Int?

    package init() {}

    init(_ line: ArraySlice<UInt8>) throws(RecordingFault) {
        guard let version = try? FormatVersion(line: line).number else {
            throw RecordingFault(line: 1, text: "this is not a recording: 'xphase record' makes one")
        }
        guard version == FirstLine.current else {
            let versions = "version \(version), and this xphase reads version \(FirstLine.current)"
            let advice = "replay it with the xphase that made it, or record it again"
            throw RecordingFault(line: 1, text: "it is a recording of \(versions): \(advice)")
        }
        do { self = try FirstLine(line: line).header } catch { throw RecordingFault(1, error) }
    }
}

/// The part of the first line that all versions of the format have.
private struct FormatVersion: Decodable {
    var number: Int

    enum CodingKeys: String, CodingKey { case number = "xphase-recording" }
}

struct FirstLine: Codable {
    static let current = 5

    var version = Self.current
    var header: RecordingHeader

    enum CodingKeys: String, CodingKey {
        case version = "xphase-recording"
        case header
    }
}
