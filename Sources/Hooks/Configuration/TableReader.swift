import Console
import PhaseWatch
import System

/// A reader of a TOML table, which collects the faults of its keys.
struct TableReader {
    struct Fault {
        /// nil for a fault of the whole table.
        let key: String?
        let text: String
    }

    private let values: [String: TOML]
    /// Sorted.
    private let keys: [String]
    private(set) var faults: [Fault] = []
    /// The keys with a value or an item of a wrong type, or with an unknown word.
    private(set) var misread: Set<String> = []

    /// - Parameter table: A value of another type counts as an empty table.
    init(_ table: TOML) {
        (values, keys) = if case .table(let values, let keys) = table { (values, keys) } else { ([:], []) }
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    mutating func fault(_ key: String, _ what: String) {
        faults.append(Fault(key: key, text: "\(key): \(what)"))
    }

    /// Adds a fault of the whole table.
    mutating func fault(_ what: String) {
        faults.append(Fault(key: nil, text: what))
    }

    /// Adds a fault of a table that is the value of a key.
    mutating func add(_ fault: Fault, of key: String) {
        let isOfKey = fault.text.hasPrefix("\(fault.key ?? ""): ")
        faults.append(Fault(key: key, text: key + (isOfKey ? "." : ": ") + fault.text))
    }

    /// - Parameter above: Keys that belong above all tables. The fault of such a key explains where to move it.
    mutating func refuseKeys(notIn keys: Vocabulary, above: [String] = []) {
        for key in self.keys where !keys.words.contains(key) {
            let text =
                above.contains(key)
                ? "\(key): it is a key of the whole file: move the line above the first [[hook]]"
                : keys.refusal(of: key)
            faults.append(Fault(key: key, text: text))
        }
    }

    /// Returns the converted value of a key; nil if the key is missing or, with a fault, if its type is wrong.
    mutating func value<Value>(
        _ key: String, _ wanted: String, _ convert: (TOML) -> Value?
    ) -> Value? {
        guard let value = values[key] else { return nil }
        if value.holdsNUL {
            fault(key, "it contains a NUL character, which no program or name can have")
            return nil
        }
        guard let converted = convert(value) else {
            fault(key, "found \(value.withArticle): write \(wanted)")
            misread.insert(key)
            return nil
        }
        return converted
    }

    mutating func boolean(_ key: String) -> Bool? {
        value(key, "true or false") { $0.boolean }
    }

    mutating func string(_ key: String, _ wanted: String = "a string") -> String? {
        value(key, wanted) { $0.string }
    }

    /// Returns the string or the strings of a key; none if the key is missing.
    mutating func strings(_ key: String, _ wanted: String) -> [String] {
        strings(key, items(key, "\(wanted), or a list of them") { $0.string != nil }, wanted)
    }

    /// Returns the items of a list that must not be empty, or a single item in place of a list; none if the key is
    /// missing.
    private mutating func items(_ key: String, _ wanted: String, _ isItem: (TOML) -> Bool) -> [TOML] {
        guard let items = value(key, wanted, { isItem($0) ? [$0] : $0.array }) else { return [] }
        if items.isEmpty { fault(key, "the list is empty: add an item or omit the key") }
        return items
    }

    /// Returns the strings of a list; items of another type are faults.
    mutating func strings(_ key: String, _ items: [TOML], _ wanted: String) -> [String] {
        items.enumerated().compactMap { index, item in
            let text = item.string
            if text == nil {
                fault(key, "item \(index + 1): found \(item.withArticle): write \(wanted)")
                misread.insert(key)
            }
            return text
        }
    }
}

/// Values of types that TOML does not have.
extension TableReader {
    private static let durations = "\"250ms\", \"30s\", \"5m\" or \"1h\""

    mutating func duration(_ key: String) -> Duration? {
        string(key, "a duration, \(Self.durations)").flatMap { duration(key, $0) }
    }

    /// Returns the duration of a key, or the limit for the word `none`.
    mutating func limit(_ key: String) -> WatchSettings.Limit? {
        guard let text = string(key, "a duration, \(Self.durations), or \"none\"") else { return nil }
        return WatchSettings.Limit(text: text) ?? duration(key, text).map { .after($0) }
    }

    private mutating func duration(_ key: String, _ text: String) -> Duration? {
        if let duration = Duration(text: text) { return duration }
        fault(
            key,
            "\(text.quoted) is not a duration: write a whole number and its unit, \(Self.durations), "
                + "for at most 100 years")
        return nil
    }

    mutating func cap(_ key: String) -> ProcessorCap? {
        guard let text = string(key, ProcessorCap.wanted) else { return nil }
        let cap = ProcessorCap(rawValue: text)
        if cap == nil { fault(key, "\(text.quoted) is not a share: write \(ProcessorCap.wanted)") }
        return cap
    }

    mutating func word<Word: ConfigurationWord>(_ key: String) -> Word? {
        string(key, Word.vocabulary.choice).flatMap { word(key, $0) }
    }

    /// Returns the word or the words of a key.
    mutating func words<Word: ConfigurationWord>(_ key: String) -> Set<Word> {
        Set(strings(key, Word.names.one.withArticle).compactMap { word(key, $0) })
    }

    /// Returns the word or the words of a key; an empty set for an empty list or for the word `none`.
    mutating func wordsOrNone<Word: ConfigurationWord>(_ key: String, none: String) -> Set<Word>? {
        let wanted = Word.names.one.withArticle
        let items = value(key, "\(wanted), or a list of them") { $0.string == nil ? $0.array : [$0] }
        guard let items else { return nil }
        let texts = strings(key, items, wanted)
        if texts == [none] { return [] }
        if texts.contains(none) { fault(key, "\(none) cannot be combined with others") }
        let words = Word.allCases.map(\.rawValue) + [none]
        let vocabulary = Vocabulary(one: Word.names.one, many: Word.names.many, words: words)
        for text in texts where !words.contains(text) { fault(key, vocabulary.refusal(of: text)) }
        return Set(texts.compactMap { Word(rawValue: $0) })
    }

    private mutating func word<Word: ConfigurationWord>(_ key: String, _ text: String) -> Word? {
        let word = Word(rawValue: text)
        if word == nil {
            fault(key, Word.vocabulary.refusal(of: text))
            misread.insert(key)
        }
        return word
    }

    /// Returns the pattern or the patterns of a key.
    mutating func patterns(_ key: String) -> [Pattern] {
        strings(key, "a glob or a /regex/").map { pattern(key, $0) }
    }

    private mutating func pattern(_ key: String, _ text: String) -> Pattern {
        if let reason = Pattern.fault(in: text) { fault(key, "\(text.quoted) \(reason)") }
        return Pattern(text)
    }

    /// Returns the desktop or the desktops of a key.
    mutating func desktops(_ key: String) -> (numbers: Set<Int>, names: [Pattern]) {
        let wanted =
            "a desktop: its number (0 is the first, -1 means all desktops) or its name"
        let items = items(key, "\(wanted); or a list of them") { $0.integer != nil || $0.string != nil }
        let numbers = items.compactMap { $0.integer.flatMap { $0 < -1 ? nil : $0 } }
        let names = items.compactMap(\.string)
        if numbers.count + names.count < items.count { fault(key, "write \(wanted)") }
        return (Set(numbers), names.map { pattern(key, $0) })
    }

    /// Returns a program and its arguments.
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

    /// Returns a command for /bin/sh.
    mutating func shell(_ key: String) -> Program? {
        guard let text = string(key) else { return nil }
        if text.isEmpty { fault(key, "it is empty: write a shell command") }
        return .shell(text)
    }
}
