/// A limit on the processor time of an application, in percent of one processor: `20%`.
public struct ProcessorCap: RawRepresentable, Hashable, Codable, Sendable {
    static let wanted = "a percentage of one processor from \"1%\" to \"10000%\""

    public let rawValue: String
    /// The microseconds of processor time in each second.
    public let microseconds: UInt64

    public init?(rawValue: String) {
        guard let percent = Int(rawValue.dropLast()), (1...10_000).contains(percent),
            rawValue == "\(percent)%"
        else { return nil }
        (self.rawValue, microseconds) = (rawValue, UInt64(percent) * 10_000)
    }
}
