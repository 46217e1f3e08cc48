import ArgumentParser
import Console
import Hooks
import PhaseWatch
import System

/// The options of a reaction that no file defines.
struct ReactionOptions: ParsableArguments {
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
        let pair = Hook.Pair(
            phases: phases.phases, builtIns: Set(builtIns), except: exceptions.chosen, cap: cap)
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

extension BuiltIn: ExpressibleByArgument {}
extension Power: ExpressibleByArgument {}
extension ProcessorCap: ExpressibleByArgument {}

/// The exceptions that prevent a freeze and other reactions.
struct ExceptionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What prevents the reaction: audio, microphone, inhibit, selection, fullscreen; or none. (for freeze: audio, microphone, selection)",
            valueName: "exception"), completion: .list(Set<Exception>.words))
    var except: [String] = []

    func validate() throws {
        let faults = Set<Exception>.named(except).faults
        if !faults.isEmpty { throw ValidationError("--except: \(faults.joined(separator: "; "))") }
    }

    /// The chosen exceptions; nil for the usual ones.
    var chosen: Set<Exception>? { except.isEmpty ? nil : Set.named(except).values }
}
