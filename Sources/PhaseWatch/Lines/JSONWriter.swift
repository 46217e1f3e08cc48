import Scenes

/// Writes one flat JSON object, key by key: JSONEncoder would choose an order of its own.
package struct JSONWriter {
    private var bytes: [UInt8] = Array("{".utf8)

    package init() {}

    package mutating func add(_ key: StaticString, _ value: String?) {
        add(key)
        append(string: value)
    }

    package mutating func add(_ key: StaticString, _ value: Bool) {
        add(key)
        append(value ? "true" : "false")
    }

    package mutating func add(_ key: StaticString, _ value: Int?) {
        add(key)
        append(value.map(String.init) ?? "null")
    }

    package mutating func add(_ key: StaticString, _ values: [Int]) {
        add(key)
        append("[" + values.map(String.init).joined(separator: ",") + "]")
    }

    package mutating func add(_ key: StaticString, _ values: [String]) {
        add(key)
        append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { append(",") }
            append(string: value)
        }
        append("]")
    }

    package mutating func add(_ key: StaticString, _ pairs: [(name: String, value: String?)]) {
        add(key)
        append("{")
        for (index, pair) in pairs.enumerated() {
            if index > 0 { append(",") }
            append(string: pair.name)
            append(":")
            append(string: pair.value)
        }
        append("}")
    }

    package mutating func add(_ key: StaticString, seconds value: Duration?) {
        add(key)
        append(value.map(TimeText.seconds) ?? "null")
    }

    package mutating func add(_ key: StaticString, _ counts: Change.Counts) {
        add(key)
        append(
            "{\"active\":\(counts.active),\"inactive\":\(counts.inactive),\"background\":\(counts.background)}"
        )
    }

    /// The whole object and a newline.
    package consuming func line() -> [UInt8] {
        append("}\n")
        return bytes
    }

    private mutating func add(_ key: StaticString) {
        append(bytes.count == 1 ? "\"" : ",\"")
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        append("\":")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(string: String?) {
        guard let string else { return append("null") }
        append("\"")
        for scalar in string.unicodeScalars { append(escaping: scalar) }
        append("\"")
    }

    private mutating func append(escaping scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\t": append("\\t")
        case "\r": append("\\r")
        case _ where scalar.isControl:
            let digits = String(scalar.value, radix: 16)
            append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
