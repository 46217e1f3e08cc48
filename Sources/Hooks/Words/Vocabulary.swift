import Console
import PhaseWatch
import System

/// The valid words for a key or a value.
struct Vocabulary: Sendable {
    private static let mostShown = 6

    let one: String
    let many: String
    var words: [String]
    /// The messages about other words that are likely.
    var remarks: [String: String] = [:]

    /// The noun, and all words if they are few, for the message about a value that is not a word.
    var choice: String {
        if words.count > Self.mostShown { return one.withArticle }
        let quoted = words.map { "\"\($0)\"" }
        let first = quoted.dropLast().joined(separator: ", ")
        return "\(one.withArticle), \(first)\(first.isEmpty ? "" : " or ")\(quoted.last ?? "")"
    }

    /// Returns the message for an unknown word, which names the nearest valid one.
    func refusal(of word: String) -> String {
        if let remark = remarks[word] { return remark }
        let nearest = NearestWord.to(word, among: words)
        let meant = nearest.map { " (did you mean '\($0)'?)" } ?? ""
        let isEnough = nearest != nil && words.count > Self.mostShown
        let all = isEnough ? "" : "; the \(many) are \(words.joined(separator: ", "))"
        return "there is no \(one) \(word.quoted)\(meant)\(all)"
    }
}

/// A type whose values are written as words in the configuration.
public protocol ConfigurationWord: CaseIterable, Hashable, RawRepresentable<String> {
    /// The noun for a value.
    static var noun: String { get }
    /// The messages about words that are no values, but likely to be written.
    static var remarks: [String: String] { get }
}

extension ConfigurationWord {
    public static var remarks: [String: String] { [:] }

    public static var plural: String { noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s" }

    /// Returns the message for an unknown word, which names the nearest valid one.
    public static func refusal(of word: String) -> String { vocabulary.refusal(of: word) }

    static var vocabulary: Vocabulary {
        Vocabulary(one: noun, many: plural, words: allCases.map(\.rawValue), remarks: remarks)
    }
}

/// A phase, or the state of what has no window any longer.
package enum PhaseOrClosed: String, Codable, ConfigurationWord {
    case active, inactive, background, closed

    package static let noun = ScenePhase.noun

    /// - Parameter phase: The phase after a change; nil if the change has closed its subject.
    package init(_ phase: ScenePhase?) { self = phase.flatMap { Self(rawValue: $0.rawValue) } ?? .closed }

    package var phase: ScenePhase? { ScenePhase(rawValue: rawValue) }
}

extension Set<PhaseOrClosed> {
    /// The words, the most active phase first.
    package var words: [String] { PhaseOrClosed.allCases.filter(contains).map(\.rawValue) }

    /// The words behind "it is".
    package var wordsOfState: [String] { words.map { $0 == "background" ? "in the background" : $0 } }
}

extension ScenePhase: ConfigurationWord { public static var noun: String { "phase" } }
extension Cause: ConfigurationWord { public static var noun: String { "cause" } }
extension Change.Extent: ConfigurationWord { public static var noun: String { "extent" } }
extension HookLevel: ConfigurationWord { package static var noun: String { "level" } }
extension SessionState: ConfigurationWord { public static var noun: String { "session state" } }
extension SessionLimit: ConfigurationWord {
    package static var noun: String { "session state" }

    /// The ends of the states, which no hook names.
    package static var remarks: [String: String] {
        let ends: [String: Self] = [
            "back": .away, "unlock": .lock, "unlocked": .lock, "display-on": .displayOff, "return": .idle,
        ]
        return Dictionary(
            uniqueKeysWithValues: ends.map { word, state in
                let value = "session = \"\(state.rawValue)\""
                return (
                    word,
                    "'\(word)' is the end of '\(state.rawValue)': write \(value), enter = [\"true\"], and as leave what "
                        + "is to run"
                )
            })
    }
}
extension PhasePolicy: ConfigurationWord { public static var noun: String { "policy" } }
extension BuiltIn: ConfigurationWord { public static var noun: String { "reaction" } }
extension Exception: ConfigurationWord { public static var noun: String { "exception" } }
extension Power: ConfigurationWord { public static var noun: String { "power supply" } }

extension Set where Element: ConfigurationWord {
    /// The words of the type, and that for none of them.
    public static var words: [String] { Element.allCases.map(\.rawValue) + ["none"] }

    /// Returns the values that the words name; an empty set for `none` alone.
    ///
    /// - Returns: The values, and the faults of the words.
    public static func named(_ words: [String]) -> (values: Self, faults: [String]) {
        if words == ["none"] { return ([], []) }
        var vocabulary = Element.vocabulary
        vocabulary.words = Self.words
        let unknown = words.filter { Element(rawValue: $0) == nil }
        return (
            Set(words.compactMap { Element(rawValue: $0) }),
            unknown.map { $0 == "none" ? "none cannot be combined with others" : vocabulary.refusal(of: $0) }
        )
    }
}

extension String {
    private static let mostQuoted = 60

    /// The text in quotation marks for a message: shortened, and escaped for a terminal.
    public var quoted: String {
        let text = count > Self.mostQuoted ? prefix(Self.mostQuoted) + "…" : self[...]
        return "'\(String(text).escapedForTerminal)'"
    }

    /// The text as a string of TOML.
    var inTOML: String { "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }

    /// A noun with its article, for messages.
    public var withArticle: String { (first.map("aeiou".contains) ?? false ? "an " : "a ") + self }
}

extension [String] {
    /// The texts as a list of TOML.
    var inTOML: String { "[\(map(\.inTOML).joined(separator: ", "))]" }
}
