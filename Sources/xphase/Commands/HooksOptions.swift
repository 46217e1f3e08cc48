import ArgumentParser
import Hooks
import PhaseWatch

/// What the commands take that put hooks beside what is on a display.
struct HooksOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A configuration to read in place of the usual one.", valueName: "file"),
        completion: .file())
    var config: SystemString?

    @Option(
        help: ArgumentHelp("The X display, instead of the one that $DISPLAY names.", valueName: "display"),
        transform: Arguments.text)
    var display: String?

    var locations: Locations { Locations(config: config, environment: .own) }

    /// All that is there now, in the phases that a configuration's policy gives it.
    func present(_ configuration: Configuration) throws -> [Change] {
        var watch = PhaseMonitor.Options()
        watch.display = display
        watch.policy = configuration.policy ?? watch.policy
        return try OpenDisplay.watcher(watch).update().compactMap(\.change)
    }
}
