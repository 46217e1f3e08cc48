import FoundationEssentials

extension Encodable {
    /// As JSON, for another process of xphase: none of these values can fail to be encoded.
    var json: [UInt8] { [UInt8]((try? JSONEncoder().encode(self)) ?? Data()) }
}
