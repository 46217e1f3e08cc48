import FoundationEssentials

extension Encodable {
    /// The value as JSON for another xphase process. Encoding never fails for the values that xphase sends.
    var json: [UInt8] { [UInt8]((try? JSONEncoder().encode(self)) ?? Data()) }
}

extension Decodable {
    /// Decodes a value; nil if the bytes are not valid.
    init?(json bytes: some Sequence<UInt8>) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = value
    }
}
