import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksStatus: Command {
    static let configuration = CommandConfiguration(
        command: "status",
        abstract: "Show what the hooks of a running 'xphase run' do now.",
        usage: "xphase hooks status [options]",
        discussion: """
            For each hook and application: entered since when, what is frozen, waiting until when, or what kept it \
            from reacting. It exits 69 where no 'xphase run' serves the display.
            """
    )

    @Flag(help: "Write one JSON object a line.")
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
            What is frozen goes on at once, and every 'leave' that is owed runs. It exits 69 where no 'xphase run' \
            serves the display. A pause holds also after a crash.

            EXAMPLES
              xphase hooks pause                all of them, until 'xphase hooks resume'
              xphase hooks pause --for 10m 'pause the player'
            """
    )

    @Argument(
        help: ArgumentHelp("The names of hooks; all if left out.", valueName: "name"), completion: .hook,
        transform: Arguments.text)
    var names: [String] = []

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp(
            "For how long: 10m. (default: until they are resumed, or 'xphase run' is ended)",
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
        abstract: "Have paused hooks react again.",
        usage: "xphase hooks resume [<name> ...] [options]",
        discussion: """
            What is still in its phase is entered again. It exits 69 where no 'xphase run' serves the display.
            """
    )

    @Argument(
        help: ArgumentHelp("The names of hooks; all if left out.", valueName: "name"), completion: .hook,
        transform: Arguments.text)
    var names: [String] = []

    @OptionGroup var service: ServiceOptions

    func run(_ io: CommandIO) throws {
        try io.write(lines: [service.ask(io) { try $0.resume(names) }])
    }
}

/// Which running service a command asks.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The X display that it serves, instead of the one that $DISPLAY names, or the only one that is served.",
            valueName: "display"), transform: Arguments.text)
    var display: String?

    /// - Parameter failing: The error where the service refuses it.
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

    /// On another virtual terminal, DISPLAY is not set.
    func displayName(_ io: CommandIO) throws -> String {
        if let name = display ?? io.environment["DISPLAY"]?.description { return name }
        let served = try VarlinkClient.displays(io.environment)
        if served.count == 1 { return served[0] }
        if served.isEmpty { throw ServiceError.notRunning(display: "") }
        throw CommandFailure.misuse(
            "name one of the displays with --display: \(served.joined(separator: ", "))")
    }
}
