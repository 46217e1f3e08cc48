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

    /// Returns the sink that writes lines to stdout.
    ///
    /// - Parameters:
    ///   - io: The properties of stdout.
    ///   - subjects: What is reported; nil for everything.
    ///   - choice: Which changes are reported; nil for all but those of titles.
    func sink(_ io: CommandIO, _ subjects: Subjects? = nil, _ choice: ChoiceOptions? = nil) -> LineSink {
        let levels = level.isEmpty ? subjects?.levels ?? [.application] : Set(level)
        let titles = choice?.titles ?? false
        let shown = titles ? levels.union([.scene]) : levels
        return LineSink(
            format: format.lines(or: .text(TextLine(palette: io.palette, levels: shown))),
            filter: EventFilter(
                levels: levels, criteria: subjects?.criteria(of: shown) ?? Criteria(),
                phases: choice?.phase?.phases,
                hidesInitial: choice?.noInitial ?? false, reportsTitles: titles),
            descriptor: StandardOutput.withoutWaiting())
    }
}

/// The options for the choice of changes.
struct ChoiceOptions: ParsableArguments {
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
}
