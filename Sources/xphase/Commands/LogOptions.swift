import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service

/// The options for the lines that report changes.
struct LineOptions: ParsableArguments {
    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp(
            "Print changes of this level; repeatable. (default: application)",
            valueName: "level"))
    var level: [Change.Level] = []

    @Option(
        help: ArgumentHelp(
            "Only applications with this class or instance name: a glob or a /regex/; repeatable.",
            valueName: "pattern"), completion: .application, transform: Arguments.pattern)
    var application: [Pattern] = []

    @OptionGroup var choice: CriteriaOptions

    @Option(
        help: ArgumentHelp("Only changes into one of these phases.", valueName: "phase,…"),
        completion: .phases, transform: { try PhaseSet($0) })
    var phase: PhaseSet?

    @Flag(help: "Do not print the phases at the start.")
    var noInitial = false

    @Flag(
        help: "Also print title changes, at most one per second."
    )
    var titles = false

    /// Returns the sink that writes lines to stdout.
    func sink(_ io: CommandIO) -> LineSink {
        let levels = level.isEmpty ? [.application] : Set(level)
        let shown = titles ? levels.union([.scene]) : levels
        return LineSink(
            format: format.lines(or: .text(TextLine(palette: io.palette, levels: shown))),
            filter: EventFilter(
                levels: levels, criteria: choice.criteria(application), phases: phase?.phases,
                hidesInitial: noInitial, reportsTitles: titles),
            descriptor: StandardOutput.withoutWaiting())
    }
}

/// The options for when changes are reported.
struct SettlingOptions: ParsableArguments {
    @Flag(help: "Pass through inactive between active and background.")
    var stepwise = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Print a change after it lasts this long; 0 prints every step. (default: 100ms)",
            valueName: "duration"), transform: Duration.argument)
    var settle: Duration?
}

/// A command that watches a display and writes a line for each change.
protocol LogCommand {
    var lines: LineOptions { get }
    var rule: RuleOptions { get }
    var display: String? { get }
    var settling: SettlingOptions { get }
}

extension LogCommand {
    /// - Parameter file: The settings of a configuration, which options override.
    func watchOptions(_ file: PhaseMonitor.Options) -> PhaseMonitor.Options {
        var watch = file
        rule.apply(to: &watch)
        watch.settle = settling.settle ?? watch.settle
        watch.display = display
        watch.isStepwise = settling.stepwise
        return watch
    }
}
