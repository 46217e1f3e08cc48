import FoundationEssentials

extension Encodable {
    /// As JSON, for another process of xphase: none of these values can fail to be encoded.
    var json: [UInt8] { [UInt8]((try? JSONEncoder().encode(self)) ?? Data()) }
}

extension Decodable {
    /// nil for what is none.
    init?(json bytes: some Sequence<UInt8>) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = value
    }
}
