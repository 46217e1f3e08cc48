import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksStatus: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Describe all hooks: what they match and do now.",
        usage: "xphase hooks [status] [options]",
        discussion: """
            Prints for each hook what it does, which applications it matches, since when it is active, what is \
            frozen, what it waits for, or why it did not run. Exits 69 if no 'xphase run' serves the display.
            """
    )

    @Flag(name: .shortAndLong, help: "Print the states alone, one JSON object per line.")
    var json = false

    @OptionGroup var service: ServiceOptions

    func run(_ io: CommandIO) throws {
        let states = Result { try service.ask(io) { try $0.status() } }
        if json { return try io.write(states.get().flatMap(\.json)) }
        let locations = HookLocations(config: nil, environment: io.environment)
        let loaded = try LoadedHooks(locations)
        loaded.warnings.forEach(io.say)
        let rows = (try? states.get()) ?? []
        let present =
            loaded.hooks.isEmpty
            ? [] : try? HooksOptions.present(on: service.displayName(io), loaded.configuration, io)
        var texts = loaded.hooks.map { hook in
            let own = rows.filter { $0.hook == hook.name }
            let matches = present.map { ["  " + hook.matches(among: $0, and: own)] } ?? []
            let lines = hook.inWords + matches + own.map { "  now: \($0.line)" }
            return lines.map { $0.escapedForTerminal + "\n" }.joined()
        }
        let others = rows.filter { row in !loaded.hooks.contains { $0.name == row.hook } }
        if !others.isEmpty { texts.append(others.inWords) }
        if texts.isEmpty { io.say(loaded.file.map { "\($0) has no hooks" } ?? locations.absence) }
        try io.write(texts.joined(separator: "\n"))
        _ = try states.get()
    }
}

extension Hook {
    /// Returns the present scenes, groups or applications that the hook reacts to, in words.
    ///
    /// - Parameters:
    ///   - changes: What is present.
    ///   - states: The states of the hook. What it acts on may have no window any longer.
    func matches(among changes: [Change], and states: [HookStatus] = []) -> String {
        let applications = Set(changes.map(\.application))
        let closed = Set(states.compactMap(\.application)).subtracting(applications).sorted()
        let matches =
            changes.filter { $0.level == condition.changes && condition.concerns($0) }
            .map { "\($0.path) (\($0.to?.rawValue ?? "closed"))" } + closed.map { "\($0) (closed)" }
        if !matches.isEmpty { return "matches now: \(matches.joined(separator: ", "))" }
        return "matches nothing now" + (absence(among: changes).map { "; \($0.description)" } ?? "")
    }
}

struct HooksPause: Command {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause hooks and undo their effects.",
        usage: "xphase hooks pause [<name> ...] [options]",
        discussion: """
            Thaws what the hooks have frozen and runs the 'leave' of each active pair. Exits 69 if no 'xphase run' serves the display.

            EXAMPLES
              xphase hooks pause                all hooks, until 'xphase hooks resume'
              xphase hooks pause --for 10m pause-the-player
            """
    )

    @Argument(
        help: ArgumentHelp("The names of hooks. (default: all)", valueName: "name"), completion: .hook,
    )
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
        commandName: "resume",
        abstract: "Resume paused hooks.",
        usage: "xphase hooks resume [<name> ...] [options]",
        discussion: """
            Enters each pair again if its application is still in one of its phases. Exits 69 if no 'xphase run' \
            serves the display.
            """
    )

    @Argument(
        help: ArgumentHelp("The names of hooks. (default: all)", valueName: "name"), completion: .hook,
    )
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
            valueName: "display"))
    var display: String?

    /// - Parameters:
    ///   - refusal: The exit code if the service refuses the call.
    ///   - patience: The time for the answer.
    func ask<Answer>(
        _ io: CommandIO, refusal: Int32 = Exit.misuse, patience: Duration = .seconds(5),
        _ question: (VarlinkClient) throws -> Answer
    ) throws -> Answer {
        let display = try displayName(io)
        do {
            return try question(
                VarlinkClient(display: display, environment: io.environment, patience: patience))
        } catch ServiceError.refused(let text) {
            throw CommandFailure(refusal, text)
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
