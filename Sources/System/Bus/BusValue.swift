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

/// The type of a value, as a signature has it.
private indirect enum BusType {
    /// A number of so many bytes.
    case number(Int)
    /// A text whose length is a number of so many bytes.
    case text(Int)
    case variant
    case array(BusType)
    case structure([BusType])

    /// The length of a signature that D-Bus permits.
    private static let longest = 255
    /// D-Bus permits 32 arrays and 32 structures within each other, and variants besides.
    private static let deepest = 64

    /// Returns the types of a whole signature; nil if it is not valid.
    ///
    /// - Parameter depth: The number of values around these.
    static func all(_ signature: some StringProtocol, depth: Int = 0) -> [BusType]? {
        var rest = Array(signature.utf8)[...]
        guard rest.count <= longest else { return nil }
        var types: [BusType] = []
        while !rest.isEmpty {
            guard let type = take(&rest, depth) else { return nil }
            types.append(type)
        }
        return types
    }

    /// Removes the first complete type; nil if there is none.
    private static func take(_ rest: inout ArraySlice<UInt8>, _ depth: Int) -> BusType? {
        guard depth < deepest, let code = rest.popFirst() else { return nil }
        switch Character(Unicode.Scalar(code)) {
        case "y": return .number(1)
        case "n", "q": return .number(2)
        case "b", "i", "u", "h": return .number(4)
        case "x", "t", "d": return .number(8)
        case "s", "o": return .text(4)
        case "g": return .text(1)
        case "v": return .variant
        case "a": return take(&rest, depth + 1).map { .array($0) }
        case "(": return structure(&rest, depth, until: UInt8(ascii: ")"))
        case "{": return structure(&rest, depth, until: UInt8(ascii: "}"))
        default: return nil
        }
    }

    private static func structure(
        _ rest: inout ArraySlice<UInt8>, _ depth: Int, until end: UInt8
    ) -> BusType? {
        var members: [BusType] = []
        while rest.first != end {
            guard let member = take(&rest, depth + 1) else { return nil }
            members.append(member)
        }
        rest = rest.dropFirst()
        // Without members, an array of structures would never come to its end.
        return members.isEmpty ? nil : .structure(members)
    }

    var alignment: Int {
        switch self {
        case .number(let size), .text(let size): size
        case .variant: 1
        case .array: 4
        case .structure: 8
        }
    }
}

/// Values as the bytes of a message, in little-endian order.
struct BusWriter {
    var bytes: [UInt8] = []

    /// Appends values of the types in the signature.
    mutating func write(_ values: [BusValue], _ signature: some StringProtocol) {
        for (value, type) in zip(values, BusType.all(signature) ?? []) { write(value, type) }
    }

    mutating func align(to count: Int) { while bytes.count % count != 0 { bytes.append(0) } }

    private mutating func write(_ value: BusValue, _ type: BusType) {
        align(to: type.alignment)
        switch (value, type) {
        case (.number(let bits), .number(let size)): write(bits, size: size)
        case (.text(let text), .text(let size)):
            write(UInt64(text.utf8.count), size: size)
            bytes += Array(text.utf8) + [0]
        case (.variant(let signature, let content), .variant):
            write(.text(signature), .text(1))
            write([content], signature)
        case (.list(let values), .array(let element)):
            let start = bytes.count
            write(0, size: 4)
            // The padding before the first element does not count for the length.
            align(to: element.alignment)
            let first = bytes.count
            for value in values { write(value, element) }
            for index in 0..<4 { bytes[start + index] = UInt8((bytes.count - first) >> (8 * index) & 0xFF) }
        case (.list(let values), .structure(let members)):
            for (value, type) in zip(values, members) { write(value, type) }
        default: preconditionFailure("a value is written with its own type")
        }
    }

    private mutating func write(_ bits: UInt64, size: Int) {
        withUnsafeBytes(of: bits.littleEndian) { bytes += $0.prefix(size) }
    }
}

/// Values from the bytes of a message. Every length in them may be false.
struct BusReader {
    private let bytes: ArraySlice<UInt8>
    private let isBigEndian: Bool
    private var offset = 0
    /// How many more values are read. A byte may be in 32 structures, each of which takes memory.
    private var left = 1 << 16

    /// - Parameter bytes: They begin at a multiple of eight bytes in the message.
    init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
        (self.bytes, self.isBigEndian) = (bytes, isBigEndian)
    }

    /// Reads a value of each type; nil if the bytes are not such values. A signature is taken apart once, so that the time
    /// depends on the number of bytes alone.
    mutating func values(_ signature: some StringProtocol, depth: Int = 0) -> [BusValue]? {
        BusType.all(signature, depth: depth).flatMap { values($0, depth) }
    }

    private mutating func values(_ types: [BusType], _ depth: Int) -> [BusValue]? {
        var values: [BusValue] = []
        for type in types {
            guard let value = value(type, depth) else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func value(_ type: BusType, _ depth: Int) -> BusValue? {
        left -= 1
        guard left >= 0 else { return nil }
        switch type {
        case .number(let size): return number(size).map { .number($0) }
        case .text(let size): return number(size).flatMap { text($0) }.map { .text($0) }
        case .variant:
            let content = number(1).flatMap { text($0) }.flatMap { values($0, depth: depth + 1) }
            return content?.count == 1 ? content?.first : nil
        case .array(let element): return array(of: element, depth)
        case .structure(let members):
            align(to: type.alignment)
            return values(members, depth + 1).map { .list($0) }
        }
    }

    private mutating func array(of element: BusType, _ depth: Int) -> BusValue? {
        guard let length = number(4) else { return nil }
        align(to: element.alignment)
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
