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
            of hooks to stderr. Reloads the configuration when it changes and on SIGHUP.

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

    /// - Parameter file: The settings of a configuration, which options override.
    private func watchOptions(_ file: PhaseMonitor.Options) -> PhaseMonitor.Options {
        var options = file
        rule.apply(to: &options)
        options.display = display
        return options
    }

    func run(_ io: CommandIO) throws {
        EventLoop.allowOutputInBackground()
        let environment = io.environment
        if !dryRun, let records = try? HeldRecords(environment: environment) {
            records.thawAbandoned(serving: display ?? environment["DISPLAY"]?.description).forEach(io.say)
        }
        let locations = HookLocations(config: config, environment: environment)
        // Watch before reading: opening the display takes up to 4 s, and a file saved meanwhile must be read again.
        let files = HookFiles(locations)
        let diagnostics = Log.diagnostics
        let loaded: LoadedHooks
        do throws(ConfigurationError) {
            loaded = try files.load()
        } catch {
            // Leave what a killed process has entered, without waiting for a corrected file.
            if !dryRun { try leaveOwed(environment, diagnostics) }
            throw error
        }
        let options = watchOptions(loaded.configuration.options)
        for text in loaded.warnings + loaded.hints(under: options) + loaded.lacks(environment) {
            diagnostics.say(text)
        }
        let watcher = try OpenDisplay.watcher(options, io)
        // A dry run runs nothing, and may run beside another 'xphase run'.
        let lock = dryRun ? nil : try InstanceLock(display: watcher.displayName, environment: environment)
        let record =
            dryRun ? nil : try PairRecord(display: watcher.displayName, environment: environment)
        let hooks = HookSink(
            loaded, from: files, overriding: watchOptions, record: record,
            HookContext(
                environment: environment, display: display, watcher: watcher, isDryRun: dryRun,
                log: diagnostics))
        let service = ServiceManager(environment: environment).map {
            ServiceReport($0) { (hooks.loaded.hooks.count, hooks.isFaulty) }
        }
        diagnostics.say(
            loaded.hooks.isEmpty && loaded.file == nil ? "no hooks: \(locations.absence)" : loaded.summary)
        let journal =
            dryRun
            ? nil
            : JournalSink(
                loaded.configuration.journal, display: DisplayFileName(watcher.displayName).description,
                environment: environment)
        try withExtendedLifetime(lock) {
            // Order matters: `service` reports a reload before `hooks` begins it, and `journal` follows the settings
            // that `hooks` has read.
            let phases = PhasesInterface(watcher)
            let socket = lock.flatMap { server($0, [phases, hooks], diagnostics) }
            let members: [(any WatchMember)?] = [lines.sink(io), service, phases, hooks, journal, socket]
            let result = Result { try watcher.watch(into: members.compactMap(\.self)) }
            // A descriptor that is no longer read would stay ready.
            socket?.close()
            service?.sendStopping()
            journal?.stop()
            // Last, since this waits for the disk: nothing must stay frozen meanwhile.
            defer { journal?.finish() }
            // Runs every owed `leave`, however the watch ended.
            try hooks.finish(isAsked: (try? result.get()) ?? nil != nil)
            _ = try result.get()
        }
    }

    /// Leaves what an earlier process has entered, unless another process serves the display.
    private func leaveOwed(_ environment: Environment, _ log: Log) throws {
        guard let name = display ?? environment["DISPLAY"]?.description,
            let lock = try? InstanceLock(display: name, environment: environment)
        else { return }
        let context = HookContext(environment: environment, display: display, log: log)
        try HookSink.leaveOwed(try PairRecord(display: name, environment: environment), context)
        withExtendedLifetime(lock) {}
    }

    /// Returns nil if there is no socket. Hooks run without one.
    private func server(
        _ lock: InstanceLock, _ interfaces: [any VarlinkInterface], _ log: Log
    ) -> VarlinkServer? {
        do {
            return try VarlinkServer(lock, interfaces, say: log.say)
        } catch {
            log.say(
                "cannot open the Varlink socket, so hooks status, why, pause, freeze and thaw do not work: \(error)"
            )
            return nil
        }
    }
}
