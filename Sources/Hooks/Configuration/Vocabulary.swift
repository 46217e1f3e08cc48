import Console
import PhaseWatch

/// The valid words for a key or a value.
struct Vocabulary {
    private static let mostShown = 6

    let one: String
    let many: String
    let words: [String]

    /// All of them, for the message about a value that is no word.
    var choice: String {
        let quoted = words.map { "\"\($0)\"" }
        let first = quoted.dropLast().joined(separator: ", ")
        return "a \(one), \(first)\(first.isEmpty ? "" : " or ")\(quoted.last ?? "")"
    }

    /// The message for an unknown word; it names the nearest valid one.
    func refusal(of word: String) -> String {
        let nearest = NearestWord.to(word, among: words)
        let meant = nearest.map { " (did you mean '\($0)'?)" } ?? ""
        let isEnough = nearest != nil && words.count > Self.mostShown
        let all = isEnough ? "" : "; the \(many) are \(words.joined(separator: ", "))"
        return "there is no \(one) \(word.quoted)\(meant)\(all)"
    }
}

/// A type whose values are written as words in the configuration.
protocol ConfigurationWord: CaseIterable, Hashable, RawRepresentable<String> {
    static var names: (one: String, many: String) { get }
}

extension ConfigurationWord {
    static var vocabulary: Vocabulary {
        Vocabulary(one: names.one, many: names.many, words: allCases.map(\.rawValue))
    }
}

extension ScenePhase: ConfigurationWord {
    static var names: (one: String, many: String) { ("phase", "phases") }
}

extension Cause: ConfigurationWord {
    static var names: (one: String, many: String) { ("cause", "causes") }
}

extension Change.Level: ConfigurationWord {
    static var names: (one: String, many: String) { ("level", "levels") }
}

extension PhasePolicy: ConfigurationWord {
    static var names: (one: String, many: String) { ("policy", "policies") }
}
