import ArgumentParser
import PhaseWatch

struct Phase: Command {
    static let configuration = CommandConfiguration(
        command: "phase",
        abstract: "Print the phase of an application.",
        usage: "xphase phase <application>|--pick [options]",
        discussion: """
            If several applications match, prints the most active phase. Exits 1 if none matches. With --pick, \
            prints the phase of the chosen scene.

            EXAMPLES
              [ "$(xphase phase firefox)" = active ] && echo 'somebody is browsing'
            """
    )

    @Argument(help: .application, completion: .application, transform: Arguments.pattern)
    var application: Pattern?

    @Flag(help: .pick)
    var pick = false

    @Flag(help: "Print no message if no application matches.")
    var quiet = false

    @OptionGroup var choice: CriteriaOptions

    @OptionGroup var rule: RuleOptions

    @Option(help: .display, transform: Arguments.text)
    var display: String?

    func validate() throws { try Picking.validate(pick, application) }

    func run(_ io: CommandIO) throws {
        let watcher = try OpenDisplay.watcher(rule.options(on: display, io), io)
        let subject = try AwaitedSubject(application, choice, picks: pick, watcher)
        let events = try watcher.update()
        var matching = MatchingSubjects(subject)
        matching.update(with: ChangeBatch(events))
        guard let phase = matching.phase else {
            throw quiet ? CommandFailure(Exit.notFound) : subject.absence(among: events)
        }
        try io.write("\(phase.rawValue)\n")
    }
}
