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
            """,
        version: String(cString: xphase_version()),
        subcommands: [
            Watch.self, Run.self, List.self, ActiveCommand.self, Phase.self, Wait.self, On.self,
            FreezeCommand.self, ThawCommand.self, Explain.self, HooksCommand.self,
            ReportCommand.self, Top.self, Doctor.self, Record.self, ReplayCommand.self, SessionCommand.self,
        ],
        defaultSubcommand: Watch.self
    )

    /// Returns the arguments with the command first, which options may precede.
    ///
    /// - Throws: `CommandFailure` for a mistyped command, which would be an application for `watch`.
    static func ordered(_ arguments: [String]) throws -> [String] {
        let names = configuration.names + ["help"]
        var arguments = arguments.map { $0 == "-V" ? "--version" : $0 }
        // The scripts of completions begin with `---completion`.
        if let first = arguments.first, first.hasPrefix("-"), !first.hasPrefix("---") {
            let options = arguments.prefix { $0 != "--" }
            if let index = options.firstIndex(where: { names.contains($0) }) {
                arguments.insert(arguments.remove(at: index), at: 0)
            }
        }
        guard let first = arguments.first else { return [] }
        try refuse(first, among: names, " For an application of this name, type xphase watch \(first)")
        if first == HooksCommand.configuration.commandName, arguments.count > 1 {
            try refuse(arguments[1], among: HooksCommand.configuration.names)
        }
        return arguments
    }

    /// Refuses a word that is similar to a command.
    private static func refuse(_ word: String, among names: [String], _ hint: String = "") throws {
        if names.contains(word) || word.hasPrefix("-") { return }
        guard let near = NearestWord.to(word, among: names) else { return }
        throw CommandFailure.misuse("there is no command '\(word)': did you mean '\(near)'?\(hint)")
    }
}

extension CommandConfiguration {
    fileprivate var names: [String] { subcommands.compactMap { $0.configuration.commandName } }
}
