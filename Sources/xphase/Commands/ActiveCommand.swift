import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

struct ActiveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "active",
        abstract: "Print the focused scene: application and title.",
        usage: "xphase active [--follow] [options]",
        discussion: """
            The policy does not matter. Exits 1 if no scene has the focus and --empty is not given.

            EXAMPLES
              xphase active
              xphase active --follow --empty ' ' --format '{application}: {title}'
              xphase active --json
            """
    )

    @Flag(help: "Print a line whenever the scene or its title changes.")
    var follow = false

    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp("Print this text while no scene has the focus, and exit 0.", valueName: "text"),
    )
    var empty: String?

    @Option(
        help: ArgumentHelp(
            "Print the scene that had the focus last on this monitor.", valueName: "name"),
    )
    var monitor: String?

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        let sink = ActiveSink(self, io)
        if !follow {
            return try sink.print(DisplayPhases.use(on: display, io) { try $0.activeScene(on: monitor) })
        }
        _ = try DisplayPhases.use(on: display, io) { phases in
            switch phases {
            case .served(let phases):
                sink.scene = { $0.first?.change }
                return try phases.follow(activeOn: monitor, into: [sink])
            case .read(let watcher):
                sink.scene = { _ in watcher.activeScene(on: monitor) }
                return try watcher.watch(into: [sink])
            }
        }
    }
}
