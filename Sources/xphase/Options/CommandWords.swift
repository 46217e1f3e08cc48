import ArgumentParser
import Console
import Hooks
import PhaseWatch
import System

/// The words of a command line, in which options may stand before the command.
enum CommandWords {
    /// Parses arguments, in which options may precede the command.
    ///
    /// - Throws: `CommandFailure` for a mistyped command, which would be an application for `watch`.
    static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        var failure: (any Error)?
        var firstOrder = arguments
        // Not of the command of `on`.
        let own = arguments.prefix { $0 != "--" }
        let rest = arguments.dropFirst(own.count)
        try refuseSplitFormat(own)
        for order in orders(of: own.map { $0 == "-V" ? "--version" : $0 } + rest) {
            do {
                try refuseMistyped(order[...])
                try refuseLateCommand(order)
                try refuseBareTime(order)
                let command = try XPhase.parseAsRoot(order)
                try refuseMistaken(command, order, failure)
                try refuseOptionBehindDashes(order)
                return command
            } catch {
                // Help is thrown, too.
                if XPhase.exitCode(for: error) == .success { throw error }
                if failure == nil { (failure, firstOrder) = (error, order) }
            }
        }
        if let failure, !(failure is any ExitCoded),
            let better = swappedArguments(in: firstOrder) ?? misplacedDashes(in: firstOrder)
                ?? unknownOption(in: firstOrder)
        {
            throw better
        }
        throw failure ?? ExitCode.validationFailure
    }

    /// Returns the failure for the first option that a command does not have, which ArgumentParser names only if nothing
    /// else is wrong.
    private static func unknownOption(in order: [String]) -> CommandFailure? {
        let (known, takesValue, path) = options(of: order)
        var isValue = false
        for word in order.prefix(while: { $0 != "--" }) {
            defer { isValue = takesValue.contains(word) }
            let name = String(word.prefix { $0 != "=" })
            guard !isValue, name.hasPrefix("--") || name.wholeMatch(of: /-[a-zA-Z]/) != nil,
                !known.contains(name)
            else { continue }
            // The dashes that all have are no likeness.
            let words = known.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
            let near =
                otherOptions[name].flatMap { known.contains($0) ? $0 : nil }
                ?? NearestWord.to(String(name.drop { $0 == "-" }), among: words).map { "--\($0)" }
                ?? known.first { $0.lowercased() == name.lowercased() }
            return .misuse(
                "Unknown option '\(name.escapedForTerminal)'\(near.map { ". Did you mean '\($0)'?" } ?? "")\n"
                    + "  See '\(path.joined(separator: " ")) --help' for more information.")
        }
        return nil
    }

    /// The options of other programs, and those of this one.
    private static let otherOptions = [
        "--from": "--since", "--start": "--since", "--to": "--until", "--end": "--until", "--time": "--for",
        "--duration": "--for", "--delay": "--after",
    ]

    /// Returns the options of the command in these words, those of them that take a value, and the words of the command.
    private static func options(
        of order: [String]
    ) -> (known: Set<String>, takesValue: Set<String>, path: [String]) {
        var (command, path): (any ParsableCommand.Type, [String]) = (XPhase.self, ["xphase"])
        for word in order {
            let next = command.configuration.subcommands.first { $0.configuration.commandName == word }
            guard let next else { break }
            (command, path) = (next, path + [word])
        }
        if let usual = command.configuration.defaultSubcommand {
            command = usual
            path.append(usual.configuration.commandName ?? "")
        }
        let help = XPhase.helpMessage(for: command).split(separator: "\n").filter { $0.hasPrefix("  -") }
        let known = Set(
            help.flatMap { $0.matches(of: /(?:^  |, )(--?[a-zA-Z-]+)/).map { String($0.1) } } + ["-V"])
        let takesValue = Set(
            help.flatMap { line in
                line.contains("<") ? line.matches(of: /--?[a-zA-Z-]+/).map { String($0.0) } : []
            })
        return (known, takesValue, path)
    }

    /// Refuses an option of the command that stands behind `--`, where it counts as a name.
    private static func refuseOptionBehindDashes(_ order: [String]) throws(CommandFailure) {
        guard order.first != "on", let dashes = order.firstIndex(of: "--") else { return }
        let known = options(of: order).known
        let option = order[dashes...].dropFirst().first { word in
            word.hasPrefix("--") && known.contains(String(word.prefix { $0 != "=" }))
        }
        guard let option else { return }
        throw .misuse(
            "'\(option)' counts as a name behind --: write options before it".escapedForTerminal)
    }

    /// Returns the failure for a command of `on` that lacks `--`, or has it before the application and the phase.
    private static func misplacedDashes(in order: [String]) -> CommandFailure? {
        guard order.first == "on" else { return nil }
        let words = order.filter { $0 != "--" }
        let takesValue = options(of: order).takesValue
        var plain: [Int] = []
        var isValue = false
        // What follows the third one are words of the command.
        for (index, word) in words.enumerated().dropFirst() where plain.count < 3 {
            if !isValue && !word.hasPrefix("-") { plain.append(index) }
            isValue = takesValue.contains(word)
        }
        let place = order.firstIndex(of: "--") ?? order.endIndex
        guard plain.count > 1, (try? PhaseSet(words[plain[1]])) != nil,
            place <= plain[1] || place == order.endIndex
        else { return nil }
        var meant = words
        let isReaction = words.prefix(plain.count > 2 ? plain[2] : words.count).contains("--do")
        if !isReaction {
            guard plain.count > 2 else { return nil }
            meant.insert("--", at: plain[2])
        } else if place == order.endIndex {
            return nil
        }
        return .misuse(
            "\(isReaction ? "there is no command for --" : "-- stands before the command"): type xphase \(meant.map(\.quotedForShell).joined(separator: " "))"
                .escapedForTerminal)
    }

    /// Returns the failure if a phase stands in the place of the application, and the application behind it.
    private static func swappedArguments(in order: [String]) -> CommandFailure? {
        guard order.count > 2, ["wait", "on"].contains(order[0]), (try? PhaseSet(order[1])) != nil,
            !order[2].hasPrefix("-"), (try? PhaseSet(order[2])) == nil
        else { return nil }
        return .misuse(
            "the application comes before the phase: type xphase \(order[0]) \(order[2].quotedForShell) \(order[1])"
                .escapedForTerminal)
    }

    /// The commands of other programs, and what to type here instead.
    private static let others: [String: String] = {
        let service = [
            "start": "session start", "stop": "session stop", "restart": "restart", "reload": "reload",
            "enable": "enable",
            "disable": "disable",
        ]
        var words = [
            "status": "xphase doctor, or for hooks xphase hooks", "version": "xphase --version",
            "ls": "xphase list", "ps": "xphase list", "windows": "xphase list", "show": "xphase list",
            "kill": "xphase session stop for the service, or xphase freeze APP",
            "focused": "xphase active", "monitor": "xphase watch", "events": "xphase watch",
            "tail": "xphase watch",
            "unfreeze": "xphase thaw APP",
            "resume": "xphase thaw APP, or for hooks xphase hooks resume",
            "daemon": "xphase run", "serve": "xphase run", "service": "xphase run",
        ]
        for reaction in ["slow", "mute"] { words[reaction] = "xphase on APP background --do \(reaction)" }
        words["cap"] = "xphase on APP background --do cap --cap 20%"
        for word in ["pause", "suspend", "sleep"] { words[word] = "xphase freeze APP" }
        words["pause"]? += ", or for hooks xphase hooks pause"
        for word in ["lock", "unlock", "idle"] {
            words[word] = "xphase hooks add on-lock, for a hook on the session"
        }
        for word in ["add", "check", "fire"] { words[word] = "xphase hooks \(word)" }
        words["why"] = "xphase explain APP, or for hooks xphase hooks why"
        for word in ["time", "times", "stats", "usage", "today"] { words[word] = "xphase report" }
        for word in ["log", "logs", "journal"] { words[word] = "journalctl --user --unit xphase" }
        for (word, own) in service {
            let plain = own.contains(" ") ? ", or without systemd xphase \(own)" : ""
            words[word] = "systemctl --user \(word) xphase\(plain)"
        }
        for word in ["config", "edit"] { words[word] = editing }
        for word in ["undo", "reset"] { words[word] = "xphase thaw --all, and for hooks xphase hooks pause" }
        return words
    }()
    /// Stands for the commands to edit the configuration, which is looked for only then.
    private static let editing = "EDITING"

    /// Returns what to type in place of a word, for an application or a hook.
    private static func command(_ form: String, for name: String?) -> String {
        if form == editing { return commandsToEdit }
        let argument = name.map { " \($0)" } ?? ""
        return form.replacing("APP", with: name ?? "APP").replacing(" NAME", with: argument)
    }

    private static let otherHookWords = [
        "list": "xphase hooks", "ls": "xphase hooks", "show": "xphase hooks", "help": "xphase hooks --help",
        "run": "xphase hooks fire", "test": "xphase hooks fire", "try": "xphase hooks fire",
        "log": "xphase hooks why", "logs": "xphase hooks why", "history": "xphase hooks why",
        "enable": "xphase hooks resume NAME", "disable": "xphase hooks pause NAME",
        "stop": "xphase hooks pause NAME", "start": "xphase hooks resume NAME",
        "validate": "xphase hooks check", "lint": "xphase hooks check",
        "install": "xphase hooks add", "new": "xphase hooks add", "reload": "systemctl --user reload xphase",
        "remove": editing, "rm": editing, "delete": editing, "edit": editing,
    ]

    private static var commandsToEdit: String {
        let locations = HookLocations(config: nil, environment: .own)
        let file = (try? LoadedHooks(locations))?.file ?? locations.configurations.first
        return "${EDITOR:-nano} \(file?.quotedForShell ?? "config.toml"), and change the hook there"
            .escapedForTerminal
    }

    /// Refuses names before the command that they are for, which the default command would take as names, too.
    private static func refuseLateCommand(_ order: [String]) throws {
        var words = Array(order.prefix { !$0.hasPrefix("-") })
        let rest = order.dropFirst(words.count)
        guard words.count > 1 else { return }
        let hooks = HooksCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        let commands = XPhase.configuration.subcommands.compactMap { $0.configuration.commandName }
        // The text of help takes time.
        guard !commands.contains(words[0]), words[0] != "help" else { return }
        let naming = XPhase.configuration.subcommands.filter { command in
            command == HooksCommand.self || XPhase.helpMessage(for: command).contains("<app")
        }.compactMap { $0.configuration.commandName }
        let place = words.dropFirst().firstIndex { word in
            naming.contains(word) || hooks.contains(word) && others[word] != nil
        }
        guard let place else { return }
        let all = words.map(\.quotedForShell).joined(separator: " ")
        var path = [words.remove(at: place)]
        if path == ["hooks"], place < words.count, hooks.contains(words[place]) {
            path.append(words.remove(at: place))
        }
        let typed =
            if let form = others[path[0]] {
                Self.command(form, for: words[..<place].map(\.quotedForShell).joined(separator: " "))
            } else {
                "xphase \((path + words + rest).map(\.quotedForShell).joined(separator: " "))"
            }
        throw CommandFailure.misuse(
            "the command comes first: type \(typed). For applications of these names, type xphase watch \(all)"
                .escapedForTerminal)
    }

    /// The options with a time of commands that take names, and the least and the largest number of names.
    private static let times: [(path: [String], option: String, least: Int, most: Int)] = [
        (["freeze"], "--for", 1, .max), (["hooks", "pause"], "--for", 0, .max), (["record"], "--for", 1, 1),
        (["wait"], "--timeout", 2, 2), (["on"], "--after", 2, 2), (["report"], "--since", 0, .max),
    ]

    /// Refuses a time among names, whose option is missing.
    private static func refuseBareTime(_ order: [String]) throws {
        guard let (path, option, least, most) = times.first(where: { order.starts(with: $0.path) }) else {
            return
        }
        let words = order.dropFirst(path.count)
        var names = Array(words.prefix { !$0.hasPrefix("-") })
        let rest = words.dropFirst(names.count)
        guard let time = names.popLast(), time.contains(where: \.isLetter), Duration(text: time) != nil,
            !rest.contains(where: { $0.hasPrefix(option) })
        else { return }
        if names.last == "for" { names.removeLast() }
        guard (least...most).contains(names.count) else { return }
        let typed = (path + names + [option, time] + rest).map(\.quotedForShell).joined(separator: " ")
        throw CommandFailure.misuse("'\(time)' is a time: type xphase \(typed)".escapedForTerminal)
    }

    /// Refuses a format that the shell has split at its spaces.
    private static func refuseSplitFormat(_ words: ArraySlice<String>) throws {
        let parts = words.drop { !["--format", "-f"].contains($0) }.dropFirst().prefix { !$0.hasPrefix("-") }
        guard let last = parts.lastIndex(where: { $0.contains(/\{[a-z_]+\}/) }), last != parts.startIndex
        else { return }
        let format = parts[...last].joined(separator: " ")
        throw CommandFailure.misuse(
            "write the format in quotes: --format \(format.quotedForShell)".escapedForTerminal)
    }

    /// Returns the orders that the words behind a command may be meant in. A word behind options may be a subcommand, or
    /// the value of an option.
    private static func orders(of words: [String], _ command: any ParsableCommand.Type = XPhase.self)
        -> [[String]]
    {
        // The scripts of completions begin with `---completion`.
        let isMixed = words.first.map { $0.hasPrefix("-") && !$0.hasPrefix("---") } ?? false
        let end = isMixed ? words.firstIndex(of: "--") ?? words.endIndex : min(1, words.count)
        let moved = words.indices.prefix(end).flatMap { index in
            var rest = words
            let word = rest.remove(at: index)
            let subcommand = command.configuration.subcommands.first { $0.configuration.commandName == word }
            return subcommand.map { orders(of: rest, $0).map { [word] + $0 } } ?? []
        }
        return moved + [words]
    }

    /// Refuses a name behind options that is, or is similar to, a subcommand that did not accept these options.
    private static func refuseMistaken(
        _ command: any ParsableCommand, _ order: [String], _ failure: (any Error)?
    ) throws {
        let (names, parent): ([String], any ParsableCommand.Type)
        switch command {
        case let watch as Watch where order.first != "watch":
            (names, parent) = (watch.subject.names.map(\.text), XPhase.self)
            try refusePhase(names)
        case let status as HooksStatus where order.dropFirst().first != "status":
            (names, parent) = (status.names, HooksCommand.self)
        default: return
        }
        let known = parent.configuration.subcommands.compactMap { $0.configuration.commandName }
        if let failure, names.contains(where: { known.contains($0) }) { throw failure }
        try refuseMistyped(names.prefix(1), parent)
    }

    /// Refuses a phase behind applications, or in their place: the command is missing.
    private static func refusePhase(_ names: [String]) throws {
        guard let word = names.last, PhaseOrClosed(rawValue: word) != nil else { return }
        let others = names.dropLast().joined(separator: ",")
        let application = others.isEmpty ? "APP" : others.quotedForShell
        throw CommandFailure.misuse(
            "'\(word)' is a phase: type xphase wait \(application) \(word). For an application of this name, type xphase watch \(word)"
                .escapedForTerminal)
    }

    /// Refuses a word that is similar to a subcommand, since the default one would take it as an argument.
    private static func refuseMistyped(
        _ words: ArraySlice<String>, _ command: any ParsableCommand.Type = XPhase.self
    ) throws {
        let subcommands = command.configuration.subcommands
        guard let word = words.first, !word.hasPrefix("-"), !subcommands.isEmpty else { return }
        let known = subcommands.first { $0.configuration.commandName == word }
        let (what, path) =
            command == HooksCommand.self ? ("a hook", "hooks status") : ("an application", "watch")
        if known == nil, let instead = (command == HooksCommand.self ? otherHookWords : others)[word] {
            let name = words.dropFirst().first { !$0.hasPrefix("-") }?.quotedForShell
            let typed = Self.command(instead, for: name).escapedForTerminal
            throw CommandFailure.misuse(
                "there is no command '\(word)': type \(typed). For \(what) of this name, type xphase \(path) \(word)"
            )
        }
        if word == "help", let topic = words.dropFirst().first, !topic.hasPrefix("-"),
            !subcommands.contains(where: { $0.configuration.commandName == topic }), topic != "help"
        {
            try refuseMistyped(words.dropFirst(), command)
            throw CommandFailure.misuse(
                "there is no command '\(topic.escapedForTerminal)': type xphase help for all commands")
        }
        if known != nil || word == "help" { return try refuseMistyped(words.dropFirst(), known ?? command) }
        let shown = subcommands.filter { $0.configuration.shouldDisplay }
        let names = shown.compactMap { $0.configuration.commandName } + ["help"]
        guard let near = NearestWord.to(word, among: names) else { return }
        throw CommandFailure.misuse(
            "there is no command '\(word)': did you mean '\(near)'? For \(what) of this name, type xphase \(path) \(word)"
        )
    }
}
