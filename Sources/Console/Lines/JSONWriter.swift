import System

/// A writer of one JSON object, key by key: JSONEncoder does not preserve the order of keys.
public struct JSONWriter {
    private var bytes: [UInt8] = []

    public init() {
        bytes.reserveCapacity(512)
        bytes.append(UInt8(ascii: "{"))
    }

    public mutating func add(_ key: String, _ value: FieldValue) { add(key) { $0.append(json: value) } }
    public mutating func add(_ key: String, _ value: String?) { add(key, .text(value)) }
    public mutating func add(_ key: String, _ value: Int?) { add(key, .number(value)) }
    public mutating func add(_ key: String, utc time: Timestamp) { add(key, .time(time)) }
    public mutating func add(_ key: String, seconds value: Duration?) { add(key, .seconds(value)) }
    public mutating func add(_ key: String, _ value: Bool) {
        add(key) { $0.append(value ? "true" : "false") }
    }
    public mutating func add(_ key: String, _ values: [String]) {
        add(key) { $0.append(json: values) { $0.append(json: $1) } }
    }
    public mutating func add(_ key: String, _ pairs: [(name: String, value: String?)]) {
        add(key) { bytes in
            bytes.append(json: pairs, in: ("{", "}")) {
                $0.append(json: $1.name)
                $0.append(":")
                $0.append(json: $1.value)
            }
        }
    }

    public consuming func object() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Returns the object and a newline.
    public consuming func line() -> [UInt8] { object() + [UInt8(ascii: "\n")] }

    private mutating func add(_ key: String, _ write: (inout [UInt8]) -> Void) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(key)
        bytes.append("\":")
        write(&bytes)
    }
}

extension [UInt8] {
    mutating func append<Item>(
        json items: [Item], in ends: (String, String) = ("[", "]"), _ write: (inout [UInt8], Item) -> Void
    ) {
        append(ends.0)
        for (index, item) in items.enumerated() {
            if index > 0 { append(",") }
            write(&self, item)
        }
        append(ends.1)
    }
}
