import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksStatus: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Describe hooks: what they match and do now.",
        usage: "xphase hooks [status] [<name> ...] [options]",
        discussion: """
            Prints for each hook what it does, which applications it matches, since when it is active, what is \
            frozen, what it waits for, or why it did not run. Exits 69 if no 'xphase run' serves the display.
            """
    )

    @Argument(help: .hooks, completion: .hook)
    var names: [String] = []

    @Flag(name: .shortAndLong, help: "Print the states alone, one JSON object per line.")
    var json = false

    func run(_ io: CommandIO) throws {
        let answer = Result { try io.ask { try $0.status() } }
        if json { return try io.write(chosen(answer.get(), \.hook).flatMap(\.json)) }
        let loaded = try LoadedHooks(io.locations)
        loaded.warnings.forEach(io.say)
        let rows = Dictionary(grouping: (try? answer.get()) ?? [], by: \.hook)
        let present = loaded.hooks.isEmpty ? [] : try? io.present(under: loaded.configuration)
        let own = loaded.hooks.map { hook in
            let matches = present.map { ["  " + hook.matches(among: $0, and: rows[hook.name] ?? [])] } ?? []
            return (hook.name, hook.inWords + matches)
        }
        // Those of 'xphase on' and of freezes by hand.
        let others = Set(rows.keys).subtracting(own.map(\.0)).sorted().map { ($0, [$0]) }
        let texts = try chosen(own + others, \.0).map { name, lines in
            lines + (rows[name] ?? []).map { "  now: \($0.line)" }
        }
        if texts.isEmpty { io.say(loaded.file.map { "\($0) has no hooks" } ?? io.locations.absence) }
        try io.write(lines: Array(texts.joined(separator: [""])))
        _ = try answer.get()
    }

    /// Returns what belongs to the named hooks; everything if none is named.
    ///
    /// - Throws: `CommandFailure` for a name that none has.
    private func chosen<Item>(_ all: [Item], _ name: (Item) -> String) throws -> [Item] {
        if names.isEmpty { return all }
        let known = Set(all.map(name))
        if let wrong = names.first(where: { !known.contains($0) }) {
            throw CommandFailure.misuse(Hook.refusal(of: wrong, among: known.sorted()))
        }
        return all.filter { names.contains(name($0)) }
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
        discussion: """
            Thaws what the hooks have frozen and runs the 'leave' of each active pair. Exits 69 if no 'xphase run' serves the display.

            EXAMPLES
              xphase hooks pause                all hooks, until 'xphase hooks resume'
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
        try io.write(lines: [io.ask { try $0.pause(names, for: time) }])
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

extension HookStatus {
    /// One line of `hooks status --json`.
    var json: [UInt8] {
        [UInt8](jsonLine: [
            ("v", .number(1)), ("hook", .text(hook)), ("state", .text(state.rawValue)),
            ("application", .text(application)), ("subject", .text(subject)), ("since", .time(since?.time)),
            ("until", .time(until?.time)), ("reactions", .texts(reactions)),
            ("unit", .text(unit)), ("processes", .number(processes)), ("reason", .text(reason)),
        ])
    }

    /// `Slack: entered since 12:03:41`, without the name of the hook.
    var line: String { (subject.map { "\($0): " } ?? "") + inWords }

    private var inWords: String {
        let words = [
            state == .unpowered ? "off" : state.rawValue,
            since.map { "since \(TimeText.local($0.time).prefix(8))" },
            until.map {
                "\(state == .entered ? "but thawed " : "")until \(TimeText.local($0.time).prefix(8))"
            },
        ]
        let parts = [words.compactMap(\.self).joined(separator: " ")] + reactions
        let text = parts.joined(separator: ", ") + held
        return reason.map { "\(text): \($0)" } ?? text
    }

    private var held: String {
        let words = [unit, processes.map { $0 == 1 ? "1 process" : "\($0) processes" }].compactMap(\.self)
        return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    }
}
