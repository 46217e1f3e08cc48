import Console
import PhaseWatch
import System

/// The valid words for a key or a value.
public struct Vocabulary: Sendable {
    private static let mostShown = 6

    let one: String
    let many: String
    public let words: [String]

    public init(one: String, many: String, words: [String]) {
        (self.one, self.many, self.words) = (one, many, words)
    }

    /// The noun, and all words if they are few, for the message about a value that is not a word.
    var choice: String {
        if words.count > Self.mostShown { return one.withArticle }
        let quoted = words.map { "\"\($0)\"" }
        let first = quoted.dropLast().joined(separator: ", ")
        return "\(one.withArticle), \(first)\(first.isEmpty ? "" : " or ")\(quoted.last ?? "")"
    }

    /// Returns the message for an unknown word, which names the nearest valid one.
    public func refusal(of word: String) -> String {
        let nearest = NearestWord.to(word, among: words)
        let meant = nearest.map { " (did you mean '\($0)'?)" } ?? ""
        let isEnough = nearest != nil && words.count > Self.mostShown
        let all = isEnough ? "" : "; the \(many) are \(words.joined(separator: ", "))"
        return "there is no \(one) \(word.quoted)\(meant)\(all)"
    }
}

/// A type whose values are written as words in the configuration.
public protocol ConfigurationWord: CaseIterable, Hashable, RawRepresentable<String> {
    static var names: (one: String, many: String) { get }
}

extension ConfigurationWord {
    public static var vocabulary: Vocabulary {
        Vocabulary(one: names.one, many: names.many, words: allCases.map(\.rawValue))
    }
}

extension Set where Element: ConfigurationWord {
    /// The words of the type, and that for none of them.
    public static var words: [String] { Element.allCases.map(\.rawValue) + ["none"] }

    /// Returns the values that the words name; an empty set for `none` alone.
    ///
    /// - Returns: The values, and the faults of the words.
    public static func named(_ words: [String]) -> (values: Self, faults: [String]) {
        if words == ["none"] { return ([], []) }
        let (one, many) = Element.names
        let vocabulary = Vocabulary(one: one, many: many, words: Self.words)
        let unknown = words.filter { Element(rawValue: $0) == nil }
        return (
            Set(words.compactMap { Element(rawValue: $0) }),
            unknown.map { $0 == "none" ? "none cannot be combined with others" : vocabulary.refusal(of: $0) }
        )
    }
}

extension ScenePhase: ConfigurationWord {
    public static var names: (one: String, many: String) { ("phase", "phases") }
}

extension Cause: ConfigurationWord {
    public static var names: (one: String, many: String) { ("cause", "causes") }
}

extension Change.Extent: ConfigurationWord {
    public static var names: (one: String, many: String) { ("extent", "extents") }
}

extension Change.Level: ConfigurationWord {
    public static var names: (one: String, many: String) { ("level", "levels") }
}

extension SessionState: ConfigurationWord {
    public static var names: (one: String, many: String) { ("session state", "session states") }
}

extension PhasePolicy: ConfigurationWord {
    public static var names: (one: String, many: String) { ("policy", "policies") }
}

extension String {
    private static let mostQuoted = 60

    /// The text in quotation marks for a message: shortened, and escaped for a terminal.
    public var quoted: String {
        let text = count > Self.mostQuoted ? prefix(Self.mostQuoted) + "…" : self[...]
        return "'\(String(text).escapedForTerminal)'"
    }

    /// A noun with its article, for messages.
    public var withArticle: String { (first.map("aeiou".contains) ?? false ? "an " : "a ") + self }
}

extension Power: ConfigurationWord {
    public static var names: (one: String, many: String) { ("power supply", "power supplies") }
}
