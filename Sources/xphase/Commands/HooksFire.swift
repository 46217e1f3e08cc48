import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksFire: Command {
    static let configuration = CommandConfiguration(
        commandName: "fire",
        abstract: "Run a hook now, as if an application entered a phase.",
        discussion: """
            The hook runs at once with its usual environment; its output goes to stdout. Of a pair, 'enter' runs if \
            <phase> is one of its phases, otherwise 'leave'. For built-in reactions, try 'xphase freeze --for 10s'. \
            The application need not be running. Exits 1 if the hook fails, or has nothing to act on.

            EXAMPLES
              xphase hooks fire pause-the-player mpv background
            """
    )

    @Argument(help: .hook, completion: .hook)
    var name: String

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var apps: [Pattern]

    @Argument(help: ArgumentHelp("The phase that it enters, or closed.", valueName: "phase"))
    var phase: PhaseOrClosed

    func run(_ io: CommandIO) throws {
        let loaded = try LoadedHooks(io.locations(of: io.askIfServed { try $0.status() }))
        guard let hook = loaded.hooks.first(where: { $0.name == name }) else {
            throw CommandFailure.misuse(Hook.refusal(of: name, among: loaded.hooks.map(\.name)))
        }
        if hook.program(of: .enter) == nil && hook.program(of: .leave) == nil {
            throw CommandFailure.notFound(
                "hook '\(name)' has no commands: try 'xphase freeze \(apps.text) --for 10s'"
                    .escapedForTerminal)
        }
        let present = try io.present(under: loaded.configuration)
        let applications = try Subjects(apps, on: nil).applications()
        let change = hook.change(to: phase, of: try subject(of: hook, applications, among: present, io))
        if !hook.reacts(to: change) {
            io.say("this change does not match the hook; running it anyway")
        }
        let output = Log.standardOutput(isEscaped: true)
        let context = HookContext(
            environment: io.environment, display: try? io.servedDisplay(), log: .diagnostics, output: output)
        let hasSucceeded = try hook.runByHand(for: change, among: present, context)
        try StandardOutput.check(output)
        if !hasSucceeded { throw CommandFailure(Exit.notFound) }
    }

    /// Returns what the hook is run for; an application without windows if it is not on the display.
    private func subject(
        of hook: Hook, _ applications: [Pattern], among present: [Change], _ io: CommandIO
    ) throws -> Change {
        let level = hook.condition.changes
        let there = present.filter { change in
            change.level == level && applications.contains { $0.matches(change) }
        }
        if let found = there.first(where: hook.condition.concerns) ?? there.first { return found }
        guard level == .application else {
            throw CommandFailure.notFound(
                "no \(level) of '\(apps.text.escapedForTerminal)' is on this display")
        }
        io.say("'\(apps.text)' is not on this display: the hook gets no process")
        return .absent(apps[0], .phase, .open)
    }
}
