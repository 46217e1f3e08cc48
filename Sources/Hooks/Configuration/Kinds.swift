import Console
import PhaseWatch
import System

/// The type of a key's value: how it is read, and how faults describe it.
struct Kind<Value: Sendable>: Sendable {
    /// The valid values, for the fault of another one: `true or false`.
    let wanted: String
    /// Returns nil for a value that is not valid, and may add a fault that says more. In a list, other items are read
    /// all the same.
    let convert: @Sendable (TOML, inout [String]) -> Value?

    /// Returns a kind of strings.
    static func text(
        _ wanted: String, _ convert: @escaping @Sendable (String, inout [String]) -> Value?
    ) -> Kind {
        Kind(wanted: wanted) { toml, faults in toml.string.flatMap { convert($0, &faults) } }
    }

    /// Returns the value; nil if it has faults.
    func read(_ toml: TOML, _ faults: inout [String]) -> Value? {
        var found: [String] = []
        let value = convert(toml, &found)
        if value == nil && found.isEmpty { found = ["found \(toml.words): write \(wanted)"] }
        faults += found
        return found.isEmpty ? value : nil
    }

    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Kind<Other> {
        Kind<Other>(wanted: wanted) { toml, faults in convert(toml, &faults).map(transform) }
    }
}

/// The kinds of keys.
extension Kind {
    /// One item or a list of items.
    static func list<Item>(of item: Kind<Item>, mayBeEmpty: Bool = false) -> Kind where Value == [Item] {
        Kind(wanted: "\(item.wanted), or a list of them") { toml, faults in
            guard let items = toml.array else { return item.convert(toml, &faults).map { [$0] } }
            if items.isEmpty && !mayBeEmpty {
                faults.append("the list is empty: add an item or omit the key")
            }
            return items.enumerated().compactMap { index, toml in
                var found: [String] = []
                defer { faults += found.map { "item \(index + 1): \($0)" } }
                return item.read(toml, &found)
            }
        }
    }

    static func boolean() -> Kind where Value == Bool {
        Kind(wanted: "true or false") { toml, faults in
            if let meant = toml.string.flatMap(TOML.boolean) {
                faults.append("found \(toml.words): write \(meant), without quotes")
            }
            return toml.boolean
        }
    }

    static func string(_ wanted: String) -> Kind where Value == String {
        .text(wanted) { text, _ in text }
    }

    static func hookName() -> Kind where Value == String {
        .text("a name") { name, faults in
            if let reason = Hook.fault(inName: name) { faults.append(reason) }
            faults += Hook.reservedPrefixes.filter(name.hasPrefix).map { "it must not begin with '\($0)'" }
            return name
        }
    }

    static func word() -> Kind where Value: ConfigurationWord {
        .text(Value.vocabulary.choice) { text, faults in
            let word = Value(rawValue: text)
            if word == nil { faults.append(Value.vocabulary.refusal(of: text)) }
            return word
        }
    }

    static func words<Word: ConfigurationWord>() -> Kind where Value == Set<Word> {
        Kind<[Word]>.list(of: .word()).map { Set($0) }
    }

    /// Words; no word is `none` or an empty list.
    static func wordsOrNone<Word: ConfigurationWord>() -> Kind where Value == Set<Word> {
        let texts = Kind<[String]>.list(of: .string(Word.noun.withArticle), mayBeEmpty: true)
        return Kind(wanted: texts.wanted) { toml, faults in
            guard let words = texts.convert(toml, &faults) else { return nil }
            let (values, unknown) = Set<Word>.named(words)
            faults += unknown
            return values
        }
    }

    /// - Parameter isPositive: Whether 0 is a fault.
    static func duration(isPositive: Bool = false) -> Kind where Value == Duration {
        let units = "\"250ms\", \"30s\", \"5m\" or \"1h\""
        let wanted = "a duration of at most 100 years, such as \(units)"
        return .text(wanted) { text, faults in
            let duration = Duration(text: text)
            if isPositive && duration == .zero { faults.append("it must be longer than 0") }
            return duration
        }
    }

    /// A duration or `none`.
    static func limit(isPositive: Bool = false) -> Kind where Value == Duration? {
        let duration = Kind<Duration>.duration(isPositive: isPositive)
        return Kind(wanted: "\(duration.wanted), or \"none\"") { toml, faults in
            toml.string == "none" ? .some(nil) : duration.convert(toml, &faults).map { .some($0) }
        }
    }

