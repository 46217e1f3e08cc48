/// A D-Bus message, as the D-Bus specification defines it.
public struct BusMessage: Hashable, Sendable {
    public enum Kind: UInt64, Sendable {
        case call = 1
        case answer, error, signal
    }

    /// The fields of a header, by their codes.
    private enum Field: UInt64, CaseIterable {
        case path = 1
        case interface, member, errorName, replySerial, destination, sender, signature

        var type: String {
            switch self {
            case .path: "o"
            case .replySerial: "u"
            case .signature: "g"
            default: "s"
            }
        }
    }

    /// The flag of a call whose sender waits for no answer, and of one that starts no program.
    static let (noReplyExpected, noAutoStart) = (UInt64(1), UInt64(2))
    /// The largest message that the specification permits, and the largest header that is accepted.
    private static let (most, mostHeader) = (UInt64(128 << 20), UInt64(64 << 10))
    /// The size of what precedes the fields of the header.
    private static let fixed = 16

    public let kind: Kind
    var flags: UInt64 = 0
    public internal(set) var serial: UInt32 = 0
    private var fields: [Field: BusValue] = [:]
    /// The bytes of the arguments; empty if the message is too large to be read whole.
    private let body: ArraySlice<UInt8>
    private let isBigEndian: Bool

    public var isOneWay: Bool { flags & Self.noReplyExpected != 0 }
    public var interface: String? { fields[.interface]?.text }
    public var member: String? { fields[.member]?.text }
    public var errorName: String? { fields[.errorName]?.text }
    public var destination: String? { fields[.destination]?.text }
    public var sender: String? { fields[.sender]?.text }
    /// The serial of the call that an answer belongs to.
    public var replySerial: UInt32? { fields[.replySerial]?.number.map { UInt32(truncatingIfNeeded: $0) } }

    /// The arguments; empty if they are not valid. They take many times the memory of their bytes, so they are read only
    /// when somebody asks for them.
    public var arguments: [BusValue] {
        var reader = BusReader(body, isBigEndian: isBigEndian)
        return reader.values(fields[.signature]?.text ?? "") ?? []
    }

    init(calling method: BusMethod, _ signature: String, _ arguments: [BusValue], serial: UInt32) {
        var body = BusWriter()
        body.write(arguments, signature)
        (kind, flags, self.serial) = (.call, Self.noAutoStart, serial)
        (self.body, isBigEndian) = (body.bytes[...], false)
        fields = [
            .path: .text(method.path), .interface: .text(method.interface), .member: .text(method.member),
            .signature: .text(signature),
        ]
        fields[.destination] = method.destination.map { .text($0) }
    }

    var bytes: [UInt8] {
        let present = Field.allCases.compactMap { field in
            fields[field].map { BusValue.list([.number(field.rawValue), .variant(field.type, $0)]) }
        }
        let start = [
            UInt64(UInt8(ascii: "l")), kind.rawValue, flags, 1, UInt64(body.count), UInt64(serial),
        ]
        var header = BusWriter()
        header.write(start.map { .number($0) } + [.list(present)], "yyyyuua(yv)")
        header.align(to: 8)
        return header.bytes + body
    }

    /// Returns the sizes of the message that some bytes begin with: its header with the padding, and all of it; nil if
    /// the bytes are too few. Throws if they are no message.
    static func sizes(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> (header: Int, whole: Int)? {
        guard bytes.count >= fixed else { return nil }
        var reader = BusReader(bytes.prefix(fixed), isBigEndian: bytes.first == UInt8(ascii: "B"))
        guard bytes.first == UInt8(ascii: "l") || bytes.first == UInt8(ascii: "B"),
            let numbers = reader.values("yyyyuuu")?.compactMap(\.number), numbers[3] == 1,
            numbers[6] <= mostHeader, numbers[4] <= most
        else { throw .refused("what it sends is not a D-Bus message") }
        let header = (fixed + Int(numbers[6]) + 7) / 8 * 8
        return (header, header + Int(numbers[4]))
    }

    /// Reads a whole message, or its header alone, which has this size with the padding. Returns nil for an unknown kind
    /// or an invalid header.
    init?(_ bytes: ArraySlice<UInt8>, header: Int) {
        (body, isBigEndian) = (bytes.dropFirst(header), bytes.first == UInt8(ascii: "B"))
        var reader = BusReader(bytes.prefix(header), isBigEndian: isBigEndian)
        guard let values = reader.values("yyyyuua(yv)"), let kind = values[1].number.flatMap(Kind.init) else {
            return nil
        }
        (self.kind, flags) = (kind, values[2].number ?? 0)
        serial = UInt32(truncatingIfNeeded: values[5].number ?? 0)
        for entry in values[6].list.map(\.list) {
            if let field = entry[0].number.flatMap(Field.init) { fields[field] = entry[1] }
        }
    }
}
