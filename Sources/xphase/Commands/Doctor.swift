import ArgumentParser
import Hooks
import PhaseWatch
import Service
import System

struct Doctor: ParsableCommand {
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

    func run() throws {
        var options = PhaseMonitor.Options()
        options.display = display
        let diagnosis = try OpenDisplay.watcher(options, saysLimits: false).diagnose()
        let hooks = try? LoadedHooks.load(HookLocations(config: nil, environment: .own))
        try StandardOutput.write(
            Array(
                DiagnosisText(palette: .forStandardOutput).text(
                    of: diagnosis, lacks: hooks.map { $0.lacks(.own) + $0.weightsWithoutEffect(.own) } ?? []
                ).utf8))
        if !diagnosis.faults.isEmpty { throw ExitCode(Exit.notFound) }
    }
}
