import ArgumentParser
import PhaseWatch

struct Phase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phase",
        abstract: "Print the phase of an application: active, inactive or background.",
        usage: "xphase phase <application> [options]",
        discussion: """
            Of several applications that match, it is the greatest of their phases. It exits 1 where none does.

            EXAMPLES
              [ "$(xphase phase firefox)" = active ] && echo 'somebody is browsing'
            """
    )

    @Argument(help: .application, completion: .application, transform: Arguments.glob)
    var application: String

    @OptionGroup var options: DisplayOptions

    func run() throws {
        let watcher = try OpenDisplay.watcher(options.watchOptions)
        watcher.readsTitles = false
        let events = try watcher.update()
        var matching = MatchingApplications(application)
        matching.update(with: ChangeBatch(events))
        guard let phase = matching.phase else { throw NotFound.application(application, among: events) }
        try StandardOutput.write(Array("\(phase.rawValue)\n".utf8))
    }
}
