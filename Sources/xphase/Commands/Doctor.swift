import ArgumentParser
import PhaseWatch
import Scenes
import X11

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tell what this display offers, and what of it xphase relies on.",
        usage: "xphase doctor [options]",
        discussion: """
            It exits 1 where phases cannot be trusted, and says why. Its output belongs into a bug report.
            """
    )

    @Option(
        help: ArgumentHelp("The X display, instead of the one that $DISPLAY names.", valueName: "display"))
    var display: String?

    func run() throws {
        var options = WatchOptions()
        options.display = display
        let watcher = try OpenDisplay.watcher(options, saysLimits: false)
        let desktop = try watcher.seen()
        let (server, hints) = try watcher.introduction()
        let diagnosis = Diagnosis(
            server: server, isWayland: Session.isWayland,
            screens: zip(desktop.screens, hints).map { ScreenDiagnosis(screen: $0, hints: $1) })
        try StandardOutput.write(
            Array(DiagnosisText(palette: .forStandardOutput).text(of: diagnosis).utf8))
        if !diagnosis.faults.isEmpty { throw ExitCode(Exit.notFound) }
    }
}
