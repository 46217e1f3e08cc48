import ArgumentParser
import PhaseWatch
import Scenes

struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Write a line for each change of a phase, until it is stopped.",
        usage: "xphase [watch] [options]",
        discussion: """
            EXAMPLES
              xphase watch --application mpv --no-initial
              xphase watch --json | jq -r 'select(.to == "active").application'
              xphase watch --format '{time} {application} {from} {to}'
            """
    )

    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp(
            "What to tell of: application, group or scene. Can be given several times. (default: application)",
            valueName: "level"))
    var level: [Change.Level] = []

    @Option(
        help: ArgumentHelp(
            "Only applications whose class name, or instance name, this glob matches. Can be given several times.",
            valueName: "glob"))
    var application: [String] = []

    @Flag(help: "Do not tell what is there at the start.")
    var noInitial = false

    @OptionGroup var options: DisplayOptions

    @Flag(help: "Pass through inactive between active and background.")
    var stepwise = false

    @Option(
        help: ArgumentHelp(
            "How long a change must hold still to be believed: 250ms, 1s; 0 tells every step as it is read. (default: 100ms)",
            valueName: "duration"), transform: Self.duration)
    var settle = Duration.milliseconds(100)

    func run() throws {
        var watch = WatchOptions()
        watch.display = options.display
        watch.policy = options.policy
        watch.isStepwise = stepwise
        watch.settle = settle
        let levels = level.isEmpty ? [.application] : Set(level)
        let sink = LineSink(
            format: format.lines(or: .text(TextLine(palette: .forStandardOutput, levels: levels))),
            filter: EventFilter(
                levels: levels,
                patterns: application.map(ApplicationPattern.init),
                hidesInitial: noInitial),
            descriptor: StandardOutput.withoutWaiting())
        _ = try OpenDisplay.watcher(watch).run(into: sink)
    }

    private static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text) else {
            throw Misuse("write a whole number and its unit: 250ms, 30s, 5m or 1h")
        }
        return duration
    }
}
