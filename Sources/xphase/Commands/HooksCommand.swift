import ArgumentParser
import Console
import Hooks
import System

struct HooksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks",
        abstract: "Check, list, add, try and pause hooks.",
        usage: "xphase hooks [<subcommand>] [options]",
        discussion: """
            Hooks are defined in $XDG_CONFIG_HOME/xphase/config.toml, or /etc/xdg/xphase/config.toml if that file \
            does not exist. Executables in $XDG_CONFIG_HOME/xphase/hooks.d/ are hooks, too.

            EXAMPLES
              xphase hooks                      what the hooks are, and what they do now
              xphase hooks check
              xphase hooks add pause-the-player
              xphase hooks fire pause-the-player mpv background
              xphase hooks why pause-the-player
              xphase hooks pause --for 10m      undo what hooks do, for ten minutes
            """,
        subcommands: [
            HooksStatus.self, HooksCheck.self, HooksAdd.self, HooksFire.self, HooksWhy.self,
            HooksPause.self, HooksResume.self,
        ],
        defaultSubcommand: HooksStatus.self
    )

    static let olderHooks = "the configuration has faults, so the service keeps what it has"
}

extension ArgumentHelp {
    static let hook = ArgumentHelp("The name of the hook.", valueName: "name")
    static let hooks = ArgumentHelp("The names of hooks. (default: all)", valueName: "name")
}

extension HookLocations {
    /// The message if there is no configuration.
    var absence: String {
        let verb = configurations.count == 1 ? "does" : "do"
        return
            "there is no configuration: \(configurations.map(\.description).joined(separator: " and ")) \(verb) not exist"
    }
}
