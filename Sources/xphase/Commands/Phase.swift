import ArgumentParser
import PhaseWatch

struct Phase: Command {
    static let configuration = CommandConfiguration(
        commandName: "phase",
        abstract: "Print the phase of an application.",
        discussion: """
            If several applications match, prints the most active phase. Exits 1 if none matches.

            EXAMPLES
              [ "$(xphase phase firefox)" = active ] && echo 'somebody is browsing'
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var apps: [[Pattern]]

    @Flag(name: .shortAndLong, help: "Print no message if no application matches.")
    var quiet = false

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        let (subjects, events) = try DisplayPhases.use(on: display, io) { phases in
            (try Subjects(apps.flatMap(\.self), on: phases.displayName), try phases.present())
        }
        let named = events.compactMap(\.change).filter(subjects.matches)
        guard let phase = named.compactMap(\.to).max() else {
            if quiet { throw CommandFailure(Exit.notFound) }
            throw try io.closedFailure(of: subjects.names, on: display) ?? subjects.absence(among: events)
                ?? CommandFailure(Exit.notFound)
        }
        if !quiet, let failure = subjects.absence(among: events) { io.say(failure.description) }
        try io.write("\(phase.rawValue)\n")
    }
}
