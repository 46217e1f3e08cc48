import ArgumentParser
import Console
import Hooks
import PhaseWatch
import System

/// What command lines probably mean that are wrong, or mean something else.
enum Mistakes {
    /// Returns the failure for words that their command does not accept, with what to type; nil if that is unknown.
    static func meaning(of order: [String]) -> CommandFailure? {
        separateWords(in: order) ?? swappedArguments(in: order) ?? missingWord(in: order)
            ?? unknownOption(in: order)
    }

    /// Returns what to type if a name in a command line that has failed is probably not meant as one.
    static func hint(about arguments: [String]) -> String? {
        let words = CommandOrder.joinedLists(arguments)
        let options = KnownOptions(of: words)
        let names = options.names(in: words)
        if options.path == ["xphase", "freeze"], names.count > 1, let phase = names.last.map({ words[$0] }),
            PhaseOrClosed(rawValue: phase) != nil
        {
            let application = words[names[0]].quotedForShell
            let line = "xphase on \(application) \(phase) --do freeze".escapedForTerminal
            return "to freeze it whenever it is \(phase), type \(line)"
        }
        var meant = words
        // Behind the value of an option that takes a list.
        let next = names.first { place in
            place > 1 && options.values[words[place - 2]].map { isWord(words[place], of: $0) } ?? false
        }
        if let next {
            meant.remove(at: next)
            meant[next - 1] += ",\(words[next])"
            return "commas separate several: type \(typed(meant))".escapedForTerminal
        }
        // A command behind `on` may have the name of an option.
        if options.path == ["xphase", "on"] || words.first == "help" { return nil }
        let command = options.path.joined(separator: " ")
        if let hint = optionHint(amongNames: names, of: words, options, command) { return hint }
        guard let name = names.first, let other = OtherPrograms.commandsWithNames[command] else { return nil }
        return "for an application, type \(other) \(words[name].quotedForShell)".escapedForTerminal
    }

    /// Returns what to type if a name is an option without its dashes, of this program or another.
    private static func optionHint(
        amongNames names: [Int], of words: [String], _ options: KnownOptions, _ command: String
    ) -> String? {
        var meant = words
        for place in names {
            let option = "--\(words[place])"
            if let advice = OtherPrograms.advice(on: option, of: command) {
                return "'\(words[place])': \(advice)"
            }
            let value = options.values[option]
            guard options.all.contains(option), value == nil || place + 1 < words.count else { continue }
            meant[place] = option
            if value == "duration", duration(at: words[(place + 1)...]) == nil,
                Duration(text: words[place + 1]) == nil
            {
                let end = meant[(place + 1)...].firstIndex { $0.hasPrefix("-") } ?? meant.endIndex
                meant.replaceSubrange((place + 1)..<end, with: ["10m"])
            }
            return "for the option \(option), type \(typed(meant))".escapedForTerminal
        }
        return nil
    }

    /// Returns the words of a command that is written as one word: those of the shell if it has its signs.
    static func words(of command: String) -> [String] {
        let needsShell = command.contains(where: "'\"|&;<>$*?~()`\\".contains)
        return needsShell ? ["sh", "-c", command] : command.split(separator: " ").map(String.init)
    }

    /// Returns whether a word may be in the list that an option with this placeholder takes.
    private static func isWord(_ word: String, of placeholder: String) -> Bool {
        switch placeholder {
        case "phase,…": PhaseOrClosed(rawValue: word) != nil
        case "level,…": Change.Level(rawValue: word) != nil
        case "reaction,…": BuiltIn(rawValue: word) != nil
        case "exception,…": Exception(rawValue: word) != nil
        case "state,…": SessionState(rawValue: word) != nil
        default: false
        }
    }

    /// Returns a command line to type.
    private static func typed(_ words: some Sequence<String>) -> String {
        "xphase \(words.map(\.quotedForShell).joined(separator: " "))"
    }
}

/// The options of the command in a command line.
private struct KnownOptions {
    let all: Set<String>
    /// The placeholders of the values, such as `duration`.
    let values: [String: String]
    /// The words of the command.
    let path: [String]
    /// The number of words before the names and the options.
    private let depth: Int

