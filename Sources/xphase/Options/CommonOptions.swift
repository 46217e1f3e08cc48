import ArgumentParser
import CLinux
import Console
import Hooks
import PhaseWatch
import Service
import System

extension PhasePolicy: ExpressibleByArgument {}
extension Change.Level: ExpressibleByArgument {}
extension ScenePhase: ExpressibleByArgument {}

extension Duration {
    /// Parses an argument.
    static func argument(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text) else {
            throw CommandFailure.misuse("write a duration such as 250ms, 1.5s, 30s, 5m or 1h30m")
        }
        return duration
    }

    /// Parses an argument that must not be 0.
    static func positive(_ text: String) throws -> Duration {
        let duration = try argument(text)
        if duration == .zero { throw CommandFailure.misuse("it must be longer than 0") }
        return duration
    }
}

extension ArgumentHelp {
    static let subject = ArgumentHelp(
        "The class or instance name of applications (a glob or a /regex/), or a window ID such as 0x2c00007; also several with commas.",
        valueName: "app")
    static let display = ArgumentHelp(
        "The X display. (default: $DISPLAY)", valueName: "display")
    static let force = ArgumentHelp("Overwrite an existing file.")
    static let pick = ArgumentHelp("Choose a window by a click; Escape or another button cancels.")
    static let titles = ArgumentHelp("Also print title changes, at most one per second.")
}

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
    }

    /// The format that an option names.
    var lines: LineFormat? { json ? .json : format.map { .template($0) } }
}

/// The options for the lines that report changes.
struct LineOptions: ParsableArguments {
    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp(
            "Print this level; repeatable. (default: application; for list: all)",
            valueName: "level"))
    var level: [Change.Level] = []

    /// Returns the sink that writes lines to stdout.
    ///
    /// - Parameters:
    ///   - io: The properties of stdout.
    ///   - subjects: What is reported; nil for everything.
    ///   - titles: Whether changes of titles are reported.
    ///   - hidesInitial: Whether the phases at the start are omitted.
    func sink(
        _ io: CommandIO, _ subjects: Subjects? = nil, titles: Bool = false, hidesInitial: Bool = false
    ) -> LineSink {
        let levels = level.isEmpty ? subjects?.levels ?? [.application] : Set(level)
        let shown = titles ? levels.union([.scene]) : levels
        return LineSink(
            format: format.lines ?? .text(TextLine(palette: io.palette, levels: shown)),
            filter: EventFilter(
                levels: levels, criteria: subjects?.criteria(of: shown) ?? Criteria(),
                hidesInitial: hidesInitial, reportsTitles: titles),
            descriptor: StandardOutput.withoutWaiting())
    }
}
