import System

/// A writer of one JSON object, key by key: JSONEncoder does not preserve the order of keys.
public struct JSONWriter {
    private var bytes = [UInt8(ascii: "{")]

    public init() {}

    public mutating func add(_ key: String, _ value: String?) { add(key, .text(value)) }
    public mutating func add(_ key: String, _ value: Int?) { add(key, .number(value)) }
    public mutating func add(_ key: String, utc time: Timestamp) { add(key, .time(time)) }
    public mutating func add(_ key: String, seconds value: Duration?) { add(key, .seconds(value)) }

    public mutating func add(_ key: String, _ value: Bool) {
        bytes.append(jsonKey: key)
        bytes.append(value ? "true" : "false")
    }

    public mutating func add(_ key: String, _ values: [String]) {
        bytes.append(jsonKey: key)
        bytes.append(jsonArray: values) { $0.append(json: $1) }
    }

    public mutating func add(_ key: String, _ pairs: [(name: String, value: String?)]) {
        bytes.append(jsonKey: key)
        bytes.append("{")
        for (index, pair) in pairs.enumerated() {
            if index > 0 { bytes.append(",") }
            bytes.append(json: pair.name)
            bytes.append(":")
            bytes.append(json: pair.value)
        }
        bytes.append("}")
    }

    /// Returns the object and a newline.
    public func line() -> [UInt8] { bytes + Array("}\n".utf8) }

    private mutating func add(_ key: String, _ value: FieldValue) {
        bytes.append(jsonKey: key)
        bytes.append(json: value)
    }
}

extension [UInt8] {
    /// Appends a key behind the values before it, or behind the brace of an object without values.
    mutating func append(jsonKey key: String) {
        if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        append(key)
        append("\":")
    }

    mutating func append<Item>(jsonArray items: [Item], _ write: (inout [UInt8], Item) -> Void) {
        append("[")
        for (index, item) in items.enumerated() {
            if index > 0 { append(",") }
            write(&self, item)
        }
        append("]")
    }
}
