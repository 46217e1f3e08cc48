import ArgumentParser
import Hooks

struct HooksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks",
        abstract: "Check, show and try the hooks that react to changes.",
        usage: "xphase hooks <subcommand> [options]",
        discussion: """
            Hooks are written in $XDG_CONFIG_HOME/xphase/config.toml, or else /etc/xdg/xphase/config.toml; \
            executables in $XDG_CONFIG_HOME/xphase/hooks.d/ are hooks, too.

            EXAMPLES
              xphase hooks check
              xphase hooks list
              xphase hooks fire 'pause the player' --application mpv --to background
            """,
        subcommands: [HooksCheck.self, HooksList.self, HooksFire.self]
    )
}

extension Locations {
    /// What to tell where no configuration is.
    var absence: String {
        "there is no configuration: \(configurations.map(\.description).joined(separator: " and ")) \(verb) not there"
    }

    private var verb: String { configurations.count == 1 ? "is" : "are" }
}
