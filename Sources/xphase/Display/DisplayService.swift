import Console
import Glibc
import Hooks
import Journal
import PhaseWatch
import Service
import System

/// The service of a display: it prints changes, runs hooks, answers on Varlink, and keeps the journal.
struct DisplayService {
    let files: HookFiles
    let loaded: LoadedHooks
    /// nil for the one in the environment.
    let display: String?
    /// Whether nothing runs. This is allowed beside another service.
    let isDryRun: Bool
    /// Returns the options of the watch under the settings of a configuration.
    let overriding: (PhaseMonitor.Options) -> PhaseMonitor.Options

    /// The signal on which the service makes way for the program that is installed in its place.
    static let replacingSignal = SIGUSR2

    /// Runs until a signal, or until the server is gone.
    ///
    /// - Returns: The signal.
    func run(printing lines: LineSink, _ io: CommandIO) throws -> Int32? {
        let reserved = ReservedDescriptors()
        let (environment, log) = (io.environment, Log.diagnostics)
        lines.say = { log.say($0) }
        let options = overriding(loaded.configuration.options)
        let remarks = loaded.warnings + loaded.hints(under: options) + loaded.lacks(environment)
        for text in LoadedHooks.shortened(remarks) { log.say(text) }
        let watcher = try OpenDisplay.watcher(options, io)
        let authority = KeptAuthority(environment)
        let name = watcher.displayName
        let lock = isDryRun ? nil : try InstanceLock(display: name, environment: environment)
        let record = isDryRun ? nil : try PairRecord(display: name, environment: environment)
        let hooks = HookSink(
            loaded, from: files, overriding: overriding, record: record,
            HookContext(
                environment: environment, display: display, watcher: watcher, isDryRun: isDryRun, log: log,
                reserved: reserved))
        let report = ServiceManager(environment: environment).map {
            ServiceReport($0) { (hooks.loaded.hooks.count, hooks.isFaulty, hooks.isReloading) }
        }
        log.say(
            loaded.hooks.isEmpty && loaded.file == nil
                ? "no hooks: \(files.locations.absence)" : loaded.summary)
        let journal =
            isDryRun
            ? nil
            : JournalSink(
                loaded.configuration.journal, display: DisplayFileName(name).description,
                environment: environment)
        return try withExtendedLifetime((lock, authority)) {
            // Order matters: `report` reports a reload before `hooks` begins it, and `journal` follows the settings that
            // `hooks` has read.
            let phases = PhasesInterface(watcher)
            let socket = lock.flatMap { server($0, [phases, hooks], log) }
            let members: [(any WatchMember)?] = [lines, report, phases, hooks, journal, socket]
            let result = Result { try watcher.watch(into: members.compactMap(\.self)) }
            // A descriptor that is no longer read would stay ready.
            socket?.close()
            let signal = (try? result.get()) ?? nil
            // To the service manager, a replaced program goes on running.
            if signal != Self.replacingSignal { report?.sendStopping() }
            journal?.stop()
            // Last, since this waits for the disk: nothing must stay frozen meanwhile.
            defer {
                socket?.remove()
                journal?.finish()
            }
            // Runs every owed `leave`, however the watch ended.
            try hooks.finish(isAsked: signal != nil)
            return try result.get()
        }
    }

    /// Leaves what an earlier process has entered, unless another process serves the display.
    static func leaveOwed(on display: String?, _ environment: Environment) throws {
        guard let name = display ?? environment["DISPLAY"]?.description,
            let lock = try? InstanceLock(display: name, environment: environment)
        else { return }
        let context = HookContext(environment: environment, display: display, log: .diagnostics)
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