    init(of words: [String]) {
        var command: any ParsableCommand.Type = XPhase.self
        var path = ["xphase"]
        for word in words {
            let next = command.configuration.subcommands.first { $0.configuration.commandName == word }
            guard let next else { break }
            command = next
            path.append(word)
        }
        depth = path.count - 1
        if let usual = command.configuration.defaultSubcommand {
            command = usual
            path.append(usual.configuration.commandName ?? "")
        }
        self.path = path
        var all: Set = ["-V"]
        var values: [String: String] = [:]
        for line in XPhase.helpMessage(for: command).split(separator: "\n") where line.hasPrefix("  -") {
            let names = line.matches(of: /(?:^  |, )(--?[a-zA-Z-]+)/).map { String($0.1) }
            all.formUnion(names)
            guard let value = line.firstMatch(of: /<([^>]*)>/)?.1 else { continue }
            for name in names { values[name] = String(value) }
        }
        self.all = all
        self.values = values
    }

    /// Returns the places of the words that are neither the command nor options or their values.
    func names(in words: [String]) -> [Int] {
        words.indices.dropFirst(depth).prefix { words[$0] != "--" }.filter { place in
            !words[place].hasPrefix("-") && (place == 0 || values[words[place - 1]] == nil)
        }
    }
}

// MARK: Options

extension Mistakes {
    /// Returns the failure for the first option that a command does not have, which ArgumentParser names only if nothing
    /// else is wrong.
    private static func unknownOption(in order: [String]) -> CommandFailure? {
        let options = KnownOptions(of: order)
        var isValue = false
        for word in order.prefix(while: { $0 != "--" }) {
            defer { isValue = options.values[word] != nil }
            let name = String(word.prefix { $0 != "=" })
            guard !isValue, name.hasPrefix("--") || name.wholeMatch(of: /-[a-zA-Z]/) != nil,
                !options.all.contains(name)
            else { continue }
            let fault = "Unknown option '\(name.escapedForTerminal)'"
            let command = options.path.joined(separator: " ")
            let plain = String(name.drop { $0 == "-" })
            if let advice = OtherPrograms.advice(on: name, of: command) {
                return .misuse("\(fault): \(advice)")
            }
            if let names = OtherPrograms.names[command],
                OtherPrograms.nameOptions.contains(name) || name == "--phase" && names.hasSuffix("PHASE")
            {
                return .misuse("\(fault): write \(command) \(names)")
            }
            if PhaseOrClosed(rawValue: plain) != nil, ["wait", "on"].contains(order[0]) {
                return .misuse("\(fault): write \(command) APP \(plain)")
            }
            // The dashes that all have are no likeness.
            let words = options.all.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
            let near =
                OtherPrograms.options[name]?.first { options.all.contains($0) }
                ?? NearestWord.to(plain, among: words).map { "--\($0)" }
                ?? options.all.first { $0.lowercased() == name.lowercased() }
            let owners = near.map { ". Did you mean '\($0)'?" } ?? self.owners(of: name).map { ": \($0)" }
            return .misuse("\(fault)\(owners ?? "")\n  See '\(command) --help' for more information.")
        }
        return nil
    }

    /// Returns which commands have an option: `xphase freeze, record have it`; nil if none or many have it.
    private static func owners(of option: String) -> String? {
        let commands = XPhase.configuration.subcommands.compactMap { $0.configuration.commandName }
        let owners = commands.filter { KnownOptions(of: [$0]).all.contains(option) }
        guard (1...3).contains(owners.count) else { return nil }
        return "xphase \(owners.joined(separator: ", ")) \(owners.count == 1 ? "has" : "have") it"
    }

    /// Refuses an option of the command that stands behind `--`, where it counts as a name.
    static func refuseOptionBehindDashes(_ order: [String]) throws(CommandFailure) {
        guard order.first != "on", let dashes = order.firstIndex(of: "--") else { return }
        let known = KnownOptions(of: order).all
        let option = order[dashes...].dropFirst().first { word in
            word.hasPrefix("--") && known.contains(String(word.prefix { $0 != "=" }))
        }
        guard let option else { return }
        throw .misuse(
            "'\(option)' counts as a name behind --: write options before it".escapedForTerminal)
    }

