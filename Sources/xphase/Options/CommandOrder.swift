import ArgumentParser
import Console
import Hooks
import PhaseWatch
import System

/// The order of the words of a command line, in which options may stand before the command.
enum CommandOrder {
    /// Parses arguments, in which options may precede the command.
    ///
    /// - Throws: `CommandFailure` for a mistyped command, which would be an application for `watch`.
    static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        var failure: (any Error)?
        var firstOrder = arguments
        // Not of the command of `on`.
        let own = arguments.prefix { $0 != "--" }
        let rest = arguments.dropFirst(own.count)
        try Mistakes.refuseSplitFormat(own)
        for order in orders(of: joinedLists(own.map { $0 == "-V" ? "--version" : $0 } + rest)) {
            do {
                try refuseMistyped(order[...])
                try refuseLateCommand(order)
                try Mistakes.refuseTimes(in: order)
                let command = try XPhase.parseAsRoot(order)
                try refuseMistaken(command, order, failure)
                try Mistakes.refuseOptionBehindDashes(order)
                return command
            } catch {
                // Help is thrown, too.
                if XPhase.exitCode(for: error) == .success { throw error }
                if failure == nil { (failure, firstOrder) = (error, order) }
            }
        }
        if let failure, !(failure is any ExitCoded), let better = Mistakes.meaning(of: firstOrder) {
            throw better
        }
        throw failure ?? ExitCode.validationFailure
    }

    /// Joins the words of a list that has blanks behind its commas. Files and hooks are in no list.
    static func joinedLists(_ words: [String]) -> [String] {
        let own = words.prefix { $0 != "--" }
        if own.contains(where: ["replay", "record", "hooks"].contains) { return words }
        return own.reduce(into: []) { joined, word in
            // A format may end with a comma.
            let isFormat =
                ["--format", "-f"].contains(joined.dropLast().last)
                || joined.last?.hasPrefix("--format=") ?? false
            if let last = joined.last, last.hasSuffix(","), !isFormat, !word.hasPrefix("-") {
                joined[joined.count - 1] = last + word
            } else {
                joined.append(word)
            }
        } + words.dropFirst(own.count)
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

    /// Refuses names before the command that they are for, which the default command would take as names, too.
    private static func refuseLateCommand(_ order: [String]) throws {
        var words = Array(order.prefix { !$0.hasPrefix("-") })
        let rest = order.dropFirst(words.count)
        guard words.count > 1 else { return }
        let hooks = HooksCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        let commands = XPhase.configuration.subcommands.compactMap { $0.configuration.commandName }
        if words[0] == "hooks", !hooks.contains(words[1]),
            let place = words.dropFirst(2).firstIndex(where: hooks.contains)
        {
            let names = words.dropFirst().map(\.quotedForShell).joined(separator: " ")
            words.insert(words.remove(at: place), at: 1)
            let typed = (words + rest).map(\.quotedForShell).joined(separator: " ")
            throw CommandFailure.misuse(
                "the command comes first: type xphase \(typed). For hooks of these names, type xphase hooks status \(names)"
                    .escapedForTerminal)
        }
        // The text of help takes time.
        guard !commands.contains(words[0]), words[0] != "help" else { return }
        let naming = XPhase.configuration.subcommands.filter { command in
            command == HooksCommand.self || XPhase.helpMessage(for: command).contains("<app")
        }.compactMap { $0.configuration.commandName }
        let place = words.dropFirst().firstIndex { word in
            naming.contains(word) || hooks.contains(word) && OtherPrograms.commands[word] != nil
        }
        guard let place else { return }
        let all = words.map(\.quotedForShell).joined(separator: " ")
        var path = [words.remove(at: place)]
        if path == ["hooks"], place < words.count, hooks.contains(words[place]) {
            path.append(words.remove(at: place))
        }
        let typed =
            if let form = OtherPrograms.commands[path[0]] {
                OtherPrograms.command(
                    form, for: words[..<place].map(\.quotedForShell).joined(separator: " "))
            } else {
                "xphase \((path + words + rest).map(\.quotedForShell).joined(separator: " "))"
            }
        throw CommandFailure.misuse(
            "the command comes first: type \(typed). For applications of these names, type xphase watch \(all)"
                .escapedForTerminal)
    }

    /// Refuses a name behind options that is, or is similar to, a subcommand that did not accept these options.
    private static func refuseMistaken(
        _ command: any ParsableCommand, _ order: [String], _ failure: (any Error)?
    ) throws {
        let names: [String]
        let parent: any ParsableCommand.Type
        switch command {
        case let watch as Watch where order.first != "watch":
            names = watch.subject.names.map(\.text)
            parent = XPhase.self
            try refusePhase(names)
        case let status as HooksStatus where order.dropFirst().first != "status":
            names = status.names
            parent = HooksCommand.self
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
        let isOfHooks = command == HooksCommand.self
        let others = isOfHooks ? OtherPrograms.hookCommands : OtherPrograms.commands
        // What the default command would take the word for.
        let name =
            switch command.configuration.defaultSubcommand {
            case nil: ""
            case _ where isOfHooks: " For a hook of this name, type xphase hooks status \(word)"
            default: " For an application of this name, type xphase watch \(word)"
            }
        if known == nil, let instead = others[word] {
            let subject = words.dropFirst().first { !$0.hasPrefix("-") }?.quotedForShell
            let typed = OtherPrograms.command(instead, for: subject).escapedForTerminal
            throw CommandFailure.misuse(
                "there is no command '\(word)': type \(typed)\(name.isEmpty ? "" : ".")\(name)")
        }
        if word == "help", let topic = words.dropFirst().first, !topic.hasPrefix("-"),
            !subcommands.contains(where: { $0.configuration.commandName == topic }), topic != "help"
        {
            try refuseMistyped(words.dropFirst(), command)
            throw CommandFailure.misuse(
                "there is no command '\(topic.escapedForTerminal)': type xphase help for all commands")
        }
        if known != nil || word == "help" { return try refuseMistyped(words.dropFirst(), known ?? command) }
        let names = subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard let near = NearestWord.to(word, among: names) else { return }
        throw CommandFailure.misuse("there is no command '\(word)': did you mean '\(near)'?\(name)")
    }
}
