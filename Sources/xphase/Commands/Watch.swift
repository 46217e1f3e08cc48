import ArgumentParser
import Console
import Hooks
import Service

struct Watch: Command, LogCommand {
    static let configuration = CommandConfiguration(
        command: "watch",
        abstract: "Print each phase change.",
        usage: "xphase [watch] [options]",
        discussion: """
            Other commands accept some of these options.

            EXAMPLES
              xphase watch --application mpv --no-initial
              xphase watch --json | jq -r 'select(.to == "active").application'
              xphase watch --format '{time} {application} {from} {to}'
            """
    )

    @OptionGroup var lines: LineOptions

    @OptionGroup var rule: RuleOptions

    @Option(help: .display, transform: Arguments.text)
    var display: String?

    @OptionGroup var settling: SettlingOptions

    func run(_ io: CommandIO) throws {
        _ = try OpenDisplay.watcher(watchOptions(io.options(on: display)), io).watch(into: [lines.sink(io)])
    }
}
