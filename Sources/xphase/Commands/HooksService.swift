import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksStatus: Command {
    static let configuration = CommandConfiguration(
        command: "status",
        abstract: "Print the state of all hooks.",
        usage: "xphase hooks status [options]",
        discussion: """
            Prints for each hook and application: since when it is active, what is frozen, what it waits for, or why \
            it did not run. Exits 69 if no 'xphase run' serves the display.
            """
    )

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var service: ServiceOptions

    func run(_ io: CommandIO) throws {
        let rows = try service.ask(io) { try $0.status() }
        if rows.isEmpty { return io.say("there are no hooks") }
        try io.write(json ? rows.flatMap(\.json) : Array(rows.inWords.utf8))
    }
}

struct HooksPause: Command {
    static let configuration = CommandConfiguration(
        command: "pause",
        abstract: "Pause hooks and undo their effects.",
        usage: "xphase hooks pause [<name> ...] [options]",
        discussion: """
            Thaws what the hooks have frozen and runs the 'leave' of each active pair. A pause survives a crash. \
            Exits 69 if no 'xphase run' serves the display.

            EXAMPLES
              xphase hooks pause                all hooks, until 'xphase hooks resume'
              xphase hooks pause --for 10m pause-the-player
            """
    )

    @Argument(
        help: ArgumentHelp("The names of hooks. (default: all)", valueName: "name"), completion: .hook,
        transform: Arguments.text)
    var names: [String] = []

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp(
            "For how long, e.g. 10m. (default: until 'xphase hooks resume' or the end of 'xphase run')",
            valueName: "duration"),
        transform: Duration.argument)
    var time: Duration?

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if time == .zero { throw ValidationError("--for must be longer than 0") }
    }

    func run(_ io: CommandIO) throws {
        try io.write(lines: [service.ask(io) { try $0.pause(names, for: time) }])
    }
}

struct HooksResume: Command {
    static let configuration = CommandConfiguration(
        command: "resume",
        abstract: "Resume paused hooks.",
        usage: "xphase hooks resume [<name> ...] [options]",
        discussion: """
            Enters each pair again whose application is still in one of its phases. Exits 69 if no 'xphase run' \
            serves the display.
            """
    )

    @Argument(
        help: ArgumentHelp("The names of hooks. (default: all)", valueName: "name"), completion: .hook,
        transform: Arguments.text)
    var names: [String] = []

    @OptionGroup var service: ServiceOptions

    func run(_ io: CommandIO) throws {
        try io.write(lines: [service.ask(io) { try $0.resume(names) }])
    }
}

/// The options that select the running service to call.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The display of 'xphase run'. (default: $DISPLAY, or the only one)",
            valueName: "display"), transform: Arguments.text)
    var display: String?

    /// - Parameter failing: Returns the error for a call that the service refuses.
    func ask<Answer>(
        _ io: CommandIO, failing: (String) -> CommandFailure = CommandFailure.misuse,
        _ question: (VarlinkClient) throws -> Answer
    ) throws -> Answer {
        do {
            return try question(VarlinkClient(display: displayName(io), environment: io.environment))
        } catch ServiceError.refused(let text) {
            throw failing(text)
        }
    }

    /// Returns the display of the service. On another virtual terminal, DISPLAY is not set.
    func displayName(_ io: CommandIO) throws -> String {
        if let name = display ?? io.environment["DISPLAY"]?.description { return name }
        let served = try VarlinkClient.displays(io.environment)
        if served.count == 1 { return served[0] }
        if served.isEmpty { throw ServiceError.notRunning(display: "") }
        throw CommandFailure.misuse(
            "name one of the displays with --display: \(served.joined(separator: ", "))")
    }
}
