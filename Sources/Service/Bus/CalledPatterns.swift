import PhaseWatch

/// The patterns in a call: a list of them, or one text with commas. They are valid, and few: each is compared with every
/// window.
struct CalledPatterns: Codable {
    private static let most = 100

    let all: [Pattern]

    init(_ patterns: [Pattern]) { all = patterns }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let texts: [String]
        do {
            texts = Pattern.texts(in: try container.decode(String.self))
        } catch DecodingError.typeMismatch {
            texts = try container.decode([String].self)
        }
        guard texts.count <= Self.most else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "there are more than \(Self.most) patterns")
        }
        all = try texts.map { text in
            if let fault = Pattern.fault(in: text) {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' \(fault)")
            }
            return Pattern(text)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(all.map(\.text).joined(separator: ","))
    }
}
