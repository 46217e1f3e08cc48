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
              xphase freeze Slack            stop a program until you use it again
              xphase top                     phases, hooks and resource use, live
              xphase report                  time in each phase, with 'journal = true'

            EXIT CODES
              0   success
              1   nothing matches, or what was waited for cannot happen any more
              64  the command line is wrong; the message lists the valid words
              The manual, man xphase, has the others.
            """,
        version: String(cString: xphase_version()),
        subcommands: [
            Watch.self, Run.self, SessionCommand.self, List.self, ActiveCommand.self, Phase.self, Wait.self,
            On.self, FreezeCommand.self, ThawCommand.self, Explain.self, HooksCommand.self,
            ReportCommand.self, Top.self, Doctor.self, Record.self, ReplayCommand.self,
        ],
        defaultSubcommand: Watch.self
    )
}
