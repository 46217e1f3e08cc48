import ArgumentParser
import Console
import Glibc
import Hooks
import Journal
import PhaseWatch
import Service
import Synchronization
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
            """
    )

    @Option(
        help: ArgumentHelp(
            "The configuration file; - is standard input. (default: $XDG_CONFIG_HOME/xphase/config.toml, then /etc/xdg/xphase/config.toml)",
            valueName: "file"), completion: .file())
    var config: SystemString?

    @OptionGroup var lines: LineOptions

    @OptionGroup var rule: RuleOptions

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        EventLoop.allowOutputInBackground()
        var signal: Int32?
        try io.logging { signal = try serve($0, $1) }
        if signal == DisplayService.replacingSignal {
            if config == "-" { Configuration.rewindStandardInput() }
            try Spawn.replaceThisProgram(arguments: Arguments.own, environment: io.environment.entries)
        }
    }

    /// Returns the signal that ends the service.
    private func serve(_ io: CommandIO, _ log: Log) throws -> Int32? {
        let environment = io.environment
        if let records = try? UndoRecords(environment: environment) {
            records.thawAbandoned(serving: display ?? environment["DISPLAY"]?.description).forEach(io.say)
        }
        // Watch before reading: opening the display takes up to 4 s, and a file saved meanwhile must be read again.
        let files = HookFiles(HookLocations(config: config, environment: environment))
        let loaded: LoadedHooks
        do throws(ConfigurationError) {
            io.sayReading("the configuration", from: config)
            if config == "-" { try Configuration.keepStandardInput() }
            loaded = try LoadedHooks(files.locations)
        } catch {
            // Leave what a killed process has entered, without waiting for a corrected file.
            try DisplayService.leaveOwed(on: display, environment, log)
            throw error
        }
        let (rule, display) = (rule, display)
        let service = DisplayService(files: files, loaded: loaded, display: display) { file in
            var options = file
            rule.apply(to: &options)
            options.display = display
            return options
        }
        let output = try CopiedOutput()
        let sink = lines.sink(io, to: output?.descriptor)
        let signal = Result { try service.run(printing: sink, io, log) }
        let copied = Result { () throws(CommandFailure) in try output?.finish(sink) }
        if try signal.get() == DisplayService.replacingSignal {
            if case .failure(let failure) = copied { io.say("\(failure)") }
        } else {
            try copied.get()
        }
        return try signal.get()
    }
}

/// The service of a display: it prints changes, runs hooks, answers on Varlink, and keeps the journal.
private struct DisplayService {
    let files: HookFiles
    let loaded: LoadedHooks
    /// nil for the one in the environment.
    let display: String?
    /// Returns the options of the watch under the settings of a configuration.
    let overriding: (PhaseMonitor.Options) -> PhaseMonitor.Options

    /// The signal on which the service makes way for the program that is installed in its place.
    static let replacingSignal = SIGUSR2

    /// Runs until a signal, or until the server is gone.
    ///
    /// - Returns: The signal.
    func run(printing lines: LineSink, _ io: CommandIO, _ log: Log) throws -> Int32? {
        let reserved = ReservedDescriptors()
        let environment = io.environment
        lines.say = io.say
        let options = overriding(loaded.configuration.options)
        let remarks = loaded.warnings + loaded.hints(under: options) + loaded.lacks(environment)
        for text in LoadedHooks.shortened(remarks) { log.say(text) }
        let watcher = try OpenDisplay.watcher(options, io)
        let authority = KeptAuthority(environment)
        let name = watcher.displayName
        let lock = try InstanceLock(display: name, environment: environment)
        let record = try UndoRecord(display: name, environment: environment)
        let hooks = HookSink(
            loaded, from: files.locations.required == "-" ? nil : files, overriding: overriding,
            record: record,
            HookContext(
                environment: environment, display: display, watcher: watcher, log: log,
                reserved: reserved))
        let report = ServiceManager(environment: environment).map {
            ServiceReport($0) { (hooks.loaded.hooks.count, hooks.isFaulty, hooks.isReloading) }
        }
        log.say(
            loaded.hooks.isEmpty && loaded.file == nil
                ? "no hooks: \(files.locations.absence)" : loaded.summary)
        let journal = JournalSink(
            loaded.configuration.journal, display: DisplayFileName(name).description,
            environment: environment)
        return try withExtendedLifetime((lock, authority)) {
            // Order matters: `report` reports a reload before `hooks` begins it, and `journal` follows the settings that
            // `hooks` has read.
            let phases = PhasesInterface(watcher)
            let socket = server(lock, [phases, hooks], log)
            let members: [(any WatchMember)?] = [lines, report, phases, hooks, journal, socket]
            let result = Result { try watcher.watch(into: members.compactMap(\.self)) }
            // A descriptor that is no longer read would stay ready.
            socket?.close()
            let signal = (try? result.get()) ?? nil
            // To the service manager, a replaced program goes on running.
            if signal != Self.replacingSignal { report?.sendStopping() }
            journal.stop()
            // Last, since this waits for the disk: nothing must stay frozen meanwhile.
            defer {
                socket?.remove()
                journal.finish()
            }
            // Runs every owed `leave`, however the watch ended.
            try hooks.finish(isAsked: signal != nil)
            return try result.get()
        }
    }

    /// Leaves what an earlier process has entered, unless another process serves the display.
    static func leaveOwed(on display: String?, _ environment: Environment, _ log: Log) throws {
        guard let name = display ?? environment["DISPLAY"]?.description,
            let lock = try? InstanceLock(display: name, environment: environment)
        else { return }
        let context = HookContext(environment: environment, display: display, log: log)
        try HookSink.leaveOwed(try UndoRecord(display: name, environment: environment), context)
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

/// A pipe in place of a standard output that is a file, and a thread that copies what is written to the file: its disk may
/// not answer, and what is frozen must not wait for it.
private final class CopiedOutput {
    private final class Copy: Sendable {
        /// errno of a failed write; 0 if none has failed.
        let failure = Mutex<Int32>(0)
        let isOver = Mutex(false)

        func run(_ pipe: Descriptor, _ file: Int32, signalling end: Descriptor) {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            do throws(SystemError) {
                while true {
                    let count = try SystemError.check("read", read(pipe.number, &bytes, bytes.count))
                    if count == 0 { break }
                    var rest = bytes[..<count]
                    while !rest.isEmpty {
                        let written = try SystemError.check(
                            "write", rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) })
                        rest = rest.dropFirst(written)
                    }
                }
            } catch {
                failure.withLock { $0 = error.code }
            }
            isOver.withLock { $0 = true }
            // Closed at the end of the thread.
            withExtendedLifetime((pipe, end)) {}
        }
    }

    /// How long the end waits for the disk.
    private static let patience = Duration.seconds(3)

    private let copy = Copy()
    private var writing: Descriptor?
    /// Readable once the thread has ended.
    private let end: Descriptor
    /// What takes the place of the file.
    let descriptor: Int32

    /// - Returns: nil if the descriptor is not that of a file.
    /// - Throws: `SystemError` if no thread can be started.
    init?(of file: Int32 = STDOUT_FILENO) throws(SystemError) {
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        let (reading, writing) = try Descriptor.pipe()
        _ = fcntl(reading.number, F_SETFL, 0)
        let (end, signal) = try Descriptor.pipe()
        (self.writing, self.end, descriptor) = (writing, end, writing.number)
        try DetachedThread.start { [copy] in copy.run(reading, file, signalling: signal) }
    }

    /// Writes the lines that wait, for at most three seconds, and ends the thread. Must be the last call.
    ///
    /// - Throws: `CommandFailure` if the file does not have all lines.
    func finish(_ lines: LineSink) throws(CommandFailure) {
        let deadline = Clock.now() + Self.patience
        while lines.hasBacklog, wait(for: POLLOUT, of: descriptor, until: deadline) {
            guard (try? lines.flush()) != nil else { break }
        }
        writing = nil
        _ = wait(for: POLLIN, of: end.number, until: deadline)
        let failure = copy.failure.withLock { $0 }
        if failure != 0 { throw .output(failure) }
        if lines.hasBacklog || !copy.isOver.withLock({ $0 }) {
            throw CommandFailure(
                Exit.outputFailed,
                "standard output lacks the last lines: the disk of its file does not answer; write to a local one"
            )
        }
    }

    private func wait(for event: Int32, of descriptor: Int32, until deadline: Duration) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let left = max(.zero, deadline - Clock.now())
        return poll(&request, 1, Int32(clamping: left.milliseconds)) > 0
    }
}

/// A sink that reports to a service manager that the watch is ready, and how many hooks and applications it has.
private final class ServiceReport: WatchMember {
    /// The number of hooks in use, whether they are older than the configuration, because that has faults, and whether it
    /// is being read.
    typealias Hooks = (count: Int, areOld: Bool, areBeingRead: Bool)

    private let manager: ServiceManager
    private let hooks: () -> Hooks
    private var applications: Set<String> = []
    private var isReloading = false
    /// The status that was sent last; nil until the watch is ready.
    private var sent: String?

    /// - Parameter hooks: Called after each turn of the loop.
    init(_ manager: ServiceManager, hooks: @escaping () -> Hooks) {
        (self.manager, self.hooks) = (manager, hooks)
    }

    var signals: [Int32] { [SIGHUP] }

    func join(_ loop: EventLoop) { manager.join(loop) }

    /// Counts applications. The first call means that the watch is ready: everything has been read once.
    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        for case .change(let change) in events where change.level == .application {
            if change.to == nil {
                applications.remove(change.application)
            } else {
                applications.insert(change.application)
            }
        }
        if sent == nil { send(["READY=1"]) }
    }

    /// Reports a reload: on this signal, hooks begin to be read again in the same turn.
    func received(_ signal: Int32) {
        isReloading = true
        send(["RELOADING=1", "MONOTONIC_USEC=\(Clock.now().microseconds)"], isLatest: true)
    }

    func finishTurn(_ requests: inout WatchRequests) {
        if isReloading {
            if hooks().areBeingRead { return }
            isReloading = false
            send(["READY=1"])
        } else if sent != nil && status != sent && manager.hasRoom {
            send([])
        }
    }

    /// Reports that the watch has ended; hooks may still have something to undo.
    func sendStopping() {
        send(["STOPPING=1"], isLatest: true)
    }

    /// `3 hooks; 12 applications`.
    private var status: String {
        let (count, areOld, _) = hooks()
        let age = areOld ? " of the old configuration: the new one has errors" : ""
        return Self.words(count, "hook") + "\(age); " + Self.words(applications.count, "application")
    }

    /// Sends the assignments together with the status, which needs no separate message.
    private func send(_ assignments: [String], isLatest: Bool = false) {
        let status = status
        sent = status
        manager.send(assignments + ["STATUS=\(status)"], isLatest: isLatest)
    }

    private static func words(_ count: Int, _ noun: String) -> String {
        count == 0 ? "no \(noun)s" : count.of(noun)
    }
}
