import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksFire: Command {
    static let configuration = CommandConfiguration(
        command: "fire",
        abstract: "Run one hook by hand, as if an application had come to a phase.",
        usage: "xphase hooks fire <name> --application <application> --to <phase> [options]",
        discussion: """
            The hook runs at once, with the environment it would have, and what it prints goes to stdout. Of \
            a pair, 'enter' runs if the phase is one of its own, and 'leave' if it is not; nothing is owed for it, \
            and so nothing is frozen.

            EXAMPLES
              xphase hooks fire 'pause the player' --application mpv --to background
            """
    )

    @Argument(
        help: ArgumentHelp("The name of the hook.", valueName: "name"), completion: .hook,
        transform: Arguments.text)
    var name: String

    @Option(
        help: ArgumentHelp(
            "A pattern for the class name or instance name; the name itself for one that is not there.",
            valueName: "application"), completion: .application, transform: Arguments.pattern)
    var application: Pattern

    @Option(help: ArgumentHelp("active, inactive or background.", valueName: "phase"))
    var to: ScenePhase

    @OptionGroup var options: HooksOptions

    func run(_ io: CommandIO) throws {
        let loaded = try LoadedHooks.load(options.locations(io))
        let hook = try find(in: loaded.hooks)
        if case .pair(let pair) = hook.reaction, pair.enter == nil {
            throw CommandFailure.misuse(
                "hook '\(name)' runs no program: what is built in is done and undone by 'xphase run' alone"
                    .escapedForTerminal)
        }
        let present = try options.present(loaded.configuration, io)
        let change = try change(for: hook, among: present, io)
        if !hook.matches(change) {
            io.say("by itself, the hook would not run for this")
        }
        let output = Log.escapedOutput
        let environment = io.environment
        let context = HookContext(
            home: environment.workingDirectory, environment: environment, display: options.display,
            log: .diagnostics,
            output: output)
        let hasSucceeded = try hook.runByHand(for: change, among: present, context)
        try StandardOutput.check(output)
        if !hasSucceeded { throw CommandFailure(Exit.notFound) }
    }

    private func find(in hooks: [Hook]) throws -> Hook {
        if let hook = hooks.first(where: { $0.name == name }) { return hook }
        throw CommandFailure.misuse(Hook.refusal(of: name, among: hooks.map(\.name)))
    }

    private func change(for hook: Hook, among present: [Change], _ io: CommandIO) throws -> Change {
        let there = present.filter { $0.level == hook.condition.level && application.matches($0) }
        if let found = there.first(where: hook.condition.concerns) ?? there.first {
            return hook.change(to: to, of: found)
        }
        guard hook.condition.level == .application else {
            throw CommandFailure.notFound(
                "no \(hook.condition.level) of '\(application.text.escapedForTerminal)' is on this display")
        }
        io.say("'\(application.text)' is not on this display: there is no process to tell of")
        return hook.change(to: to, of: .absent(application.text))
    }
}

extension Hook {
    /// Whether a change would make the hook run, enter or leave.
    fileprivate func matches(_ change: Change) -> Bool {
        guard case .pair = reaction else { return condition.matches(change) }
        return condition.concerns(change)
    }

    /// A change from the present phase to another, with a cause that the hook reacts to.
    fileprivate func change(to phase: ScenePhase, of found: Change) -> Change {
        var change = found
        let others = condition.from.sorted() + ScenePhase.allCases.reversed()
        (change.kind, change.to) = (.phase, phase)
        change.from = found.to == phase ? others.first { $0 != phase } : found.to
        change.cause =
            Cause.allCases.first(where: condition.cause.contains)
            ?? (phase == .background ? .iconify : phase == .active ? .focus : .blur)
        change.held = .zero
        return change
    }
}

extension Change {
    /// A change of an application without windows.
    fileprivate static func absent(_ application: String) -> Change {
        Change(
            kind: .phase, application: application, group: nil,
            subject: .application(Members(counts: Counts(), pids: [], groups: [])),
            from: nil, to: nil, cause: .open, held: nil)
    }
}

// The library is of this package.
// swift-format-ignore: AvoidRetroactiveConformances
extension ScenePhase: @retroactive ExpressibleByArgument {}