    /// Refuses a format that the shell has split at its spaces.
    static func refuseSplitFormat(_ words: ArraySlice<String>) throws(CommandFailure) {
        let parts = words.drop { !["--format", "-f"].contains($0) }.dropFirst().prefix { !$0.hasPrefix("-") }
        guard let last = parts.lastIndex(where: { $0.contains(/\{[a-z_]+\}/) }), last != parts.startIndex
        else { return }
        let format = parts[...last].joined(separator: " ")
        throw .misuse(
            "write the format in quotes: --format \(format.quotedForShell)".escapedForTerminal)
    }
}

// MARK: Times

extension Mistakes {
    /// The options with a time of commands that take names, the least and the largest number of names, and the words that
    /// may stand before the time. At another command these may be names.
    private static let times: [(path: [String], option: String, least: Int, most: Int, fillers: [String])] = [
        (["freeze"], "--for", 1, .max, ["for"]), (["hooks", "pause"], "--for", 0, .max, ["for"]),
        (["record"], "--for", 1, 1, ["for"]), (["wait"], "--timeout", 2, 2, ["for"]),
        (["on"], "--after", 2, 2, ["for", "after"]), (["report"], "--since", 0, .max, ["for", "last"]),
    ]

    /// Refuses times that would be names.
    static func refuseTimes(in order: [String]) throws(CommandFailure) {
        try refuseBareTime(order)
        try refuseSplitTime(order)
    }

    /// Refuses a time among names, whose option is missing.
    private static func refuseBareTime(_ order: [String]) throws(CommandFailure) {
        guard let (path, option, least, most, fillers) = times.first(where: { order.starts(with: $0.path) })
        else { return }
        let words = order.dropFirst(path.count)
        var names = Array(words.prefix { !$0.hasPrefix("-") })
        let rest = words.dropFirst(names.count)
        guard var time = names.popLast(), !rest.contains(where: { $0.hasPrefix(option) }) else { return }
        if let number = names.last, let (text, _) = duration(at: [number, time]) {
            time = text
            names.removeLast()
        }
        let isDuration = time.contains(where: \.isLetter) && Duration(text: time) != nil
        guard isDuration || path == ["report"] && (try? ReportTime(time)) != nil else { return }
        if let last = names.last, fillers.contains(last) { names.removeLast() }
        guard (least...most).contains(names.count) else { return }
        let isName = isDuration ? "" : "; for an application of this name, \(typed(path + ["--", time]))"
        throw .misuse(
            "'\(time)' is a time: type \(typed(path + names + [option, time] + rest))\(isName)"
                .escapedForTerminal)
    }

    /// Refuses a time of an option that has blanks, behind which the words would be names.
    private static func refuseSplitTime(_ order: [String]) throws(CommandFailure) {
        let own = order.prefix { $0 != "--" }
        for place in own.indices.dropLast(2) where own[place].hasPrefix("--") {
            let words = own[(place + 1)...]
            guard let (time, count) = duration(at: words) ?? dayAndHour(at: words) ?? lastDay(at: words),
                let value = KnownOptions(of: order).values[own[place]],
                value == "time" || value == "duration" && !time.contains(":")
            else { continue }
            let text = words.prefix(count).joined(separator: " ")
            throw .misuse(
                "'\(text)' is one value: type \(typed(own[...place] + [time] + order[(place + 1 + count)...]))"
                    .escapedForTerminal)
        }
    }

    /// Returns the duration that the first words are together, such as `10 m` or `2 days ago`, and their number.
    private static func duration(at words: ArraySlice<String>) -> (text: String, count: Int)? {
        let own = words.prefix(6)
        let count = own.indices.dropFirst().last { end in
            let parts = own[...end]
            // A number alone may be a window.
            return parts.last?.contains(where: \.isLetter) ?? false
                && zip(parts, parts.dropFirst()).allSatisfy { $0.last?.isLetter != $1.first?.isLetter }
                && Duration(text: parts.joined()) != nil
        }.map { $0 - own.startIndex + 1 }
        guard let count else { return nil }
        return (own.prefix(count).joined(), words.dropFirst(count).first == "ago" ? count + 1 : count)
    }

    /// Returns the time that the first words are together, such as `yesterday 14:30`, and their number.
    private static func dayAndHour(at words: ArraySlice<String>) -> (text: String, count: Int)? {
        guard let day = words.first, let hour = words.dropFirst().first, hour.contains(":"),
            case let text = "\(day) \(hour)", (try? ReportTime(text)) != nil
        else { return nil }
        return (text, 2)
    }

