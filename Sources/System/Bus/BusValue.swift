/// A value in a D-Bus message. Its type is the signature beside it.
public indirect enum BusValue: Hashable, Sendable {
    /// The bits of a number or a truth value.
    case number(UInt64)
    /// A string, an object path or a signature.
    case text(String)
    /// An array, a structure or an entry of a dictionary.
    case list([BusValue])
    /// Written with its signature. Reading returns the content instead.
    case variant(String, BusValue)

    public var number: UInt64? { if case .number(let number) = self { number } else { nil } }
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    public var list: [BusValue] { if case .list(let values) = self { values } else { [] } }
    public var texts: [String] { list.compactMap(\.text) }
}

/// The signature of values, from which their types are taken one after the other.
private struct Signature {
    /// The sizes of numbers, by type.
    static let sizes: [Character: Int] = [
        "y": 1, "n": 2, "q": 2, "b": 4, "i": 4, "u": 4, "h": 4, "x": 8, "t": 8, "d": 8,
    ]

    private(set) var rest: Substring

    init(_ text: some StringProtocol) { rest = Substring(text) }

    /// Removes and returns the first complete type; nil if there is none.
    mutating func take() -> Substring? {
        var (depth, count) = (0, 0)
        for character in rest {
            count += 1
            if "({".contains(character) { depth += 1 }
            if ")}".contains(character) { depth -= 1 }
            if depth < 0 { return nil }
            if depth > 0 || character == "a" { continue }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        return nil
    }

    static func alignment(of type: Substring) -> Int {
        guard let code = type.first else { return 1 }
        return sizes[code] ?? ("gv".contains(code) ? 1 : "({".contains(code) ? 8 : 4)
    }
}

/// Values as the bytes of a message, in little-endian order.
struct BusWriter {
    var bytes: [UInt8] = []

    /// Appends values of the types in the signature.
    mutating func write(_ values: [BusValue], _ signature: some StringProtocol) {
        var signature = Signature(signature)
        for value in values { if let type = signature.take() { write(value, type) } }
    }

    mutating func align(to count: Int) { while bytes.count % count != 0 { bytes.append(0) } }

    private mutating func write(_ value: BusValue, _ type: Substring) {
        align(to: Signature.alignment(of: type))
        switch value {
        case .number(let bits): write(bits, size: Signature.alignment(of: type))
        case .text(let text):
            write(UInt64(text.utf8.count), size: Signature.alignment(of: type))
            bytes += Array(text.utf8) + [0]
        case .variant(let signature, let content):
            write(.text(signature), "g")
            write([content], signature)
        case .list(let values) where type.first == "a":
            let start = bytes.count
            write(0, size: 4)
            // The padding before the first element does not count for the length.
            align(to: Signature.alignment(of: type.dropFirst()))
            let first = bytes.count
            for value in values { write(value, type.dropFirst()) }
            for index in 0..<4 { bytes[start + index] = UInt8((bytes.count - first) >> (8 * index) & 0xFF) }
        case .list(let values): write(values, type.dropFirst().dropLast())
        }
    }

    private mutating func write(_ bits: UInt64, size: Int) {
        withUnsafeBytes(of: bits.littleEndian) { bytes += $0.prefix(size) }
    }
}

/// Values from the bytes of a message. Every length in them may be false.
struct BusReader {
    /// D-Bus permits 32 arrays and 32 structures within each other, and variants besides.
    private static let deepest = 64

    private let bytes: ArraySlice<UInt8>
    private let isBigEndian: Bool
    private var offset = 0

    /// - Parameter bytes: They begin at a multiple of eight bytes in the message.
    init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
        (self.bytes, self.isBigEndian) = (bytes, isBigEndian)
    }

    /// Reads a value of each type; nil if the bytes are not such values.
    mutating func values(_ signature: some StringProtocol, depth: Int = 0) -> [BusValue]? {
        var (signature, values) = (Signature(signature), [BusValue]())
        while !signature.rest.isEmpty {
            guard let type = signature.take(), let value = value(type, depth) else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func value(_ type: Substring, _ depth: Int) -> BusValue? {
        guard let code = type.first, depth < Self.deepest else { return nil }
        switch code {
        case "s", "o": return number(4).flatMap { text($0) }.map { .text($0) }
        case "g": return number(1).flatMap { text($0) }.map { .text($0) }
        case "v":
            let content = number(1).flatMap { text($0) }.flatMap { values($0, depth: depth + 1) }
            return content?.count == 1 ? content?.first : nil
        case "a": return array(of: type.dropFirst(), depth)
        case "(", "{":
            align(to: 8)
            let members = values(type.dropFirst().dropLast(), depth: depth + 1) ?? []
            // Without members, an array of structures would never come to its end.
            return members.isEmpty ? nil : .list(members)
        default: return Signature.sizes[code].flatMap { number($0) }.map { .number($0) }
        }
    }

    private mutating func array(of element: Substring, _ depth: Int) -> BusValue? {
        guard let length = number(4) else { return nil }
        align(to: Signature.alignment(of: element))
        let end = offset + Int(length)
        var values: [BusValue] = []
        while offset < end {
            guard end <= bytes.count, let value = value(element, depth + 1) else { return nil }
            values.append(value)
        }
        return offset == end ? .list(values) : nil
    }

    private mutating func align(to count: Int) { offset = (offset + count - 1) / count * count }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - offset else { return nil }
        defer { offset += count }
        return bytes.dropFirst(offset).prefix(count)
    }

    private mutating func number(_ size: Int) -> UInt64? {
        align(to: size)
        guard let bytes = take(size) else { return nil }
        return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func text(_ count: UInt64) -> String? {
        guard let bytes = take(Int(count)), take(1) != nil else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
