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
    ///   - titles: Whether changes of titles are reported.
    ///   - phases: The phases whose entry is reported; nil for all.
    ///   - hidesInitial: Whether the phases at the start are omitted.
    func sink(
        _ io: CommandIO, _ subjects: Subjects? = nil, titles: Bool = false, phases: PhaseSet? = nil,
        hidesInitial: Bool = false
    ) -> LineSink {
        let levels = level.isEmpty ? subjects?.levels ?? [.application] : Set(level)
        let shown = titles ? levels.union([.scene]) : levels
        return LineSink(
            format: format.lines ?? .text(TextLine(palette: io.palette, levels: shown)),
            filter: EventFilter(
                levels: levels, criteria: subjects?.criteria(of: shown) ?? Criteria(),
                phases: phases?.phases, hidesInitial: hidesInitial, reportsTitles: titles),
            descriptor: StandardOutput.withoutWaiting())
    }
}
