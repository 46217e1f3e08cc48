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

    @Option(
        help: ArgumentHelp("Only those in one of these phases.", valueName: "phase,…"),
        completion: .phases, transform: { try PhaseSet($0) })
    var phase: PhaseSet?

    @OptionGroup var lines: LineOptions

    @OptionGroup var subject: SubjectOptions

    func run(_ io: CommandIO) throws {
        let levels = lines.level.isEmpty ? Set(Change.Level.allCases) : Set(lines.level)
        let details = (lines.format.lines ?? .json).details
        let (subjects, events) = try DisplayPhases.use(on: subject.display, io) { phases in
            (try Subjects(subject.names, on: phases.displayName), try phases.present(details))
        }
        let named = events.compactMap(\.change).filter(subjects.concerns)
        if let failure = subjects.absence(among: events) {
            if named.isEmpty { throw failure }
            io.say(failure.description)
        }
        let changes = named.filter { change in
            levels.contains(change.level)
                && change.to.map { phase?.phases.contains($0) ?? true } ?? false
        }
        if changes.isEmpty, let phase, !subject.names.isEmpty {
            throw CommandFailure.noneIs(phase, of: named)
        }
        if named.isEmpty { io.say("no application is running") }
        try io.write(text(of: changes, levels, io))
    }

    private func text(of changes: [Change], _ levels: Set<Change.Level>, _ io: CommandIO) -> [UInt8] {
        guard let format = lines.format.lines else {
            return Array(Tree(palette: io.palette, levels: levels).text(of: changes).utf8)
        }
        let time = Timestamp.now()
        return zip(1..., changes).flatMap { format.line(.change($1), sequence: $0, time: time) }
    }
}
