import ArgumentParser
import PhaseWatch

struct Phase: Command {
    static let configuration = CommandConfiguration(
        command: "phase",
        abstract: "Print the phase of an application.",
        usage: "xphase phase <application|window> [options]",
        discussion: """
            If several applications match, prints the most active phase. Exits 1 if none matches.

            EXAMPLES
              [ "$(xphase phase firefox)" = active ] && echo 'somebody is browsing'
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.pattern)
    var subject: Pattern

    @Flag(help: "Print no message if no application matches.")
    var quiet = false

    @Option(help: .display, transform: Arguments.text)
    var display: String?

    func run(_ io: CommandIO) throws {
        let watcher = try OpenDisplay.watcher(io.options(on: display), io)
        let subject = try AwaitedSubject(subject, on: watcher)
        let events = try watcher.update()
        var matching = MatchingSubjects(subject)
        matching.update(with: events)
        guard let phase = matching.phase else {
            throw quiet ? CommandFailure(Exit.notFound) : subject.absence(among: events)
        }
        try io.write("\(phase.rawValue)\n")
    }
}
