import ArgumentParser
import Console
import Hooks
import PhaseWatch
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
              xphase hooks fire pause-the-player --application mpv --to background
              xphase hooks why pause-the-player
              xphase hooks pause --for 10m      undo everything and pause for ten minutes
            """,
        subcommands: [
            HooksStatus.self, HooksCheck.self, HooksAdd.self, HooksFire.self, HooksWhy.self,
            HooksPause.self, HooksResume.self,
        ],
        defaultSubcommand: HooksStatus.self
    )
}

extension HookLocations {
    /// The message if there is no configuration.
    var absence: String {
        let verb = configurations.count == 1 ? "does" : "do"
        return
            "there is no configuration: \(configurations.map(\.description).joined(separator: " and ")) \(verb) not exist"
    }
}

/// The options of a command that compares hooks with the applications on a display.
struct HooksOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration file, instead of the default one.", valueName: "file"),
        completion: .file())
    var config: SystemString?

    @Option(help: .display)
    var display: String?

    func locations(_ io: CommandIO) -> HookLocations {
        HookLocations(config: config, environment: io.environment)
    }

    /// Returns the state of all scenes, groups and applications, under the rule of a configuration.
    static func present(
        on display: String?, _ configuration: Configuration, _ io: CommandIO
    ) throws -> [Change] {
        var options = configuration.options
        options.display = display
        let watcher = try OpenDisplay.watcher(options, io)
        watcher.details = [.titles, .processes, .owners]
        return try watcher.update().compactMap(\.change)
    }
}
