import ArgumentParser
import Hooks
import PhaseWatch
import Service

struct Doctor: Command {
    static let configuration = CommandConfiguration(
        command: "doctor",
        abstract: "Tell what this display offers, and what of it xphase relies on.",
        usage: "xphase doctor [options]",
        discussion: """
            It exits 1 where phases cannot be trusted, and says why. Its output belongs into a bug report.
            """
    )

    @Option(help: .display, transform: Arguments.text)
    var display: String?

    func run(_ io: CommandIO) throws {
        var options = PhaseMonitor.Options()
        options.display = display
        let diagnosis = try OpenDisplay.watcher(options, nil).diagnose()
        let hooks = try? LoadedHooks.load(HookLocations(config: nil, environment: io.environment))
        let lacks = hooks.map { $0.lacks(io.environment) + $0.weightsWithoutEffect(io.environment) }
        let service = SessionService(environment: io.environment, display: diagnosis.display)
        try io.write(
            DiagnosisText(palette: io.palette).text(of: diagnosis, service: service, lacks: lacks ?? []))
        if !diagnosis.faults.isEmpty { throw CommandFailure(Exit.notFound) }
    }
}
