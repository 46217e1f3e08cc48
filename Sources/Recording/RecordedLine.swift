import FoundationEssentials
import Scenes
import System

/// Any line of a recording except the first.
package struct RecordedLine: Codable {
    package struct Notice: Codable { package var name, text: String }

    /// The moment of the line, in nanoseconds since the start.
    package var at: Int64
    /// The calendar time of that moment; nil if it is as expected from the last one.
    package var calendar: Timestamp?
    package var look: Look?
    /// A notice that does not come from a look.
    package var notice: Notice?
    /// Whether this is the last line.
    package var isEnd: Bool?
}

/// What changed since the previous look, each part whole; nil for unchanged parts.
package struct Look: Codable {
    var screen: Screen?
    /// The children of the root window, lowest first, if the list changed.
    var order: [UInt32]?
    /// The children of the root window that are no known windows, and new or changed.
    var children: [WindowFacts]?
    /// The windows that are no longer known.
    var gone: [UInt32]?
    /// The windows that are new or changed.
    var windows: [SeenWindow]?
    var focus: Desktop.InputFocus?
    var session: Session?

    package init() {}
}

extension Encodable {
    /// The value as a line of JSON, with its newline.
    var line: [UInt8] {
        let encoder = JSONEncoder()
        // Equal looks have equal bytes.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding a value of a recording cannot fail; a reader would report the empty line.
        return [UInt8]((try? encoder.encode(self)) ?? Data()) + [UInt8(ascii: "\n")]
    }
}

extension Decodable {
    init(line: ArraySlice<UInt8>) throws { self = try JSONDecoder().decode(Self.self, from: Data(line)) }
}
