import ArgumentParser
import CLinux
import Console
import Hooks
import PhaseWatch
import System

/// The root command.
struct XPhase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xphase",
        abstract: "Report the phase of each application on an X11 desktop.",
        usage: """
            xphase [watch] [options]
            xphase <subcommand> [options]
            """,
        discussion: """
            An application is active while one of its windows has the focus, inactive while its windows \
            are only visible, and in the background if none is visible.

            EXAMPLES
              xphase                         print every phase change
              xphase --json                  one JSON object per line, for programs
              xphase list                    applications and windows, as a tree
              xphase phase firefox           one word, for scripts
              xphase explain firefox         why it is in that phase
              xphase on mpv background -- playerctl pause
              xphase run                     run the hooks of the configuration
              xphase freeze --focused        stop a program until you use it again
              xphase top                     phases, hooks and resource use, live
              xphase report                  time in each phase, with 'journal = true'

            EXIT CODES
              0   success; also after SIGINT or SIGTERM (except wait), and when the reader
                  closes the pipe
              1   list, phase, wait, explain, freeze: no application or window matches;
                  wait: the application closed first; --pick: no window was chosen;
                  active: no scene has the focus; freeze: nothing was frozen;
                  report: nothing was recorded;
                  hooks fire: the hook failed, or had nothing to act on;
                  doctor: phases are unreliable on this display
              64  the command line is wrong; the message lists the valid words
              65  replay: the file is unreadable, incomplete or not a recording
              69  there is no display, the X server exited, or 'xphase run' does not
                  answer;
                  on: no --do reaction works on this system;
                  wait --sync, freeze, thaw, hooks status, why, pause, resume:
                  no 'xphase run' serves the display
              71  the system refused a resource that xphase needs
              74  the output cannot be written, e.g. because the disk is full
              75  run: another process serves this display; the message names it
              78  the configuration is wrong; the message lists every fault
              124 wait: the timeout expired
              130 wait: interrupted by SIGINT
              143 wait: terminated by SIGTERM
            """,
        version: String(cString: xphase_version()),
        subcommands: [
            Watch.self, Run.self, List.self, ActiveCommand.self, Phase.self, Wait.self, On.self,
            FreezeCommand.self, ThawCommand.self, Explain.self, HooksCommand.self,
            ReportCommand.self, Top.self, Doctor.self, Record.self, ReplayCommand.self, SessionCommand.self,
        ],
        defaultSubcommand: Watch.self
    )

    /// Parses arguments, in which options may precede the command.
    ///
    /// - Throws: `CommandFailure` for a mistyped command, which would be an application for `watch`.
    static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        var failure: (any Error)?
        for order in orders(of: arguments.map { $0 == "-V" ? "--version" : $0 }) {
            do {
                try refuseMistyped(order[...])
                return try parseAsRoot(order)
            } catch {
                // Help is thrown, too.
                if exitCode(for: error) == .success { throw error }
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

    /// Refuses a word that is similar to a subcommand, since the default one would take it as an argument.
    private static func refuseMistyped(
        _ words: ArraySlice<String>, _ command: any ParsableCommand.Type = XPhase.self
    ) throws {
        let subcommands = command.configuration.subcommands
        guard let word = words.first, !word.hasPrefix("-"), !subcommands.isEmpty else { return }
        let known = subcommands.first { $0.configuration.commandName == word }
        if known != nil || word == "help" { return try refuseMistyped(words.dropFirst(), known ?? command) }
        let names = subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard let near = NearestWord.to(word, among: names) else { return }
        let (what, path) =
            command == HooksCommand.self ? ("a hook", "hooks status") : ("an application", "watch")
        throw CommandFailure.misuse(
            "there is no command '\(word)': did you mean '\(near)'? For \(what) of this name, type xphase \(path) \(word)"
        )
    }
}
