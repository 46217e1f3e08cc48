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
        usage: "xphase freeze <application|window>|--focused|--pick [--toggle] [options]",
        discussion: """
            'xphase run' stops all processes of the application, in any phase, until you thaw or use it, or 'xphase \
            run' ends. It refuses an application that plays or records audio or owns the selection, unless you name \
            other exceptions, and one that has a menu open. Exits 1 if nothing was frozen, and 69 if no 'xphase run' serves the display.

            EXAMPLES
              xphase freeze Slack
              xphase freeze --toggle --focused      for a hotkey
              xphase freeze Slack --for 10s         to try it
              xphase freeze mpv --except none       even if it plays
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.pattern)
    var application: Pattern?

    @Flag(help: "Freeze the application that has the focus.")
    var focused = false

    @Flag(help: .pick)
    var pick = false

    @Flag(help: "Thaw the application if it is frozen.")
    var toggle = false

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp("Thaw it after this time, e.g. 10s. (default: never)", valueName: "duration"),
        transform: Duration.argument)
    var time: Duration?

    @OptionGroup var exceptions: ExceptionOptions
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if time == .zero { throw ValidationError("--for must be longer than 0") }
        if focused && (pick || application != nil) {
            throw ValidationError("use only one of '<application|window>', --focused and --pick")
        }
        if !focused { try Picking.validate(pick, application, "<application|window>") }
    }

    func run(_ io: CommandIO) throws {
        let name = try service.displayName(io)
        let change = try chosen(on: name, io)
        let line = ProcessTable.current().ancestry(of: getpid())
        if case .application(let members) = change.subject, let pid = members.pids.first(where: line.contains)
        {
            throw CommandFailure.notFound(
                "\(change.application) is not frozen: its process \(pid) started this command"
                    .escapedForTerminal)
        }
        let text = try service.ask(io, refusal: Exit.notFound) {
            try $0.freeze(change.application, toggles: toggle, except: exceptions.chosen, for: time)
        }
        try io.write(lines: [text])
    }

    private func chosen(on display: String, _ io: CommandIO) throws -> Change {
        let options = try io.focusOptions(on: display)
        let watcher = try OpenDisplay.watcher(options, io)
        watcher.details = .owners
        let picked = pick ? try Picking.scene(OpenDisplay.inspector(options, nil)) : nil
        let name = picked.map { Pattern("\($0.xid)") } ?? application
        let subjects = try Subjects([name].compactMap(\.self), on: watcher)
        let events = try watcher.update()
        let changes = events.compactMap(\.change)
        let chosen =
            focused
            ? changes.filter { $0.level == .application && $0.to == .active }
            : subjects.applications(among: changes)
        if let named = chosen.first(where: { $0.application == application?.text }) { return named }
        if chosen.count == 1 { return chosen[0] }
        if !chosen.isEmpty {
            let names = chosen.map(\.application.escapedForTerminal).sorted().joined(separator: ", ")
            throw CommandFailure.misuse(
                "several applications match, and one is frozen at a time: name one of \(names)")
        }
        throw subjects.absence(among: events) ?? .notFound("no application has the focus")
    }
}

struct ThawCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "thaw",
        abstract: "Thaw applications frozen by hand or by hooks.",
        usage: "xphase thaw <application|window>|--all [options]",
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

    @Argument(help: .subject, completion: .application, transform: Arguments.pattern)
    var application: Pattern?

    @Flag(help: "Thaw everything on all displays.")
    var all = false

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if all == (application != nil) { throw ValidationError("use either '<application|window>' or --all") }
    }

    func run(_ io: CommandIO) throws {
        guard all else {
            let application = try application.map { $0.window == nil ? $0 : try self.application(of: $0, io) }
            let texts = try service.ask(io, refusal: Exit.notFound) { try $0.thaw(application) }
            return try io.write(lines: texts)
        }
        let (done, faults, processes) = try HeldRecords(environment: io.environment).thawAll()
        // Notify the running services. Do not wait for answers: one of them may hang.
        try? VarlinkClient.thawAll(io.environment)
        (faults + HeldRecords.stillStopped(processes)).forEach(io.say)
        try io.write(lines: done.isEmpty ? ["nothing is frozen"] : done)
        if !faults.isEmpty { throw CommandFailure(Exit.system) }
    }

    /// Returns a pattern for the application of a window.
    private func application(of window: Pattern, _ io: CommandIO) throws -> Pattern {
        let watcher = try OpenDisplay.watcher(io.options(on: service.displayName(io)), io)
        let subjects = try Subjects([window], on: watcher)
        let events = try watcher.update()
        guard let change = subjects.applications(among: events.compactMap(\.change)).first else {
            throw subjects.absence(among: events) ?? .notFound("the window is gone")
        }
        // Each character is meant literally.
        return Pattern(change.application.map { "\\\($0)" }.joined())
    }
}
