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
            frozen, what it waits for, or why it did not run. If the configuration has faults, prints them, and what \
            the hooks do that 'xphase run' keeps; exits 78, but 0 with --json. Exits 69 if no 'xphase run' serves the \
            display.
            """
    )

    @Argument(help: .hooks, completion: .hook)
    var names: [String] = []

    @Flag(name: .shortAndLong, help: "Print the states alone, one JSON object per line.")
    var json = false

    func run(_ io: CommandIO) throws {
        let service = try io.askIfServed { try $0.status() }
        if json {
            let rows = try service?.rows ?? io.ask { try $0.status() }.rows
            return try io.write(chosen(rows, \.hook).flatMap(\.json))
        }
        let locations = io.locations(of: service)
        let loaded = try hooks(in: locations, of: service, io)
        let rows = Dictionary(grouping: service?.rows ?? [], by: \.hook)
        let hooks = loaded?.hooks ?? []
        let present = try? loaded.map { hooks.isEmpty ? [] : try io.present(under: $0.configuration) }
        let own = hooks.map { hook in
            let matches = present.flatMap { hook.matches(among: $0, and: rows[hook.name] ?? []) }
            return (hook.name, hook.inWords + [matches.map { "  " + $0 }].compactMap(\.self))
        }
        // Those of 'xphase on' and of freezes by hand, and all of them if the configuration has faults.
        let others = Set(rows.keys).subtracting(own.map(\.0)).sorted().map { ($0, [$0]) }
        let texts = try chosen(own + others, \.0).map { name, lines in
            lines + (rows[name] ?? []).map { "  now: \($0.line)" }
        }
        if texts.isEmpty, let loaded {
            io.say(loaded.file.map { "\($0) has no hooks" } ?? locations.absence)
        }
        try io.write(lines: Array(texts.joined(separator: [""])))
        if loaded == nil { throw CommandFailure(Exit.configuration) }
        // Says that there is no service.
        if service == nil { _ = try io.ask { try $0.status() } }
    }

    /// Returns the hooks of the configuration, and reports its faults; nil if the service keeps older hooks.
    ///
    /// - Throws: `ConfigurationError` if there is no service.
    private func hooks(
        in locations: HookLocations, of service: HookSink.Status?, _ io: CommandIO
    ) throws -> LoadedHooks? {
        do {
            let loaded = try LoadedHooks(locations)
            loaded.warnings.forEach(io.say)
            return loaded
        } catch {
            if service == nil { throw error }
            (error.messages + [HooksCommand.olderHooks]).forEach(io.say)
            return nil
        }
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
