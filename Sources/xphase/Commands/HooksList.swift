import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service

struct HooksList: Command {
    static let configuration = CommandConfiguration(
        command: "list",
        abstract: "Describe each hook and what it matches now.",
        usage: "xphase hooks list [options]"
    )

    @OptionGroup var options: HooksOptions

    func run(_ io: CommandIO) throws {
        let locations = options.locations(io)
        let loaded = try LoadedHooks.load(locations)
        loaded.warnings.forEach(io.say)
        if loaded.hooks.isEmpty {
            return io.say(loaded.file.map { "\($0) has no hooks" } ?? locations.absence)
        }
        let changes = try options.present(loaded.configuration, io)
        let texts = loaded.hooks.map { hook in
            (hook.inWords + ["  " + hook.matches(among: changes)]).map { $0 + "\n" }.joined()
        }
        try io.write(texts.joined(separator: "\n"))
    }
}

extension Hook {
    /// Returns the present scenes, groups or applications that the hook reacts to, in words.
    func matches(among changes: [Change]) -> String {
        let matches = changes.filter { $0.level == condition.level && condition.concerns($0) }
            .map { "\($0.path) (\($0.to?.rawValue ?? "closed"))" }
        return matches.isEmpty
            ? "matches nothing now" : "matches now: \(matches.joined(separator: ", "))"
    }
}
