import PhaseWatch
import System

/// A writer of one flat JSON object, key by key: JSONEncoder does not preserve the order of keys.
public struct JSONWriter: ~Copyable {
    private var bytes: ByteBuffer
    private var isFirst = true

    /// - Parameter bytes: The buffer to which the object is appended.
    public init(behind bytes: consuming ByteBuffer = ByteBuffer()) {
        self.bytes = bytes
        self.bytes.append(UInt8(ascii: "{"))
    }

    public mutating func add(_ key: StaticString, _ value: String?) {
        add(key)
        append(string: value)
    }

    public mutating func add(_ key: StaticString, _ value: Bool) {
        add(key)
        bytes.append(value ? "true" as StaticString : "false")
    }

    public mutating func add(_ key: StaticString, _ value: Int?) {
        add(key)
        if let value { bytes.append(decimal: value) } else { bytes.append("null") }
    }

    public mutating func add(_ key: StaticString, _ values: [String]) {
        add(key)
        bytes.append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(",") }
            append(string: value)
        }
        bytes.append("]")
    }

    public mutating func add(_ key: StaticString, _ pairs: [(name: String, value: String?)]) {
        add(key)
        bytes.append("{")
        for (index, pair) in pairs.enumerated() {
            if index > 0 { bytes.append(",") }
            append(string: pair.name)
            bytes.append(":")
            append(string: pair.value)
        }
        bytes.append("}")
    }

    public mutating func add(_ key: StaticString, utc time: Timestamp) {
        add(key)
        bytes.append("\"")
        TimeText.append(utc: time, to: &bytes)
        bytes.append("\"")
    }

    public mutating func add(_ key: StaticString, seconds value: Duration?) {
        add(key)
        if let value { bytes.append(seconds: value.milliseconds) } else { bytes.append("null") }
    }

    /// Returns the object and a newline.
    public consuming func line() -> [UInt8] {
        finish().withBytes { Array($0) }
    }

    /// Returns the buffer with the object and a newline appended.
    consuming func finish() -> ByteBuffer {
        bytes.append("}\n")
        return bytes
    }

    private mutating func add(_ key: StaticString) {
        bytes.append(jsonKey: key, isFirst: isFirst)
        isFirst = false
    }

    private mutating func append(string: String?) {
        bytes.append(json: string)
    }
}
