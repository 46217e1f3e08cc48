import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service

struct HooksList: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "list",
        abstract: "Show each hook in words, and what it matches now.",
        usage: "xphase hooks list [options]"
    )

    @OptionGroup var options: HooksOptions

    func run() throws {
        let loaded = try LoadedHooks.load(options.locations)
        for warning in loaded.warnings { Diagnostics.say(warning) }
        if loaded.hooks.isEmpty {
            return Diagnostics.say(loaded.file.map { "\($0) has no hooks" } ?? options.locations.absence)
        }
        let changes = try options.present(loaded.configuration)
        let texts = loaded.hooks.map { hook in
            (hook.inWords + ["  " + hook.matches(among: changes)]).map { $0 + "\n" }.joined()
        }
        try StandardOutput.write(Array(texts.joined(separator: "\n").utf8))
    }
}

extension Hook {
    /// The present scenes, groups or applications that the hook reacts to, in words.
    fileprivate func matches(among changes: [Change]) -> String {
        let matches = changes.filter { $0.level == condition.level && condition.concerns($0) }
            .map { "\($0.path) (\($0.to?.rawValue ?? "closed"))" }
        return matches.isEmpty
            ? "matches nothing that is there now" : "matches now: \(matches.joined(separator: ", "))"
    }
}
