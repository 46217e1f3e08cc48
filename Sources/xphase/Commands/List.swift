import ArgumentParser
import Console
import Loop
import PhaseWatch

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the applications, groups and scenes that are there now.",
        usage: "xphase list [application] [options]",
        discussion: """
            EXAMPLES
              xphase list
              xphase list 'xterm'
              xphase list --json --level scene
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Only applications whose class name, or instance name, this glob matches.",
            valueName: "application"), completion: .application, transform: Arguments.glob)
    var application: String?

    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp(
            "What to show: application, group or scene. Can be given several times. (default: all of them)",
            valueName: "level"))
    var level: [Change.Level] = []

    @OptionGroup var options: DisplayOptions

    func run() throws {
        let levels = level.isEmpty ? Set(Change.Level.allCases) : Set(level)
        let filter = EventFilter(
            levels: levels,
            patterns: application.map { [ApplicationPattern($0)] } ?? [],
            hidesInitial: false)
        let events = try OpenDisplay.watcher(options.watchOptions).update()
            .filter { $0.change != nil && filter.accepts($0) }
        try StandardOutput.write(bytes(of: events, levels))
    }

    private func bytes(of events: [Event], _ levels: Set<Change.Level>) -> [UInt8] {
        guard format.json || format.format != nil else {
            return Tree(palette: .forStandardOutput, levels: levels).lines(of: events.compactMap(\.change))
        }
        let format = format.lines(or: .json)
        let time = Timestamp.now()
        return events.enumerated().flatMap { index, event in
            format.line(for: event, sequence: index + 1, time: time)
        }
    }
}
