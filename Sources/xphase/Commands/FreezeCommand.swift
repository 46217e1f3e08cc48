import ArgumentParser
import Console
import Glibc
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
            run' ends. It refuses an application that plays or records audio or owns the selection, unless you name \
            other exceptions, and one that has a menu open. Exits 1 if nothing was frozen, and 69 if no 'xphase run' serves the display.

            EXAMPLES
              xphase freeze Slack
              xphase freeze Slack --for 10s         to try it
              xphase freeze mpv --except none       even if it plays
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
        let chosen = try chosen(on: io.servedDisplay(subject.display), io)
        let line = ProcessTable.current().ancestry(of: getpid())
        for change in chosen {
            if let pid = change.members?.pids.first(where: line.contains) {
                throw CommandFailure.notFound(
                    "\(change.application) is not frozen: its process \(pid) started this command"
                        .escapedForTerminal)
            }
            let text = try io.ask(subject.display, refusal: Exit.notFound) {
                try $0.freeze(change.application, toggles: toggle, except: exceptions.chosen, for: time)
            }
            try io.write(lines: [text])
        }
    }

    /// Returns one application for each name.
    private func chosen(on display: String, _ io: CommandIO) throws -> [Change] {
        let phases = try ServedPhases(display: display, environment: io.environment)
        var names = subject.names
        if pick {
            let inspector = try OpenDisplay.inspector(PhaseMonitor.Options(display: display), nil)
            names = [Pattern("\(try Picking.scene(inspector).xid)")]
        } else if focused {
            guard let active = try phases.activeScene(on: nil)?.scene else {
                throw CommandFailure.notFound("no application has the focus")
            }
            names = [Pattern("\(active.id.xid)")]
        }
        let events = try phases.present()
        let applications = events.compactMap(\.change).filter { $0.level == .application }
        return try names.map { name in
            if let named = applications.first(where: { $0.application == name.text }) { return named }
            let subjects = try Subjects([name], on: display)
            let matches = applications.filter(subjects.concerns)
            if matches.count == 1 { return matches[0] }
            if matches.isEmpty { throw subjects.absence(among: events) ?? .noScene(of: name) }
            let found = matches.map(\.application.escapedForTerminal).sorted().joined(separator: ", ")
            throw CommandFailure.misuse("several applications match '\(subjects.text)'; choose one: \(found)")
        }
    }
}

struct ThawCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "thaw",
        abstract: "Thaw applications frozen by hand or by hooks.",
        usage: "xphase thaw <app…>|--all [options]",
        discussion: """
            Hooks do not freeze these applications again until they next enter the background. Exits 0 even if \
            nothing was frozen, and 69 if no 'xphase run' serves the display.

            With --all, thaws everything on all displays. This needs neither a display nor a running 'xphase run', \
            only the record of what is frozen: use it from another virtual terminal if the desktop does not respond.

            EXAMPLES
              xphase thaw Slack
              xphase thaw --all
            """
    )

    @Flag(help: "Thaw everything on all displays.")
    var all = false

    @OptionGroup var subject: SubjectOptions

    func validate() throws {
        if all != subject.names.isEmpty { throw ValidationError("use either '<app>' or --all") }
    }

    func run(_ io: CommandIO) throws {
        guard all else {
            let applications = try Subjects(subject.names, on: io.servedDisplay(subject.display))
                .applications()
            return try io.write(
                lines: io.ask(subject.display, refusal: Exit.notFound) { try $0.thaw(applications) })
        }
        let (done, faults, processes) = try HeldRecords(environment: io.environment).thawAll()
        // Notify the running services. Do not wait for answers: one of them may hang.
        try? VarlinkClient.thawAll(io.environment)
        (faults + HeldRecords.stillStopped(processes)).forEach(io.say)
        try io.write(lines: done.isEmpty ? ["nothing is frozen"] : done)
        if !faults.isEmpty { throw CommandFailure(Exit.system) }
    }
}
