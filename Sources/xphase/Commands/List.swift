import ArgumentParser
import Console
import PhaseWatch
import System

struct List: Command {
    static let configuration = CommandConfiguration(
        command: "list",
        abstract: "List applications, groups, scenes and their phases.",
        usage: "xphase list [application|window] [options]",
        discussion: """
            Exits 1 if no application matches; an empty --phase selection exits 0.

            EXAMPLES
              xphase list
              xphase list 'xterm'
              xphase list --phase background
              xphase list --json --level scene
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Only applications with this class or instance name (a glob or a /regex/), or the scene of this window.",
            valueName: "application|window"), completion: .application, transform: Arguments.pattern)
    var subject: Pattern?

    @Option(
        help: ArgumentHelp("Only those in one of these phases.", valueName: "phase,…"),
        completion: .phases, transform: { try PhaseSet($0) })
    var phase: PhaseSet?

    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp(
            "Print these levels; repeatable. (default: all)",
            valueName: "level"))
    var level: [Change.Level] = []

    @Option(help: .display, transform: Arguments.text)
    var display: String?

    func run(_ io: CommandIO) throws {
        let levels = level.isEmpty ? Set(Change.Level.allCases) : Set(level)
        var criteria = Criteria()
        if let subject, subject.window == nil { criteria.application = [subject] }
        let filter = EventFilter(
            levels: levels, criteria: criteria, phases: phase?.phases, hidesInitial: false)
        let watcher = try OpenDisplay.watcher(io.options(on: display), io)
        watcher.details = filter.details.union(format.lines(or: .json).details)
        let subject = try subject.map { try AwaitedSubject($0, on: watcher) }
        let events = try watcher.update()
        var changes = events.compactMap(\.change)
        if let window = subject?.window { changes = changes.around(window) }
        changes.removeAll { !filter.accepts(.change($0)) }
        if changes.isEmpty, let subject {
            throw CommandFailure.absence(of: subject, phase, among: events)
        }
        try io.write(text(of: changes, levels, io))
        // The process exits: do not spend time on freeing the state of each window.
        _ = Unmanaged.passRetained(watcher)
    }

    private func text(of changes: [Change], _ levels: Set<Change.Level>, _ io: CommandIO) -> [UInt8] {
        guard format.json || format.format != nil else {
            return Array(Tree(palette: io.palette, levels: levels).text(of: changes).utf8)
        }
        let (format, time) = (format.lines(or: .json), Timestamp.now())
        return zip(1..., changes).flatMap { format.line(.change($1), sequence: $0, time: time) }
    }
}

extension [Change] {
    /// Returns the changes of the scene of a window, its group and its application.
    fileprivate func around(_ window: UInt32) -> [Change] {
        guard let found = first(where: { $0.subjectID.scene?.xid == window }) else { return [] }
        let group = SubjectID(application: found.application, group: found.group)
        let wanted = [SubjectID(application: found.application), group, found.subjectID]
        return filter { wanted.contains($0.subjectID) }
    }
}
