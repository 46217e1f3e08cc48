import ArgumentParser
import Console
import PhaseWatch
import System

struct List: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List applications, groups, scenes and their phases.",
        usage: "xphase list [app…] [options]",
        discussion: """
            Exits 1 if no application matches; without <app>, an empty --phase selection exits 0.

            EXAMPLES
              xphase list
              xphase list 'xterm'
              xphase list --phase background
              xphase list --json --level scene
            """
    )

    @Argument(help: .subject, completion: .application, transform: { try PatternList($0) })
    var apps: [PatternList] = []

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

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        let levels = level.isEmpty ? Set(Change.Level.allCases) : Set(level)
        let watcher = try OpenDisplay.watcher(io.options(on: display), io)
        let subjects = try Subjects(apps.patterns, on: watcher)
        watcher.details = format.lines(or: .json).details
        let events = try watcher.update()
        if let failure = subjects.absence(among: events) { throw failure }
        let named = events.compactMap(\.change).named(by: subjects)
        let changes = named.filter { change in
            levels.contains(change.level)
                && change.to.map { phase?.phases.contains($0) ?? true } ?? false
        }
        if changes.isEmpty, let phase, !apps.isEmpty { throw CommandFailure.noneIs(phase, of: named) }
        if named.isEmpty { io.say("no application is running") }
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
    /// Returns the changes of what is named. A window stands for its scene, and for the group and the application of
    /// that.
    fileprivate func named(by subjects: Subjects) -> [Change] {
        let around = subjects.scenes(among: self).flatMap { scene in
            [
                SubjectID(application: scene.application, group: scene.group),
                SubjectID(application: scene.application),
            ]
        }
        let criteria = subjects.criteria
        return filter { criteria.matches($0) || around.contains($0.subjectID) }
    }
}
