import ArgumentParser
import Console
import Glibc
import Hooks
import Journal
import PhaseWatch
import Service
import System

struct Run: Command {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Print changes and run hooks; this is the service.",
        usage: "xphase run [options]",
        discussion: """
            Only one 'xphase run' can run for each user and display. Phase changes go to stdout, output and results \
            of hooks to stderr. Reloads the configuration when it changes and on SIGHUP. On SIGUSR2, ends and starts \
            the installed version in its place.

            EXAMPLES
              xphase run
              xphase run --dry-run              print what would run, and why
            """
    )

    @Option(
        help: ArgumentHelp(
            "The configuration file. (default: $XDG_CONFIG_HOME/xphase/config.toml, then /etc/xdg/xphase/config.toml)",
            valueName: "file"), completion: .file())
    var config: SystemString?

    @Flag(help: "Print what would run and why, without running it.")
    var dryRun = false

    @OptionGroup var lines: LineOptions

    @OptionGroup var rule: RuleOptions

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        EventLoop.allowOutputInBackground()
        let environment = io.environment
        if !dryRun, let records = try? HeldRecords(environment: environment) {
            records.thawAbandoned(serving: display ?? environment["DISPLAY"]?.description).forEach(io.say)
        }
        // Watch before reading: opening the display takes up to 4 s, and a file saved meanwhile must be read again.
        let files = HookFiles(HookLocations(config: config, environment: environment))
        let loaded: LoadedHooks
        do throws(ConfigurationError) {
            loaded = try files.load()
        } catch {
            // Leave what a killed process has entered, without waiting for a corrected file.
            if !dryRun { try DisplayService.leaveOwed(on: display, environment) }
            throw error
        }
        let (rule, display) = (rule, display)
        let service = DisplayService(files: files, loaded: loaded, display: display, isDryRun: dryRun) {
            file in
            var options = file
            rule.apply(to: &options)
            options.display = display
            return options
        }
        let output = try CopiedOutput()
        let sink = lines.sink(io, to: output?.descriptor)
        let signal = Result { try service.run(printing: sink, io) }
        try output?.finish(sink)
        if try signal.get() == DisplayService.replacingSignal {
            try Spawn.replaceThisProgram(arguments: Arguments.own, environment: environment.entries)
        }
    }
}
