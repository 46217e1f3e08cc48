import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

struct On: Command {
    static let configuration = CommandConfiguration(
        command: "on",
        abstract: "Run a command whenever an application comes to a phase.",
        usage: """
            xphase on <application> <phase>[,<phase>] [options] -- <command> ...
            xphase on <application> background [options] --do freeze
            """,
        discussion: """
            The command is a hook that is written nowhere: it has the same environment, one runs at a time for \
            each application, and it gets its time limit. What it prints goes to stdout. Ctrl-C reaches it.

            With --do, xphase does by itself what xphase.toml(5) says, and undoes it when the phase is left, when \
            xphase ends, and after kill -9 with the next 'xphase on' with --do or 'xphase run'. What is frozen also goes \
            on when it is shown, focused, asked for or sent a message, and with 'xphase hooks thaw-all'. A running \
            'xphase run' does this for the command, by its own rules for phases; without one, the command does it \
            by itself.

            EXAMPLES
              xphase on firefox background --after 30s -- notify-send 'still there'
              xphase on 'libreoffice*' background -- git -C papers commit -qam saved
              xphase on Slack background --after 30s --do freeze --do mute
            """
    )

    @OptionGroup var awaited: PhaseArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only if it is still so after this time: 250ms, 30s.", valueName: "duration"),
        transform: Duration.argument)
    var after = Duration.zero

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long one run may take. (default: 30s)", valueName: "duration"),
        transform: Duration.argument)
    var timeout = Duration.seconds(30)

    @Option(
        name: .customLong("do"),
        help: ArgumentHelp(
            "In place of a command, what is built in: freeze, slow, idle, cap, mute, reclaim; several times for several.",
            valueName: "reaction"),
        completion: .list(BuiltIn.allCases.map(\.rawValue)), transform: { try BuiltIn(argument: $0) })
    var builtIns: [BuiltIn] = []

    @Option(
        help: ArgumentHelp(
            "With --do cap: the most that it gets of one processor, 1% to 10000%.", valueName: "percentage"))
    var cap: ProcessorCap?

    @Option(
        help: ArgumentHelp(
            "Not while: audio, microphone, inhibit, selection, fullscreen; or none. (freeze: audio, microphone, selection)",
            valueName: "exception"),
        completion: .list(Exception.words), transform: { try Exception.word($0) })
    var except: [String] = []

    @Flag(help: "Also if it is so at the start.")
    var initial = false

    @OptionGroup var rule: RuleOptions

    @Option(help: .display, transform: Arguments.text)
    var display: String?

    @Argument(parsing: .postTerminator, help: "The command, after --.", completion: .file())
    var command: [SystemString] = []

    func validate() throws {
        if timeout == .zero { throw ValidationError("--timeout must be longer than 0") }
        if !except.isEmpty {
            if builtIns.isEmpty { throw ValidationError("--except needs --do") }
            if except.contains(Exception.none) && except.count > 1 {
                throw ValidationError("--except none stands alone")
            }
        }
        if builtIns.contains(.cap) != (cap != nil) {
            throw ValidationError("--do cap and --cap go together: --do cap --cap 20%")
        }
        if !builtIns.isEmpty {
            if !command.isEmpty { throw ValidationError("--do stands in place of a command: leave one out") }
            let reasons = Hook.faults(
                in: Set(builtIns), while: awaited.phases.phases, level: .application,
                of: [awaited.application])
            if !reasons.isEmpty {
                let text = reasons.joined(separator: "; ")
                let phases = "while = \"background\" or [\"inactive\", \"background\"]"
                let words = "background or inactive,background"
                throw ValidationError("--do: \(text.replacing(phases, with: words))")
            }
        } else if command.first?.isEmpty ?? true {
            throw ValidationError(
                "write the command after --: xphase on \(awaited.application.text) \(awaited.phases.text) -- beep"
            )
        }
    }

    func run(_ io: CommandIO) throws {
        EventLoop.allowOutputInBackground()
        let environment = io.environment
        var hook = hook
        var loaded = LoadedHooks(hook)
        loaded.lacks(environment).forEach(io.say)
        if loaded.canDoNothing(environment) { throw CommandFailure(Exit.noDisplay) }
        if builtIns.isEmpty {
            try watch(loaded, environment, OpenDisplay.watcher(rule.options(on: display), io))
            return
        }
        let name = display ?? environment["DISPLAY"]?.description ?? ""
        (try? HeldRecords(environment: environment))?.thawAbandoned(serving: name).forEach(io.say)
        // What is frozen on a display has one owner: the service that runs there, else the first of these commands.
        var (earliest, latest) = (Clock.now(), Clock.now() + Self.patience)
        while true {
            do {
                guard let reaction = HeldReaction(hook) else { return }
                let client = try VarlinkClient(display: name, environment: environment)
                var lines = try HeldLines(client.hold(reaction))
                if try lines.relay() { return }
            } catch let failure as ServiceError where failure.mayPass {
                guard let lock = try Self.lock(name, environment, earliest...max(earliest, latest)) else {
                    usleep(100_000)
                    continue
                }
                if try own(loaded, io, lock) { return }
                // The service that has asked for the display needs a moment to take it.
                earliest = Clock.now() + .seconds(5)
            }
            // Another one is the owner now, or none: what was done here is undone.
            latest = Clock.now() + Self.patience
            var again = self.hook
            again.condition.initial = true
            (loaded, hook.condition.initial) = (LoadedHooks(again), true)
        }
    }

    /// How long an owner that cannot be reached is waited for.
    private static let patience = Duration.seconds(12)

    /// - Parameter time: When it is taken at the earliest, and until when one that begins or ends is waited for.
    /// - Returns: nil while it is not to be had.
    private static func lock(
        _ display: String, _ environment: Environment, _ time: ClosedRange<Duration>
    ) throws(ServiceError) -> InstanceLock? {
        if Clock.now() < time.lowerBound { return nil }
        do throws(ServiceError) {
            return try InstanceLock(display: display, environment: environment)
        } catch {
            if Clock.now() > time.upperBound { throw error }
            return nil
        }
    }

    /// Does it by itself.
    ///
    /// - Returns: false where a service has taken over.
    private func own(_ hooks: LoadedHooks, _ io: CommandIO, _ lock: InstanceLock) throws -> Bool {
        let watcher = try OpenDisplay.watcher(rule.options(on: display), io)
        let (name, environment) = (watcher.displayName, io.environment)
        defer { withExtendedLifetime(lock) {} }
        return try watch(
            hooks, environment, watcher, record: PairRecord(display: name, environment: environment))
    }

    /// - Parameter record: Where it owns what is frozen on the display; nil for commands, which freeze nothing.
    /// - Returns: false where a service has taken over.
    @discardableResult
    private func watch(
        _ hooks: LoadedHooks, _ environment: Environment, _ watcher: PhaseWatcher,
        record: PairRecord? = nil
    ) throws -> Bool {
        let output = Log.standardOutput
        let context = HookContext(
            home: environment.workingDirectory, environment: environment, display: display,
            watcher: watcher, log: .diagnostics, output: output)
        let sink = HookSink(hooks, from: nil, record: record, context)
        let phases = PhasesInterface(watcher)
        let interfaces: [any VarlinkInterface] = [phases, HooksInterface(sink)]
        let socket =
            record == nil
            ? nil : try VarlinkSocket(display: watcher.displayName, environment: environment, interfaces)
        let sinks: [(any Sink)?] = [phases, sink, socket]
        let result = Result { try watcher.run(into: sinks.compactMap(\.self)) }
        socket?.close()
        if case .success(.signal(let number)) = result { sink.passOn(number) }
        try sink.finish(isAsked: result.isBySignal)
        _ = try result.get()
        try StandardOutput.check(output)
        return !sink.hasYielded
    }

    private var hook: Hook {
        let exceptions = except.isEmpty ? nil : Set(except.compactMap { Exception(rawValue: $0) })
        let pair = Hook.Pair(
            phases: awaited.phases.phases, builtIns: Set(builtIns), except: exceptions, cap: cap)
        var hook = Hook(
            name: "on", reaction: builtIns.isEmpty ? .run(.arguments(command)) : .pair(pair))
        hook.condition.criteria = awaited.choice.criteria([awaited.application])
        if builtIns.isEmpty { hook.condition.to = awaited.phases.phases }
        hook.condition.initial = initial
        hook.after = after
        hook.timeout = timeout
        return hook
    }
}

extension BuiltIn {
    fileprivate init(argument: String) throws(CommandFailure) {
        guard let word = Self(rawValue: argument) else {
            throw .misuse("the reactions are \(Self.allCases.map(\.rawValue).offered(for: argument))")
        }
        self = word
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension ProcessorCap: @retroactive ExpressibleByArgument {}

extension Exception {
    fileprivate static let words = allCases.map(\.rawValue) + [none]

    fileprivate static func word(_ argument: String) throws(CommandFailure) -> String {
        if words.contains(argument) { return argument }
        throw .misuse("the exceptions are \(words.offered(for: argument))")
    }
}

extension [String] {
    /// All of them, and the one that may have been meant.
    func offered(for word: String) -> String {
        joined(separator: ", ") + (NearestWord.to(word, among: self).map { ": did you mean '\($0)'?" } ?? "")
    }
}
