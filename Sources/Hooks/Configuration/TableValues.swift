import Console
import PhaseWatch

/// What the values of keys stand for.
extension TableReader {
    private static let durations = "\"250ms\", \"30s\", \"5m\" or \"1h\""

    mutating func duration(_ key: String) -> Duration? {
        guard let text = string(key, "a duration, \(Self.durations)") else { return nil }
        if let duration = Duration(text: text) { return duration }
        fault(
            key,
            "\(text.quoted) is no duration: write a whole number and its unit, \(Self.durations), "
                + "for at most 100 years")
        return nil
    }

    mutating func word<Word: ConfigurationWord>(_ key: String) -> Word? {
        string(key, "a \(Word.names.one)").flatMap { word(key, $0) }
    }

    /// A word, or a list of them.
    mutating func words<Word: ConfigurationWord>(_ key: String) -> Set<Word> {
        Set(strings(key, "a \(Word.names.one)").compactMap { word(key, $0) })
    }

    private mutating func word<Word: ConfigurationWord>(_ key: String, _ text: String) -> Word? {
        let word = Word(rawValue: text)
        if word == nil { fault(key, Word.vocabulary.refusal(of: text)) }
        return word
    }

    /// A glob, or a list of them.
    mutating func patterns(_ key: String) -> [ApplicationPattern] {
        strings(key, "a glob").map { glob in
            if let reason = ApplicationPattern.fault(in: glob) {
                fault(key, "\(glob.quoted) is no glob: \(reason)")
            }
            return ApplicationPattern(glob)
        }
    }

    /// A program and its arguments.
    mutating func arguments(_ key: String) -> Program? {
        let words = "an array of words, [\"playerctl\", \"pause\"]"
        let shell = key == "run" ? "use shell" : "[\"sh\", \"-c\", \"…\"]"
        let items = value(key, "\(words), or \(shell)") { $0.array }
        guard let items else { return nil }
        let arguments = strings(key, items, "a string")
        guard arguments.count == items.count else { return nil }
        if arguments.first?.isEmpty ?? true {
            fault(key, "it names no program: write \(words)")
            return nil
        }
        return .arguments(arguments.map { SystemString($0) })
    }

    /// A text for the shell.
    mutating func shell(_ key: String) -> Program? {
        guard let text = string(key) else { return nil }
        if text.isEmpty { fault(key, "it is empty: write what the shell is to run") }
        return .shell(text)
    }
}
