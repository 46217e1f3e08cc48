import ArgumentParser
import Console
import PhaseWatch

/// The options for the format of lines.
struct FormatOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print one JSON object per line; times are UTC.")
    var json = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Print lines in this format, e.g. '{time} {application} {from} {to}'.",
            discussion: """
                The fields are the keys of --json; times are UTC. \\t is a tab.
                """,
            valueName: "template"), transform: { try Template($0) })
    var format: Template?

    func validate() throws {
        if json && format != nil {
            throw ValidationError("use either --json or --format")
        }
        if let format, !format.hasFields {
            throw ValidationError("--format has no field: write one in braces, such as {application}")
        }
    }

    /// The format that an option names.
    var lines: LineFormat? { json ? .json : format.map { .template($0) } }
}

/// The options for the lines that report changes.
struct LineOptions: ParsableArguments {
    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp(
            "Print lines about these: application, group, scene. (default: application; for list: all)",
            valueName: "level,…"),
        completion: .commaSeparated(Change.Level.allCases.map(\.rawValue)),
        transform: { try Arguments.list($0) })
    var level: [[Change.Level]] = []

    /// The levels that are named; empty if none is.
    var levels: Set<Change.Level> { Set(level.flatMap(\.self)) }

    /// Returns the sink that writes lines to stdout.
    ///
    /// - Parameters:
    ///   - io: The properties of stdout.
    ///   - subjects: What is reported; nil for everything.
    ///   - titles: Whether changes of titles are reported.
    ///   - hidesInitial: Whether the phases at the start are omitted.
    ///   - descriptor: The destination; nil for stdout.
    func sink(
        _ io: CommandIO, _ subjects: Subjects? = nil, titles: Bool = false, hidesInitial: Bool = false,
        to descriptor: Int32? = nil
    ) -> LineSink {
        let levels = level.isEmpty ? subjects?.levels ?? [.application] : self.levels
        let shown = titles ? levels.union([.scene]) : levels
        return LineSink(
            format: format.lines ?? .text(TextLine(palette: io.palette, levels: shown)),
            filter: EventFilter(
                levels: levels, criteria: subjects?.criteria(of: shown) ?? Criteria(),
                hidesInitial: hidesInitial, reportsTitles: titles),
            descriptor: descriptor ?? StandardOutput.withoutWaiting())
    }
}
