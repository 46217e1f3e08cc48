import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksPause: Command {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause hooks and undo their effects.",
        discussion: """
            Thaws what the hooks have frozen and runs the 'leave' of each active pair. Without a name, it pauses all \
            hooks and thaws what was frozen by hand, too, so that everything is undone. Exits 69 if no 'xphase run' \
            serves the display.

            EXAMPLES
              xphase hooks pause                everything, until 'xphase hooks resume'
              xphase hooks pause --for 10m pause-the-player
            """
    )

    @Argument(help: .hooks, completion: .hook)
    var names: [String] = []

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp(
            "For how long, e.g. 10m. (default: until 'xphase hooks resume' or the end of 'xphase run')",
            valueName: "duration"),
        transform: Duration.positive)
    var time: Duration?

    func run(_ io: CommandIO) throws {
        let text = try io.ask { try $0.pause(names, for: time) }
        try io.write(lines: text.split(separator: "\n").map(String.init))
    }
}

struct HooksResume: Command {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume paused hooks.",
        discussion: """
            Enters each pair again if its application is still in one of its phases. Exits 69 if no 'xphase run' \
            serves the display.
            """
    )

    @Argument(help: .hooks, completion: .hook)
    var names: [String] = []

    func run(_ io: CommandIO) throws {
        try io.write(lines: [io.ask { try $0.resume(names) }])
    }
}
