/// An enumeration that is coded as the index of its case. With raw values, the rule would compare these instead of the
/// cases, which takes several times as many instructions.
package protocol CodedByPlace: CaseIterable, Codable where AllCases == [Self] {}

extension CodedByPlace where Self: Equatable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try container.decode(Int.self)
        guard Self.allCases.indices.contains(number) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "there is no case \(number)")
        }
        self = Self.allCases[number]
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.allCases.firstIndex(of: self))
    }
}