    /// Returns the time that the first words are together, such as `last monday`, and their number.
    private static func lastDay(at words: ArraySlice<String>) -> (text: String, count: Int)? {
        guard let word = words.first, ["last", "past"].contains(word), let day = words.dropFirst().first,
            (try? ReportTime(day)) != nil
        else { return nil }
        return (day, 2)
    }
}

// MARK: Names and phases

extension Mistakes {
    /// Returns the failure if applications or phases are separated by blanks instead of commas.
    private static func separateWords(in order: [String]) -> CommandFailure? {
        guard let command = order.first, ["wait", "on"].contains(command) else { return nil }
        let words = order.dropFirst().prefix { !$0.hasPrefix("-") }
        guard let last = words.lastIndex(where: isPhase) else { return nil }
        let meant = words[...last].filter { !fillers.contains($0) }
        let names = meant.prefix { !isPhase($0) }
        let phases = meant.dropFirst(names.count)
        guard !names.isEmpty, last > 2, phases.allSatisfy(isPhase) else { return nil }
        let reason = meant.count > 2 ? "commas separate several" : "only names and phases are written"
        let line = [command, names.joined(separator: ","), phases.joined(separator: ",")]
        return .misuse("\(reason): type \(typed(line + order[(last + 1)...]))".escapedForTerminal)
    }

    /// The words of a sentence that a command line does not have.
    private static let fillers = ["for", "until", "in", "is", "to", "and", "or", "when", "while"]

    private static func isPhase(_ word: String) -> Bool { (try? PhaseSet(word)) != nil }

    /// Returns the failure if a phase stands in the place of the application, and the application behind it.
    private static func swappedArguments(in order: [String]) -> CommandFailure? {
        guard order.count > 2, ["wait", "on"].contains(order[0]), isPhase(order[1]),
            !order[2].hasPrefix("-"), !isPhase(order[2])
        else { return nil }
        return .misuse(
            "the application comes before the phase: type \(typed([order[0], order[2], order[1]] + order[3...]))"
                .escapedForTerminal)
    }

    /// Returns the failure for words of `on` that lack `--`, `--do` or a phase, or have `--` before the application and
    /// the phase.
    private static func missingWord(in order: [String]) -> CommandFailure? {
        guard order.first == "on" else { return nil }
        var words = order.filter { $0 != "--" }
        let other = words.firstIndex(where: OtherPrograms.commandOptions.contains)
        if let other, KnownOptions(of: order).names(in: Array(words[..<other])).count == 2 {
            words.remove(at: other)
        }
        // What follows the third name are words of the command.
        let names = KnownOptions(of: order).names(in: words).prefix(3)
        guard names.count > 1 else { return nil }
        func isReaction(_ word: String) -> Bool {
            Arguments.words(word).allSatisfy { BuiltIn(rawValue: $0) != nil }
        }
        func failure(_ reason: String) -> CommandFailure {
            .misuse("\(reason): type \(typed(words))".escapedForTerminal)
        }
        let dashes = order.firstIndex(of: "--") ?? order.endIndex
        func addCap(behind place: Int) {
            let needsCap = Arguments.words(words[place]).contains(BuiltIn.cap.rawValue)
            if needsCap, !words.contains("--cap") {
                words.insert(contentsOf: ["--cap", "20%"], at: place + 1)
            }
        }
        if isReaction(words[names[1]]), dashes == order.endIndex {
            addCap(behind: names[1])
            words.insert(contentsOf: ["background", "--do"], at: names[1])
            return failure("the phase is missing")
        }
        guard isPhase(words[names[1]]), dashes <= names[1] || dashes == order.endIndex else { return nil }
        let end = names.count > 2 ? names[2] : words.count
        if words.prefix(end).contains("--do") {
            return dashes == order.endIndex ? nil : failure("there is no command for --")
        }
        guard names.count > 2 else { return nil }
        if words[end] == "do" {
            words[end] = "--do"
            return failure("'do' is an option")
        }
        let option = isReaction(words[end]) ? "--do" : "--"
        if option == "--" {
            words.replaceSubrange(end...end, with: self.words(of: words[end]))
        } else {
            addCap(behind: end)
        }
        words.insert(option, at: end)
        return failure("\(option) stands before \(option == "--" ? "the command" : "a reaction")")
    }
}
