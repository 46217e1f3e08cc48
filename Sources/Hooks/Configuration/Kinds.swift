import Console
import PhaseWatch
import System

/// The kinds of keys.
extension Kind {
    static func boolean() -> Kind where Value == Bool {
        Kind("boolean", "true or false") { toml, _ in toml.boolean }
    }

    static func string(_ wanted: String) -> Kind where Value == String {
        Kind("string", wanted, text: { text, _ in text })
    }

    static func hookName() -> Kind where Value == String {
        Kind(
            "string", "a name",
            text: { text, faults in
                if let reason = Hook.fault(inName: text) { faults.append(reason) }
                return text
            }
        ).refusing("'\(Hook.directoryPrefix)' begins the names of executables there") {
            $0.hasPrefix(Hook.directoryPrefix)
        }
    }

    static func word(_ name: String = "word") -> Kind where Value: ConfigurationWord {
        Kind(
            name, Value.vocabulary.choice,
            text: { text, faults in
                let word = Value(rawValue: text)
                if word == nil { faults.append(Value.vocabulary.refusal(of: text)) }
                return word
            })
    }

    static func words<Word: ConfigurationWord>(_ name: String = "word") -> Kind where Value == Set<Word> {
        Kind<[Word]>.list(of: .word(name)).map { Set($0) }
    }

    /// Words; no word is `none` or an empty list.
    static func wordsOrNone<Word: ConfigurationWord>() -> Kind where Value == Set<Word> {
        let texts = Kind<[String]>.list(of: .string(Word.names.one.withArticle), mayBeEmpty: true)
        return Kind("word*", texts.wanted) { toml, faults in
            guard let words = texts.convert(toml, &faults) else { return nil }
            let (values, unknown) = Set<Word>.named(words)
            faults += unknown
            return values
        }
    }

    private static var durations: String {
        "a duration: a whole number and its unit, \"250ms\", \"30s\", \"5m\" or \"1h\", for at most 100 years"
    }

    static func duration() -> Kind where Value == Duration {
        Kind("duration", durations, text: { text, _ in Duration(text: text) })
    }

    static func time() -> Kind where Value == Duration {
        duration().refusing("it must be longer than 0") { $0 == .zero }
    }

    static func limit() -> Kind where Value == WatchSettings.Limit {
        Kind("duration", "\(durations), or \"none\"", text: { text, _ in WatchSettings.Limit(text: text) })
    }

    static func idle() -> Kind where Value == WatchSettings.Limit {
        limit().refusing("it must be longer than 0") { $0 == .after(.zero) }
    }

    static func days() -> Kind where Value == Int {
        Kind(
            "days", "a number of days, \"90d\", at most 36500",
            text: { text, _ in
                guard text.hasSuffix("d"), let days = Int(text.dropLast()) else { return nil }
                return (1...36_500).contains(days) ? days : nil
            })
    }

    static func cap() -> Kind where Value == ProcessorCap {
        Kind("percent", ProcessorCap.wanted, text: { text, _ in ProcessorCap(rawValue: text) })
    }

    private static func pattern() -> Kind where Value == Pattern {
        Kind(
            "pattern", "a glob or a /regex/",
            text: { text, faults in
                if let reason = Pattern.fault(in: text) { faults.append("\(text.quoted) \(reason)") }
                return Pattern(text)
            })
    }

    static func patterns() -> Kind where Value == [Pattern] { .list(of: Kind<Pattern>.pattern()) }

    static func desktops() -> Kind where Value == Desktops {
        let wanted = "a desktop: its number (0 is the first, -1 means all desktops) or its name"
        let one = Kind("number", wanted) { toml, faults in
            if let number = toml.integer { return number < -1 ? nil : Desktops(numbers: [number]) }
            return Kind<Pattern>.pattern().convert(toml, &faults).map { Desktops(names: [$0]) }
        }
        return Kind<[Desktops]>.list(of: one).map {
            Desktops(numbers: Set($0.flatMap(\.numbers)), names: $0.flatMap(\.names))
        }
    }

    /// A program and its arguments.
    static func command() -> Kind where Value == Program {
        let words = Kind<[String]>.list(of: .string("a string"), mayBeEmpty: true)
        let wanted = "a list of words, [\"playerctl\", \"pause\"]; for the shell, [\"sh\", \"-c\", \"…\"]"
        return Kind("command", wanted) { toml, faults in
            guard toml.array != nil, let arguments = words.read(toml, &faults) else { return nil }
            if arguments.first?.isEmpty ?? true { faults.append("it names no program: write \(wanted)") }
            return .arguments(arguments.map { SystemString($0) })
        }
    }

    /// A command for /bin/sh.
    static func shell() -> Kind where Value == Program {
        Kind("string", "a shell command", text: { text, _ in text.isEmpty ? nil : .shell(text) })
    }

    static func wake() -> Kind where Value == Wake {
        Kind("table", "a table, { every = \"3m\", for = \"5s\" }") { toml, faults in
            guard toml.isTable else { return nil }
            var (wake, reader) = (Wake(interval: .zero, duration: .zero), TableReader(toml))
            reader.read(Wake.keys, of: "keys of wake", into: &wake)
            if reader.faults.isEmpty && wake.duration >= wake.interval {
                let (duration, interval) = (wake.duration.text, wake.interval.text)
                reader.fault(
                    "for", "\(duration) is not shorter than every, \(interval): it would never be frozen")
            }
            faults += reader.faults.map(\.text)
            return wake
        }
    }

    /// The tables of all hooks.
    static func hooks() -> Kind where Value == [TOML] {
        Kind("table*", "[[hook]], in double brackets, above each hook") { toml, _ in
            toml.array.flatMap { $0.allSatisfy(\.isTable) ? $0 : nil }
        }
    }
}

/// The desktops in a condition.
struct Desktops {
    var numbers: Set<Int> = []
    var names: [Pattern] = []
}
