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
        abstract: "Run a command whenever an application enters a phase.",
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
              xphase on Slack background --after 30s --do freeze --do mute
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var apps: [Pattern]

    @Argument(help: .phases, completion: .phases, transform: { try PhaseSet($0) })
    var phases: PhaseSet

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
        help: ArgumentHelp("A built-in reaction instead of a command; repeatable.", valueName: "reaction"))
    var builtIns: [BuiltIn] = []

    @Option(
        help: ArgumentHelp(
            "For --do cap: the limit, 1% to 10000% of one processor.", valueName: "percentage"))
    var cap: ProcessorCap?

    @OptionGroup var exceptions: ExceptionOptions

    @Option(
        help: ArgumentHelp("React only on this power supply.", valueName: "supply"))
    var power: Power?

    @Flag(help: "Also react if it is in the phase at the start.")
    var initial = false

    @Option(help: .display)
    var display: String?

    @Argument(parsing: .postTerminator, help: "The command, after --.", completion: .file())
    var command: [SystemString] = []

    func validate() throws {
        if builtIns.isEmpty && !exceptions.except.isEmpty { throw ValidationError("--except needs --do") }
        if builtIns.contains(.cap) != (cap != nil) {
            throw ValidationError("--do cap and --cap go together: --do cap --cap 20%")
        }
        if !builtIns.isEmpty {
            if timeout != nil { throw ValidationError("--timeout is for commands: --do has none") }
            if !command.isEmpty { throw ValidationError("use either --do or a command") }
            let reasons = hook.reactionFaults
            if !reasons.isEmpty {
                let text = reasons.joined(separator: "; ")
                let keys = "while = \"background\" or [\"inactive\", \"background\"]"
                let words = "background or inactive,background"
                throw ValidationError("--do: \(text.replacing(keys, with: words))")
            }
        } else if command.first?.isEmpty ?? true {
            throw ValidationError(
                "write the command after --: xphase on \(apps.text) \(phases.text) -- beep"
            )
        }
    }

    func run(_ io: CommandIO) throws {
        EventLoop.allowOutputInBackground()
        var hook = hook
        hook.condition.criteria.application = try Subjects(apps, on: display).applications()
        let loaded = LoadedHooks(hook)
        loaded.lacks(io.environment).forEach(io.say)
        if !ReactionLacks(io.environment).permit(hook) { throw CommandFailure(Exit.noDisplay) }
        let holding = try Holding(hook: hook, display: display, introduction: introduction(hook, io))
        try holding.run(io)
    }

    /// Returns lines about the awaited applications and phases, and the matching applications on the display.
    private func introduction(_ hook: Hook, _ io: CommandIO) throws -> [String] {
        let criteria = hook.condition.criteria
        // The watch itself reports what the display does not show.
        var quiet = io
        quiet.say = { _ in }
        let changes = try DisplayPhases(on: display, quiet).present().compactMap(\.change)
        let found = changes.filter { $0.level == .application && criteria.matches($0) }
        if found.isEmpty {
            return [
                CommandFailure.noApplication(apps.text, among: changes).description,
                "waiting for one to start and enter \(phases.words)",
            ]
        }
        let present = found.map { "\($0.application) (\($0.to?.rawValue ?? ""))" }.joined(separator: ", ")
        let text = "waiting for \(apps.text) to enter \(phases.words); now: \(present)"
        return [text.escapedForTerminal]
    }

    private var hook: Hook {
        let pair = Hook.Pair(
            phases: phases.phases, builtIns: Set(builtIns), except: exceptions.chosen, cap: cap)
        var hook = Hook(
            name: "on", reaction: builtIns.isEmpty ? .run(.arguments(command)) : .pair(pair))
        hook.condition.criteria.application = apps
        if builtIns.isEmpty { hook.condition.to = phases.phases }
        hook.condition.initial = initial
        hook.after = after
        hook.power = power
        hook.timeout = timeout ?? hook.timeout
        return hook
    }
}

extension BuiltIn: ExpressibleByArgument {}
extension Power: ExpressibleByArgument {}
extension ProcessorCap: ExpressibleByArgument {}

/// The exceptions that prevent a freeze and other reactions.
struct ExceptionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Do not react while it uses audio, microphone, inhibit, selection, fullscreen; or none. (for freeze: audio, microphone, selection)",
            valueName: "exception"), completion: .list(Set<Exception>.words))
    var except: [String] = []

    func validate() throws {
        let faults = Set<Exception>.named(except).faults
        if !faults.isEmpty { throw ValidationError("--except: \(faults.joined(separator: "; "))") }
    }

    /// The chosen exceptions; nil for the usual ones.
    var chosen: Set<Exception>? { except.isEmpty ? nil : Set.named(except).values }
}
