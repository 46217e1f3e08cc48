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
              xphase help exit-codes         the list of exit codes
            """,
        version: String(cString: xphase_version()),
        subcommands: [
            Watch.self, Run.self, List.self, ActiveCommand.self, Phase.self, Wait.self, On.self,
            FreezeCommand.self, ThawCommand.self, Explain.self, HooksCommand.self,
            ReportCommand.self, Top.self, Doctor.self, Record.self, ReplayCommand.self, SessionCommand.self,
        ],
        defaultSubcommand: Watch.self
    )

    /// The text of `xphase help exit-codes`. A prefix such as `watch, run:` limits the meanings up to the next prefix
    /// to these commands.
    static let exitCodes = """
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
          69  there is no display, or the X server exited;
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

        """

    /// Throws if a command is mistyped. ArgumentParser reads it as an argument of `watch`, and its message does not
    /// list the commands.
    static func refuseUnknownCommand(in arguments: [String]) throws(CommandFailure) {
        let isHelp = arguments.first == "help"
        let asked = isHelp ? Array(arguments.dropFirst()) : arguments
        let (command, words) = command(for: asked)
        let commands = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        let names = commands.map { $0._commandName }
        guard let word = words.first, !word.hasPrefix("-"), isHelp || !names.isEmpty else { return }
        let path = asked.dropLast(words.count).map { "\($0) " }.joined()
        if names.isEmpty {
            throw .misuse("'\(path.dropLast())' has no subcommands: write xphase help \(path.dropLast())")
        }
        let valid = names + (path.isEmpty ? ["help"] : [])
        let near = NearestWord.to(word, among: valid).map { ": did you mean '\(path)\($0)'?" } ?? ""
        throw .misuse(
            "there is no command '\(Arguments.decode(path + word).description.escapedForTerminal)'; the commands are "
                + valid.map { path + $0 }.joined(separator: ", ") + near)
    }

    /// Returns the long options in the help of the command that the arguments name.
    static func optionNames(for arguments: [String]) -> [String] {
        let command = command(for: arguments).command
        let help = helpMessage(for: command == XPhase.self ? Watch.self : command)
        return HelpPage.options(in: help)?.blocks.compactMap { block in
            block.split { $0.isWhitespace }.first { $0.hasPrefix("--") }.map(String.init)
        } ?? []
    }

    /// Returns the command line that shows the help of the command that the arguments name.
    static func help(for arguments: [String]) -> String {
        let path = arguments.dropLast(command(for: arguments).words.count)
        return path.isEmpty ? "xphase --help" : "xphase help " + path.joined(separator: " ")
    }

    /// Returns a command that follows options. ArgumentParser reads it as an argument of `watch`.
    static func commandAfterOptions(in arguments: [String]) -> String? {
        guard arguments.first?.hasPrefix("-") == true else { return nil }
        return arguments.first { word in configuration.subcommands.contains { $0._commandName == word } }
    }

    /// Returns the command that the first words name, and the remaining words.
    static func command(
        for arguments: [String]
    ) -> (command: any ParsableCommand.Type, words: ArraySlice<String>) {
        var command: any ParsableCommand.Type = XPhase.self
        var words = arguments[...]
        while let next = command.configuration.subcommands.first(where: { $0._commandName == words.first }) {
            (command, words) = (next, words.dropFirst())
        }
        return (command, words)
    }
}

extension CommandConfiguration {
    /// Creates the configuration of a command without subcommands, which `Main` parses alone. With the name of a parent
    /// command, ArgumentParser does not parse the arguments for `--generate-completion-script` first, which would
    /// double the time.
    init(
        command: String, abstract: String, usage: String? = nil, discussion: String = ""
    ) {
        self.init(
            commandName: command, _superCommandName: XPhase._commandName, abstract: abstract, usage: usage,
            discussion: discussion)
    }
}
