import Scenes

/// The text of one line of a recording: JSON, of which only that is written which is new.
struct LineText {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ key: StaticString, _ value: Int?, was: Int?) {
        if value != was { add(key, value) }
    }

    mutating func add(_ key: StaticString, _ value: Int?) {
        begin(key)
        append(value)
    }

    mutating func add(_ key: StaticString, _ value: UInt32?, was: UInt32?) {
        add(key, value.map { Int($0) }, was: was.map { Int($0) })
    }

    mutating func add(_ key: StaticString, _ value: Bool, was: Bool) {
        if value != was { add(key, value) }
    }

    mutating func add(_ key: StaticString, _ value: Bool) {
        begin(key)
        bytes += (value ? "true" : "false").utf8
    }

    mutating func add(_ key: StaticString, _ value: String?, was: String?) {
        if value != was { add(key, value) }
    }

    mutating func add(_ key: StaticString, _ value: String?) {
        begin(key)
        append(value)
    }

    mutating func add(_ key: StaticString, _ values: [Int]) {
        begin(key)
        append(values)
    }

    mutating func add(_ key: StaticString, _ values: [String]) {
        begin(key)
        bytes.append(UInt8(ascii: "["))
        for value in values {
            separate()
            append(value)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func add(_ key: StaticString, _ value: Rectangle?, was: Rectangle?) {
        if value == was { return }
        begin(key)
        if let value { append(value.numbers) } else { append(Int?.none) }
    }

    mutating func add(_ key: StaticString, _ value: [Rectangle]?, was: [Rectangle]?) {
        if value == was { return }
        begin(key)
        guard let value else { return append(Int?.none) }
        bytes.append(UInt8(ascii: "["))
        for rectangle in value {
            separate()
            append(rectangle.numbers)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Adds an object, unless nothing is written into it.
    mutating func object(_ key: StaticString? = nil, _ write: (inout LineText) -> Void) {
        nest(key, UInt8(ascii: "{"), UInt8(ascii: "}"), write)
    }

    /// Adds a list of objects, unless there are none.
    mutating func list(_ key: StaticString, _ write: (inout LineText) -> Void) {
        nest(key, UInt8(ascii: "["), UInt8(ascii: "]"), write)
    }

    /// The line with its newline.
    mutating func end() -> [UInt8] {
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private mutating func nest(
        _ key: StaticString?, _ open: UInt8, _ close: UInt8, _ write: (inout LineText) -> Void
    ) {
        let start = bytes.count
        if let key { begin(key) } else { separate() }
        bytes.append(open)
        let inner = bytes.count
        write(&self)
        if bytes.count == inner {
            bytes.removeLast(inner - start)
        } else {
            bytes.append(close)
        }
    }

    private mutating func begin(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes += $0 }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
            bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func append(_ value: Int?) {
        bytes += (value.map { String($0) } ?? "null").utf8
    }

    private mutating func append(_ values: [Int]) {
        bytes.append(UInt8(ascii: "["))
        for value in values {
            separate()
            append(value)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ text: String?) {
        guard let text else { return append(Int?.none) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                let digits = Array("0123456789abcdef".utf8)
                bytes += "\\u00".utf8
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension Rectangle {
    var numbers: [Int] { [Int(x), Int(y), Int(width), Int(height)] }
}
