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
            The policy of 'xphase watch' does not matter. Exits 1 if no scene has the focus and --empty is not given.

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

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        let sink = ActiveSink(self, io)
        if !follow {
            return try sink.print(DisplayPhases.use(on: display, io) { try $0.activeScene() })
        }
        _ = try DisplayPhases.use(on: display, io) { phases in
            switch phases {
            case .served(let phases):
                sink.scene = { .some($0.first?.change) }
                return try phases.followActive(into: [sink])
            case .read(let watcher):
                sink.scene = { _ in watcher.isFocusSettling ? nil : .some(watcher.activeScene()) }
                return try watcher.watch(into: [sink])
            }
        }
    }
}

/// A sink that prints the focused scene of a display whenever it changes.
private final class ActiveSink: WatchMember {
    let output: Int32? = STDOUT_FILENO
    let details: PhaseWatcher.Details = [.titles, .titleChanges, .locations]
    private let command: ActiveCommand
    private let io: CommandIO
    /// Returns the focused scene after these events, itself nil if there is none; nil while the focus settles.
    var scene: ([Event]) -> Change?? = { _ in nil }
    private var sequence = 0
    private var lastScene: Change??
    private var lastLine: String?

    init(_ command: ActiveCommand, _ io: CommandIO) { (self.command, self.io) = (command, io) }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) throws {
        if let scene = scene(events) { try print(scene) }
    }

    /// Prints a scene, unless it or its line equals the previous one.
    func print(_ scene: Change?) throws {
        if lastScene == .some(scene) { return }
        lastScene = scene
        guard let line = line(of: scene) else {
            throw CommandFailure.notFound("no scene has the focus")
        }
        if line == lastLine { return }
        lastLine = line
        try io.write(line)
    }

    private func line(of scene: Change?) -> String? {
        guard let scene else {
            let text = command.empty ?? (command.follow ? "" : nil)
            return (command.format.json ? text.map { _ in "null" } : text).map {
                $0.escapedForTerminal + "\n"
            }
        }
        guard let format = command.format.lines else {
            let words = [scene.application, scene.scene?.title].compactMap(\.self).joined(separator: "  ")
            return words.escapedForTerminal + "\n"
        }
        sequence += 1
        return String(
            decoding: format.line(.change(scene), sequence: sequence, time: .now()), as: UTF8.self)
    }
}
