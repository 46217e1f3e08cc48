import ArgumentParser
import Hooks
import PhaseWatch
import Scenes

struct HooksList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show each hook in words, and what it matches now.",
        usage: "xphase hooks list [options]"
    )

    @Option(
        help: ArgumentHelp("A configuration to read in place of the usual one.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp("The X display, instead of the one that $DISPLAY names.", valueName: "display"))
    var display: String?

    func run() throws {
        let locations = Locations(config: config)
        let loaded = try LoadedHooks.load(locations)
        for warning in loaded.warnings { Diagnostics.say(warning) }
        if loaded.hooks.isEmpty {
            return Diagnostics.say(loaded.file.map { "\($0) has no hooks" } ?? locations.absence)
        }
        var watch = WatchOptions()
        watch.display = display
        watch.policy = loaded.configuration.policy ?? watch.policy
        let changes = try OpenDisplay.watcher(watch).snapshot().compactMap(\.change)
        let texts = loaded.hooks.map { hook in
            (hook.inWords + ["  " + hook.matches(among: changes)]).map { $0 + "\n" }.joined()
        }
        try StandardOutput.write(Array(texts.joined(separator: "\n").utf8))
    }
}

extension Hook {
    /// What is there that it would react to, whatever happens to that.
    fileprivate func matches(among changes: [Change]) -> String {
        let matches = changes.filter { $0.level == condition.level && condition.concerns($0) }
            .map { "\($0.path) (\($0.to?.rawValue ?? "closed"))" }
        return matches.isEmpty
            ? "matches nothing that is there now" : "matches now: \(matches.joined(separator: ", "))"
    }
}
