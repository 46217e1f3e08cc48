import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

/// A command, which only prints through its `CommandIO`, except for the lines of a watch.
protocol Command: ParsableCommand {
    /// - Throws: An `ExitCoded` error for each exit code except 0.
    func run(_ io: CommandIO) throws
}

/// The environment and the output of a command, apart from the display; by default, those of the process.
struct CommandIO {
    var environment = Environment.own
    var palette = Palette.forStandardOutput
    /// The columns of the terminal; nil if stdout is none.
    var width = isatty(STDOUT_FILENO) == 1 ? TerminalSize(of: STDOUT_FILENO).columns : nil
    /// Writes data to stdout.
    var put: ([UInt8]) throws(CommandFailure) -> Void = StandardOutput.write
    /// Writes a message to stderr.
    var say: (String) -> Void = Diagnostics.say
    /// Returns what the user may have meant, for an error of the command.
    var hint: () -> String? = { nil }

    /// Runs what has a loop, which blocks the signals that end the process, with a log instead of `say`: no message waits
    /// for a reader of stderr that hangs, not even that of the error, which is the last.
    func logging(_ run: (CommandIO, Log) throws -> Void) throws { try log(to: .diagnostics(), run) }

    /// - Parameter words: Returns a message in the words of the command.
    func logging(
        in words: @escaping (String) -> String, _ run: (CommandIO, Log) throws -> Void
    ) throws { try log(to: .diagnostics(words), run) }

    private func log(to log: Log, _ run: (CommandIO, Log) throws -> Void) throws {
        defer { log.end() }
        var io = self
        io.say = { log.say($0) }
        do {
            try run(io, log)
        } catch let error as any ExitCoded {
            io.explain(error)
            throw CommandFailure(error.exitCode)
        }
    }

    /// Reports an error of the command; nothing if the command is quiet.
    func explain(_ error: any ExitCoded) {
        (error.messages + reasons(for: error)).forEach(say)
        if !error.messages.isEmpty, error.exitCode != Exit.done { hint().map(say) }
    }

    /// Says that standard input is read, if that is a terminal, where nothing happens before its end.
    func sayReading(_ what: String, from file: SystemString?) {
        if file == "-" && isatty(STDIN_FILENO) == 1 {
            say("reading \(what) from standard input: end it with Ctrl-D on a line of its own")
        }
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) { try put(bytes) }

    func write(_ text: String) throws(CommandFailure) { try put(Array(text.utf8)) }

    /// Writes lines, escaped for a terminal.
    func write(lines: [String]) throws(CommandFailure) {
        try write(lines.map { $0.escapedForTerminal + "\n" }.joined())
    }
}

/// What commands ask: the configuration, the display and the running service.
extension CommandIO {
    var locations: HookLocations { HookLocations(config: nil, environment: environment) }

    /// Returns the locations of the configuration that the service uses; those of the user if it has none.
    func locations(of service: HookSink.Status?) -> HookLocations {
        guard let file = service?.configuration.map({ SystemString($0) }),
            !locations.configurations.contains(file)
        else { return locations }
        if service?.isFromInput == true {
            say("'xphase run' has its hooks from standard input, kept as \(file)")
        }
        return HookLocations(config: file, environment: environment)
    }

    /// Returns the options of a watch under the rule of the configuration file, under which 'xphase run' works; the
    /// defaults if there is no file.
    ///
    /// - Throws: `ConfigurationError`.
    func options(on display: String?) throws -> PhaseMonitor.Options {
        var options = try LoadedHooks(locations).configuration.options
        options.display = display
        return options
    }

    /// Returns all scenes, groups and applications, with what hooks match, under the rule of a configuration.
    func present(under configuration: Configuration) throws -> [Change] {
        var options = configuration.options
        options.display = try? servedDisplay()
        let watcher = try OpenDisplay.watcher(options, self)
        watcher.details = [.titles, .locations, .processes, .owners]
        return try watcher.update().compactMap(\.change)
    }

    /// Returns the display of the service. On another virtual terminal, DISPLAY is not set.
    ///
    /// - Parameter name: The display that the user has named.
    func servedDisplay(_ name: String? = nil) throws -> String {
        if let name = name ?? environment["DISPLAY"]?.description { return name }
        let served = try VarlinkClient.displays(environment)
        if served.count == 1 { return served[0] }
        if served.isEmpty { throw ServiceError.notRunning(display: "") }
        throw CommandFailure.misuse("set DISPLAY to one of the displays: \(served.joined(separator: ", "))")
    }

    /// Returns the display that the user has named or is on, or the only one that is served; nil if there is none.
    func knownDisplay(_ name: String? = nil) throws -> String? {
        try unlessAbsent { try servedDisplay(name) }
    }

    /// Returns what else the user must know about an error: how to start the service, or what keeps it from starting.
    private func reasons(for error: any Error) -> [String] {
        guard case ServiceError.notRunning(let display) = error else { return [] }
        do throws(ConfigurationError) {
            _ = try LoadedHooks(locations)
            let service =
                display.isEmpty ? nil : try? SessionService(environment: environment, display: display)
            return [service.flatMap(advice(on:))].compactMap(\.self)
        } catch {
            let count = error.faults.count.of("fault")
            return ["it does not start, since the configuration has \(count): type xphase hooks check"]
        }
    }

    /// Asks the service of a display; returns nil if none serves it.
    func askIfServed<Answer>(
        _ display: String? = nil, _ question: (VarlinkClient) throws -> Answer
    ) throws -> Answer? { try unlessAbsent { try ask(display, question) } }

    /// Returns the state of the service for a command that can do without it. Reports a service that does not answer.
    func statusIfItAnswers(_ display: String? = nil) throws -> HookSink.Status? {
        do {
            return try askIfServed(display) { try $0.status() }
        } catch let error as ServiceError {
            say("\(error)")
            return nil
        }
    }

    /// Returns nil if there is no service.
    ///
    /// - Throws: Every other error: the service does not answer, or its directory is open to others.
    func unlessAbsent<Answer>(_ question: () throws -> Answer) throws -> Answer? {
        do {
            return try question()
        } catch ServiceError.notRunning {
        } catch let error as SystemError where !error.isUntrusted {
            // There is no runtime directory.
        }
        return nil
    }

    /// Asks the service of a display.
    ///
    /// - Parameters:
    ///   - display: The display that the user has named.
    ///   - refusal: The exit code if the service refuses the call.
    ///   - patience: The time for the answer.
    ///   - question: The call.
    func ask<Answer>(
        _ display: String? = nil, refusal: Int32 = Exit.misuse, patience: Duration = .seconds(5),
        _ question: (VarlinkClient) throws -> Answer
    ) throws -> Answer {
        let display = try servedDisplay(display)
        do {
            return try question(
                VarlinkClient(display: display, environment: environment, patience: patience))
        } catch ServiceError.refused(let text) {
            throw CommandFailure(refusal, text)
        }
    }
}
