import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

struct FreezeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Freeze an application by hand.",
        usage: "xphase freeze <app…>|--focused|--pick [--toggle] [options]",
        discussion: """
            'xphase run' stops all processes of the application, in any phase, until you thaw or use it, or 'xphase \
            run' ends.

            An application that plays or records audio, or owns the clipboard or the selection, is not frozen, and \
            one that has just started a program is frozen within 30 s; --except none freezes both at once. An \
            application with an open menu is never frozen, nor the terminal in which you type. If you name only a \
            part, such as a web application of a browser, nothing is frozen while another part is visible. Exits 1 \
            if nothing was frozen, and 69 if no 'xphase run' serves the display.

            EXAMPLES
              xphase freeze Slack
              xphase freeze Slack --for 10s         to try it
              xphase freeze mpv --except none       even if it plays
              xphase freeze Build --except none     what xterm -class Build -e make runs
              xphase freeze --toggle --focused --except none      for a hotkey
            """
    )

    @Flag(help: "Freeze the application that has the focus.")
    var focused = false

    @Flag(help: .pick)
    var pick = false

    @Flag(help: "Thaw the application if it is frozen.")
    var toggle = false

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp("Thaw it after this time, e.g. 10s. (default: never)", valueName: "duration"),
        transform: Duration.positive)
    var time: Duration?

    @OptionGroup var exceptions: ExceptionOptions

    @OptionGroup var subject: SubjectOptions

    func validate() throws {
        if focused && (pick || !subject.names.isEmpty) {
            throw ValidationError("use only one of '<app>', --focused and --pick")
        }
        if !focused { try Picking.validate(pick, subject) }
    }

    func run(_ io: CommandIO) throws {
        let chosen = try Picking.applications(
            subject.names, isFocused: focused, isPicked: pick, on: io.servedDisplay(subject.display), io)
        let processes = ProcessTable.current()
        var failures: [CommandFailure] = []
        for change in chosen {
            do {
                try checkIsElsewhere(change, processes, io.environment)
                let text = try io.ask(subject.display, refusal: Exit.notFound) {
                    try $0.freeze(
                        change.application, part: subject.names.ofPart(of: change), toggles: toggle,
                        except: exceptions.chosen, for: time)
                }
                try io.write(lines: [text])
            } catch let failure as CommandFailure where failure.exitCode == Exit.notFound {
                failures.append(failure)
            }
        }
        if let last = failures.last, failures.count == chosen.count {
            failures.dropLast().flatMap(\.messages).forEach(io.say)
            throw last
        }
        failures.flatMap(\.messages).forEach(io.say)
    }

    /// The programs that show a terminal which a server of theirs runs: the variable that is set in it, and their name.
    private static let multiplexers = ["TMUX": "tmux: client", "STY": "screen", "ZELLIJ": "zellij"]

    /// Refuses an application that has started this command, or shows its terminal: the user could not type there. A
    /// hotkey has no terminal, though it may have the variables.
    private func checkIsElsewhere(
        _ change: Change, _ processes: ProcessTable, _ environment: Environment
    ) throws(CommandFailure) {
        let names = Self.multiplexers.filter { environment[$0.key] != nil && isatty(STDIN_FILENO) == 1 }
            .values
        let clients = processes.rows.values.filter { names.contains($0.name) }.map(\.pid)
        let own = processes.ancestry(of: getpid())
        let line = own + clients.flatMap(processes.ancestry)
        guard let pid = change.members?.pids.first(where: line.contains) else { return }
        let role = own.contains(pid) ? "started this command" : "may show this terminal"
        let isShared = change.members.map { $0.counts.all > 1 } ?? false
        let remedy =
            "; an application is all windows of its class: give the other program its own, as xterm -class Build does"
        throw .notFound(
            "\(change.application) is not frozen: its process \(pid) \(role)\(isShared ? remedy : "")"
                .escapedForTerminal)
    }
}
