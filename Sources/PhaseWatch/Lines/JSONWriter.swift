import Scenes

/// Writes one flat JSON object, key by key: JSONEncoder would choose an order of its own.
package struct JSONWriter {
    private var bytes: [UInt8]
    private var isFirst = true

    /// - Parameter bytes: What the object is written behind. Given away by its owner, it is not copied.
    package init(behind bytes: consuming [UInt8] = []) {
        self.bytes = bytes
        self.bytes.append(UInt8(ascii: "{"))
    }

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
        if let value { bytes.append(decimal: value) } else { append("null") }
    }

    package mutating func add(_ key: StaticString, _ values: [Int]) {
        add(key, list: values) { $0.bytes.append(decimal: $1) }
    }

    package mutating func add(_ key: StaticString, _ values: [Int32]) {
        add(key, list: values) { $0.bytes.append(decimal: Int($1)) }
    }

    package mutating func add(_ key: StaticString, _ values: [String]) {
        add(key, list: values) { $0.append(string: $1) }
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

    package mutating func add(_ key: StaticString, _ id: WindowID) {
        add(key)
        append("\"0x")
        bytes.append(hexadecimal: id.xid)
        append("\"")
    }

    package mutating func add(_ key: StaticString, utc time: Timestamp) {
        add(key)
        append("\"")
        TimeText.append(utc: time, to: &bytes)
        append("\"")
    }

    package mutating func add(_ key: StaticString, seconds value: Duration?) {
        add(key)
        if let value { TimeText.append(seconds: value, to: &bytes) } else { append("null") }
    }

    package mutating func add(_ key: StaticString, _ counts: Change.Counts) {
        add(key)
        append("{\"active\":")
        bytes.append(decimal: counts.active)
        append(",\"inactive\":")
        bytes.append(decimal: counts.inactive)
        append(",\"background\":")
        bytes.append(decimal: counts.background)
        append("}")
    }

    /// What it was written behind, the whole object and a newline.
    package consuming func line() -> [UInt8] {
        append("}\n")
        return bytes
    }

    private mutating func add(_ key: StaticString) {
        append(isFirst ? "\"" : ",\"")
        isFirst = false
        append(key)
        append("\":")
    }

    private mutating func add<Value>(
        _ key: StaticString, list: [Value], _ write: (inout JSONWriter, Value) -> Void
    ) {
        add(key)
        append("[")
        for (index, value) in list.enumerated() {
            if index > 0 { append(",") }
            write(&self, value)
        }
        append("]")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(string: String?) {
        guard var string else { return append("null") }
        append("\"")
        string.withUTF8 { bytes.append(escapingForJSON: $0) }
        append("\"")
    }
}
