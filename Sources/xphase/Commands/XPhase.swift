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
              1   list, phase, wait, explain, freeze, thaw: no application or window
                  matches;
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
}
