import FoundationEssentials

/// Values as lines of JSON.
enum LineCoding {
    private static let encoder = {
        let encoder = JSONEncoder()
        // Equal looks have equal bytes.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// Returns the line with its newline.
    static func bytes(_ value: some Encodable) -> [UInt8] {
        // Encoding a value of a recording cannot fail; a reader would report the empty line.
        [UInt8]((try? encoder.encode(value)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    static func decode<Value: Decodable>(
        _ bytes: ArraySlice<UInt8>, line: Int
    ) throws(RecordingFault) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw RecordingFault(line, error)
        }
    }
}
