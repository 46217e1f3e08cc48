import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

struct On: Command {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Run a command or apply a reaction in a phase.",
        usage: """
            xphase on <app> <phase>[,<phase>] [options] -- <command> ...
            xphase on <app> background [options] --do freeze
            """,
        discussion: """
            The command has the environment and the time limit of a hook; only one run per application at a time. \
            Its output goes to stdout. Ctrl-C also interrupts it.

            With --do, xphase performs a built-in reaction (see xphase.toml(5)) and undoes it when the application \
            leaves the phase and when 'xphase on' ends. A frozen application is thawed when you use it. If 'xphase \
            run' serves the display, it performs the reaction.

            EXAMPLES
              xphase on firefox background --after 30s -- notify-send 'still there'
              xphase on 'libreoffice*' background -- git -C papers commit -qam saved
              xphase on steam closed -- powerprofilesctl set power-saver
              xphase on Slack background --after 30s --do freeze --do mute
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var apps: [Pattern]

    @Argument(help: .phases, completion: .phases, transform: { try PhaseSet($0) })
    var phases: PhaseSet

    @OptionGroup private var reaction: ReactionOptions

    @Option(help: .display)
    var display: String?

    @Argument(parsing: .postTerminator, help: "The command, after --.", completion: .file())
    var command: [SystemString] = []

    private var hook: Hook { reaction.hook(on: apps, phases, command) }

    func validate() throws {
        if reaction.builtIns.isEmpty && command.first?.isEmpty ?? true {
            throw ValidationError(
                "write the command after --: xphase on \(apps.text.quotedForShell) \(phases.text) -- beep")
        }
        if let word = command.first?.description, word.hasPrefix("-") {
            throw ValidationError("the command begins with '\(word)': write options before --")
        }
        if let only = command.first, command.count == 1, only.description.contains(" "),
            access(only.cString, X_OK) != 0
        {
            let words = Mistakes.words(of: only.description).map(\.quotedForShell).joined(separator: " ")
            throw ValidationError("the command is one word, with blanks: write -- \(words)")
        }
        if !reaction.builtIns.isEmpty && !command.isEmpty {
            throw ValidationError("use either --do or a command")
        }
        let faults = hook.pair == nil ? [] : hook.reactionFaults
        if !faults.isEmpty {
            let text = faults.joined(separator: "; ")
            let keys = "while = \"background\" or [\"inactive\", \"background\"]"
            let words = "background or inactive,background"
            throw ValidationError("--do: \(text.replacing(keys, with: words))")
        }
    }

    func run(_ io: CommandIO) throws {
        EventLoop.allowOutputInBackground()
        var hook = hook
        let display = try io.knownDisplay(display)
        let subjects = try Subjects(apps, on: display)
        hook.condition.criteria.application = try subjects.applications()
        LoadedHooks(hook).lacks(io.environment).forEach(io.say)
        if !ReactionLacks(io.environment).permit(hook) { throw CommandFailure(Exit.noDisplay) }
        let words = { [hook] in Self.words($0, of: hook) }
        try io.logging(in: words) {
            try Holding(hook: hook, subjects: subjects, phases: phases, display: display, log: $1).run($0)
        }
    }
}

extension On {
    /// Returns a message for the user of this command: without the number that the service has given to the hook, and with
    /// the option that prevents an exception.
    private static func words(_ text: String, of hook: Hook) -> String {
        let text = text.replacing(/^hook 'on \d+(?: again)*'/, with: "hook '\(hook.name)'")
        let isExcepted = hook.builtIns.contains(.freeze) && hook.except.contains { text.contains($0.words) }
        return isExcepted ? "\(text) (--except none freezes it anyway)" : text
    }
}

/// The options of a reaction that no file defines.
private struct ReactionOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "React only after the phase has lasted this long, e.g. 30s.", valueName: "duration"),
        transform: Duration.argument)
    var after = Duration.zero

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The time limit of each run. (default: 30s)", valueName: "duration"),
        transform: Duration.positive)
    var timeout: Duration?

    @Option(
        name: .customLong("do"),
        help: ArgumentHelp(
            "Built-in reactions instead of a command: freeze, slow, cap, mute.", valueName: "reaction,…"),
        completion: .commaSeparated(BuiltIn.allCases.map(\.rawValue)),
        transform: { try Arguments.list($0) })
    var reactions: [[BuiltIn]] = []

    var builtIns: Set<BuiltIn> { Set(reactions.flatMap(\.self)) }

    @Option(
        help: ArgumentHelp(
            "For --do cap: the limit, 1% to 10000% of one processor.", valueName: "percentage"),
        transform: { text in
            guard let cap = ProcessorCap(rawValue: text) else {
                throw CommandFailure.misuse(
                    "write \(ProcessorCap.meant(by: text)?.rawValue ?? ProcessorCap.wanted)")
            }
            return cap
        })
    var cap: ProcessorCap?

    @OptionGroup var exceptions: ExceptionOptions

    @Option(
        help: ArgumentHelp("React only on this power supply.", valueName: "supply"))
    var power: Power?

    @Flag(help: "Also react if it is in the phase at the start.")
    var initial = false

    func validate() throws {
        if builtIns.isEmpty && !exceptions.except.isEmpty { throw ValidationError("--except needs --do") }
        if builtIns.contains(.cap) != (cap != nil) {
            throw ValidationError("--do cap and --cap go together: --do cap --cap 20%")
        }
        if !builtIns.isEmpty && timeout != nil {
            throw ValidationError("--timeout is for commands: --do has none")
        }
    }

    /// Returns the hook with this reaction, which is the command if there is no built-in one.
    func hook(on applications: [Pattern], _ phases: PhaseSet, _ command: [SystemString]) -> Hook {
        var pair = Hook.Pair(phases: [], builtIns: builtIns, except: exceptions.chosen, cap: cap)
        pair.times = phases.phases
        var hook = Hook(
            name: "on", reaction: builtIns.isEmpty ? .run(.arguments(command)) : .pair(pair))
        hook.condition.criteria.application = applications
        if builtIns.isEmpty { hook.condition.to = phases.phases }
        hook.condition.initial = initial
        hook.after = after
        hook.power = power
        hook.timeout = timeout ?? hook.timeout
        return hook
    }
}

extension Power: ExpressibleByArgument {}

extension [Change] {
    /// The applications and their phases.
    fileprivate var present: String {
        map { "\($0.application) (\($0.to?.rawValue ?? ""))" }.joined(separator: ", ")
    }
}

extension PhaseSet {
    /// `enter active or inactive`, `enter background or close`.
    fileprivate var verbs: String {
        let phases = phases.subtracting([.closed]).words.joined(separator: " or ")
        return [phases.isEmpty ? nil : "enter \(phases)", contains(nil) ? "close" : nil].compactMap(\.self)
            .joined(separator: " or ")
    }
}

/// A hook that reacts while a command of `xphase` runs.
///
/// The process itself runs the commands of the hook. Built-in reactions have one owner per display: the running
/// service, otherwise the first of these processes.
private struct Holding {
    /// The time to wait for an owner that cannot be reached, or that undoes its work.
    private static let patience = Duration.seconds(12)
    /// The time for which a second signal counts as the first one.
    private static let repetition = Duration.milliseconds(500)
    /// The time that a service has to start again.
    private static let restartTime = Duration.seconds(5)

    let hook: Hook
    /// What the user has named.
    let subjects: Subjects
    let phases: PhaseSet
    /// nil for the one in the environment.
    let display: String?
    let log: Log

    /// Runs the commands of the hook, or has the service perform the built-in reactions, or performs them if none runs,
    /// until a signal or the end.
    func run(_ io: CommandIO) throws {
        var introduction = try introduction(io)
        guard var reaction = ReactionRequest(hook) else { return try run(hook, introduction, io) }
        let environment = io.environment
        let name = display ?? environment["DISPLAY"]?.description ?? ""
        (try? UndoRecords(environment: environment))?.thawAbandoned(serving: name).forEach(io.say)
        var hook = hook
        var earliest = Clock.now()
        while true {
            do {
                let client = try VarlinkClient(display: name, environment: environment)
                try client.hold(reaction)
                introduction.forEach(io.say)
                if try relay(client) { return }
                let patience = Self.restartTime.text
                io.say(
                    "'xphase run' has ended, and its reactions are undone; they begin again here in \(patience), "
                        + "or there if it starts again")
                introduction = ["the reactions begin again"]
                // The service is gone, and the reactions are undone. It takes the display again if it is restarted.
                earliest = Clock.now() + Self.restartTime
                (hook.condition.initial, reaction.initial) = (true, true)
            } catch let failure as ServiceError where failure.mayPass {
                if let lock = try Self.lock(name, environment, from: earliest) {
                    return try own(hook, introduction, io, lock)
                }
                if EventLoop.receivesEnd(within: .milliseconds(100)) { return }
            }
        }
    }

    /// Returns lines about the awaited applications and phases, and the matching applications on the display.
    private func introduction(_ io: CommandIO) throws -> [String] {
        // The watch itself reports what the display does not show.
        var quiet = io
        quiet.say = { _ in }
        let events = try DisplayPhases.use(on: display, quiet) { try $0.present() }
        let found = events.compactMap(\.change).filter {
            $0.level == .application && hook.condition.criteria.matches($0)
        }
        let notes =
            [subjects.absence(among: events)?.description].compactMap(\.self) + hook.partHints(among: found)
        let matching = found.filter { phases.contains($0.to) }
        let others = found.filter { !phases.contains($0.to) }
        // A command also runs for each name without a window, see `ClosedAtStart`.
        let seesClosed = phases.contains(nil) && hook.pair == nil
        let closed = subjects.names.filter { name in seesClosed && !found.contains(where: name.matches) }
        let present = (matching.isEmpty ? [] : [matching.present]) + closed.map { "\($0.text) (closed)" }
        let isIn = !present.isEmpty
        let reactsNow = isIn && hook.condition.initial && hook.after == .zero && hook.power == nil
        let waiting =
            found.isEmpty
            ? "waiting for one to start and \(phases.verbs)"
            : "waiting for \(subjects.text) to \(phases.verbs)"
        let text =
            if reactsNow {
                "reacting to \(present.joined(separator: ", ")); \(waiting)"
                    + (others.isEmpty ? "" : "; now: \(others.present)")
            } else if found.isEmpty {
                waiting
            } else {
                "\(waiting); now: \(found.present)"
            }
        let hint = "to react now, too, add --initial"
        return notes + [text.escapedForTerminal] + (isIn && !hook.condition.initial ? [hint] : [])
    }

    /// - Returns: nil if it is too early, or another owner is starting or ending.
    private static func lock(
        _ display: String, _ environment: Environment, from earliest: Duration
    ) throws -> InstanceLock? {
        if Clock.now() < earliest { return nil }
        do {
            return try InstanceLock(display: display, environment: environment)
        } catch {
            if Clock.now() > earliest + patience { throw error }
            return nil
        }
    }

    /// Prints what the service reports until it is gone. On a signal, asks the service to undo its work, and waits at
    /// most `patience` for that.
    ///
    /// - Returns: Whether the end was requested.
    private func relay(_ client: VarlinkClient) throws -> Bool {
        let loop = try EventLoop(
            display: client.connection.number, output: nil,
            signals: EventLoop.endingSignals + EventLoop.otherEndingSignals + [SIGCONT])
        log.join(loop)
        var end: Duration?
        var isOpen = true
        while true {
            while let text = try client.text() {
                if !text.isEmpty { log.say(text.escapedForTerminal) }
            }
            if !isOpen { return end != nil }
            loop.setTimer(end)
            switch try loop.wait() {
            case .display: isOpen = try client.read()
            // timeout(1) sends one behind the signal that ends it.
            case .signal(SIGCONT): if end == nil { log.say("continued") }
            // It sends that to the process and to its group.
            case .signal where end.map { Clock.now() < $0 - Self.patience + Self.repetition } ?? false: break
            case .signal, .timer:
                if end != nil {
                    log.say("the service has not undone everything: see 'xphase hooks status'")
                    return true
                }
                end = Clock.now() + Self.patience
                // The service undoes its work, and closes the connection.
                shutdown(client.connection.number, Int32(SHUT_WR))
            default: break
            }
        }
    }

    /// Runs commands, which freeze nothing.
    private func run(_ hook: Hook, _ introduction: [String], _ io: CommandIO) throws {
        var (hook, introduction) = (hook, introduction)
        try DisplayPhases.use(on: display, io) { phases in
            let (output, watcher) = (Log.standardOutput(isEscaped: false), phases.watcher)
            let context = context(io, watcher, output)
            for text in introduction { context.say(text) }
            // If it goes on without the service, what has begun does not begin again.
            introduction = []
            let sink = HookSink(LoadedHooks(hook), from: nil, record: nil, context)
            let seesClosed = hook.condition.initial && self.phases.contains(nil)
            let absent = seesClosed ? [ClosedAtStart(subjects.names, sink)] : []
            hook.condition.initial = false
            // Hooks see the processes of scenes only.
            try watch(sink, output) { try phases.run(into: [sink] + absent, withScenes: true) }
        }
    }

    /// Performs reactions as the owner of the display.
    private func own(_ hook: Hook, _ introduction: [String], _ io: CommandIO, _ lock: InstanceLock) throws {
        let reserved = ReservedDescriptors()
        let watcher = try OpenDisplay.watcher(io.options(on: display), io)
        let authority = KeptAuthority(io.environment)
        let output = Log.standardOutput(isEscaped: false)
        let context = context(io, watcher, output, reserved)
        for text in introduction { context.say(text) }
        let record = try UndoRecord(display: watcher.displayName, environment: io.environment)
        let sink = HookSink(LoadedHooks(hook), from: nil, record: record, context)
        let phases = PhasesInterface(watcher)
        let socket = try VarlinkServer(lock, [phases, sink], say: { context.say($0) })
        defer { socket.remove() }
        try watch(sink, output) {
            defer { socket.close() }
            return try watcher.watch(into: [phases, sink, socket])
        }
        withExtendedLifetime((lock, authority)) {}
    }

    private func context(
        _ io: CommandIO, _ watcher: PhaseWatcher?, _ output: Log,
        _ reserved: ReservedDescriptors = ReservedDescriptors()
    ) -> HookContext {
        HookContext(
            environment: io.environment, display: display, watcher: watcher, log: log,
            output: output, reserved: reserved)
    }

    /// Watches until a signal, which also goes to the running command, or another end.
    private func watch(_ sink: HookSink, _ output: Log, _ watch: () throws -> Int32?) throws {
        let result = Result(catching: watch)
        let signal = (try? result.get()) ?? nil
        signal.map(sink.passOn)
        try sink.finish(isAsked: signal != nil)
        _ = try result.get()
        try StandardOutput.check(output)
    }
}

/// A member that passes each name without a window at the start to a sink, as an application that is closed.
private final class ClosedAtStart: WatchMember {
    /// Empty after the start.
    private var names: [Pattern]
    private let sink: HookSink

    init(_ names: [Pattern], _ sink: HookSink) { (self.names, self.sink) = (names, sink) }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        let changes = events.compactMap(\.change)
        let absent = names.filter { name in !changes.contains(where: name.matches) }
        names = []
        var none: [Int?] = []
        sink.take(absent.map { .change(.absent($0.text, .initial, .start)) }, at: time, numbers: &none)
    }
}