    static func days() -> Kind where Value == Int {
        .text("a number of days, \"90d\", at most 36500") { text, _ in
            guard let time = Duration(text: text), time.milliseconds % 86_400_000 == 0 else { return nil }
            let days = Int(time.milliseconds / 86_400_000)
            return (1...36_500).contains(days) ? days : nil
        }
    }

    static func cap() -> Kind where Value == ProcessorCap {
        Kind(wanted: ProcessorCap.wanted) { toml, faults in
            let number = toml.string ?? toml.integer.map { "\($0)" }
            if let meant = number.flatMap(ProcessorCap.meant) {
                faults.append("found \(toml.words): write \"\(meant.rawValue)\"")
            }
            return toml.string.flatMap { ProcessorCap(rawValue: $0) }
        }
    }

    private static func pattern() -> Kind where Value == Pattern {
        .text("a glob or a /regex/") { text, faults in
            if let reason = Pattern.fault(in: text) { faults.append("\(text.quoted) \(reason)") }
            return Pattern(text)
        }
    }

    static func patterns() -> Kind where Value == [Pattern] { .list(of: Kind<Pattern>.pattern()) }

    static func desktops() -> Kind where Value == Desktops {
        let wanted = "a desktop: its number (0 is the first, -1 means all desktops) or its name"
        let one = Kind(wanted: wanted) { toml, faults in
            if let number = toml.integer { return number < -1 ? nil : Desktops(numbers: [number]) }
            return Kind<Pattern>.pattern().convert(toml, &faults).map { Desktops(names: [$0]) }
        }
        return Kind<[Desktops]>.list(of: one).map {
            Desktops(numbers: Set($0.flatMap(\.numbers)), names: $0.flatMap(\.names))
        }
    }

    /// A program and its arguments.
    ///
    /// - Parameter shell: The key that takes a command for the shell instead; nil if there is none.
    static func command(alternative shell: String? = nil) -> Kind where Value == Program {
        let words = Kind<[String]>.list(of: .string("a string"), mayBeEmpty: true)
        let wanted = "a list of words, [\"playerctl\", \"pause\"]; for the shell, [\"sh\", \"-c\", \"…\"]"
        return Kind(wanted: wanted) { toml, faults in
            if let text = toml.string, !text.isEmpty {
                let command = shell.map { "\($0) = \(text.inTOML) in its place" }
                let words = text.split(separator: " ").map(String.init)
                let list = text.contains(where: "'\"|&;<>$*?~()`\\".contains) ? [] : [words.inTOML]
                let forms = list + [command ?? ["sh", "-c", text].inTOML]
                faults.append("found \(toml.words): write \(forms.joined(separator: ", or for the shell "))")
            }
            guard toml.array != nil, let arguments = words.read(toml, &faults) else { return nil }
            if arguments.first?.isEmpty ?? true { faults.append("it names no program: write \(wanted)") }
            return .arguments(arguments.map { SystemString($0) })
        }
    }

    /// A command for /bin/sh.
    static func shell() -> Kind where Value == Program {
        .text("a shell command") { text, _ in text.isEmpty ? nil : .shell(text) }
    }

    static func wake() -> Kind where Value == Wake {
        Kind(wanted: "a table, { every = \"3m\", for = \"5s\" }") { toml, faults in
            if toml.table == nil { return nil }
            var (wake, reader) = (Wake(interval: .zero, duration: .zero), TableReader(toml))
            reader.read(Wake.keys, of: "keys of wake", into: &wake)
            if reader.faults.isEmpty && wake.duration >= wake.interval {
                let (duration, interval) = (wake.duration.text, wake.interval.text)
                reader.fault("for", "\(duration) must be shorter than every (\(interval))")
            }
            faults += reader.faults.map(\.text)
            return wake
        }
    }

    /// The tables of all hooks.
    static func hooks() -> Kind where Value == [TOML] {
        Kind(wanted: "[[hook]], in double brackets, above each hook") { toml, _ in
            toml.array.flatMap { $0.allSatisfy { $0.table != nil } ? $0 : nil }
        }
    }
}

/// The desktops in a condition.
struct Desktops {
    var numbers: Set<Int> = []
    var names: [Pattern] = []
}
