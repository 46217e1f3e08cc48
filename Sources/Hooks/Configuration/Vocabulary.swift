import Console
import PhaseWatch

/// The words that stand for something.
struct Vocabulary {
    private static let mostShown = 6

    let one: String
    let many: String
    let words: [String]

    /// Says that a word is none of them, and which one may be meant.
    func refusal(of word: String) -> String {
        let nearest = NearestWord.to(word, among: words)
        let meant = nearest.map { " (did you mean '\($0)'?)" } ?? ""
        let isEnough = nearest != nil && words.count > Self.mostShown
        let all = isEnough ? "" : "; the \(many) are \(words.joined(separator: ", "))"
        return "there is no \(one) \(word.quoted)\(meant)\(all)"
    }
}

/// A type whose values are words of the configuration.
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
