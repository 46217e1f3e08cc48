/// A limit on the processor time of an application, in percent of one processor: `20%`.
public struct ProcessorCap: RawRepresentable, Hashable, Codable, Sendable {
    static let wanted = "a percentage of one processor from \"1%\" to \"10000%\""

    public let rawValue: String

    public init?(rawValue: String) {
        guard let percent = Int(rawValue.dropLast()), (1...10_000).contains(percent),
            rawValue == "\(percent)%"
        else { return nil }
        self.rawValue = rawValue
    }
}
