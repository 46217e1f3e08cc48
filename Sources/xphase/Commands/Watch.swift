import ArgumentParser
import Console
import Hooks
import Service

struct Watch: Command {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print each phase change.",
        usage: "xphase [watch] [app…] [options]",
        discussion: """
            EXAMPLES
              xphase watch mpv vlc --no-initial
              xphase watch $WINDOWID
              xphase watch --json | jq -r 'select(.to == "active").application'
              xphase watch --format '{time} {application} {from} {to}'
            """
    )

    @Argument(help: .subject, completion: .application, transform: { try PatternList($0) })
    var apps: [PatternList] = []

    @OptionGroup var lines: LineOptions

    @OptionGroup var choice: ChoiceOptions

    @OptionGroup var rule: RuleOptions

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        var options = try io.options(on: display)
        rule.apply(to: &options)
        let watcher = try OpenDisplay.watcher(options, io)
        _ = try watcher.watch(into: [lines.sink(io, Subjects(apps.patterns, on: watcher), choice)])
    }
}
