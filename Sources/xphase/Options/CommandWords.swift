import ArgumentParser
import Console
import Hooks
import PhaseWatch

/// The words of a command line, in which options may stand before the command.
enum CommandWords {
    /// Parses arguments, in which options may precede the command.
    ///
    /// - Throws: `CommandFailure` for a mistyped command, which would be an application for `watch`.
    static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        var failure: (any Error)?
        for order in orders(of: arguments.map { $0 == "-V" ? "--version" : $0 }) {
            do {
                try refuseMistyped(order[...])
                let command = try XPhase.parseAsRoot(order)
                try refuseMistaken(command, order, failure)
                return command
            } catch {
                // Help is thrown, too.
                if XPhase.exitCode(for: error) == .success { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? ExitCode.validationFailure
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
        case let status as HooksStatus where order.dropFirst().first != "status":
            (names, parent) = (status.names, HooksCommand.self)
        default: return
        }
        let known = parent.configuration.subcommands.compactMap { $0.configuration.commandName }
        if let failure, names.contains(where: { known.contains($0) }) { throw failure }
        try refuseMistyped(names.prefix(1), parent)
    }

    /// Refuses a word that is similar to a subcommand, since the default one would take it as an argument.
    private static func refuseMistyped(
        _ words: ArraySlice<String>, _ command: any ParsableCommand.Type = XPhase.self
    ) throws {
        let subcommands = command.configuration.subcommands
        guard let word = words.first, !word.hasPrefix("-"), !subcommands.isEmpty else { return }
        let known = subcommands.first { $0.configuration.commandName == word }
        if known != nil || word == "help" { return try refuseMistyped(words.dropFirst(), known ?? command) }
        let shown = subcommands.filter { $0.configuration.shouldDisplay }
        let names = shown.compactMap { $0.configuration.commandName } + ["help"]
        guard let near = NearestWord.to(word, among: names) else { return }
        let (what, path) =
            command == HooksCommand.self ? ("a hook", "hooks status") : ("an application", "watch")
        throw CommandFailure.misuse(
            "there is no command '\(word)': did you mean '\(near)'? For \(what) of this name, type xphase \(path) \(word)"
        )
    }
}
