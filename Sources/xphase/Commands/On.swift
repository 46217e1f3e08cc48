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
              xphase on Slack background --after 30s --do freeze --do mute
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var apps: [Pattern]

    @Argument(help: .phases, completion: .phases, transform: { try PhaseSet($0) })
    var phases: PhaseSet

    @OptionGroup var reaction: ReactionOptions

    @Option(help: .display)
    var display: String?

    @Argument(parsing: .postTerminator, help: "The command, after --.", completion: .file())
    var command: [SystemString] = []

    private var hook: Hook { reaction.hook(on: apps, phases, command) }

    func validate() throws {
        if reaction.builtIns.isEmpty && command.first?.isEmpty ?? true {
            throw ValidationError(
                "write the command after --: xphase on \(apps.text) \(phases.text) -- beep")
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
        let subjects = try Subjects(apps, on: display)
        hook.condition.criteria.application = try subjects.applications()
        LoadedHooks(hook).lacks(io.environment).forEach(io.say)
        if !ReactionLacks(io.environment).permit(hook) { throw CommandFailure(Exit.noDisplay) }
        try Holding(hook: hook, subjects: subjects, phases: phases, display: display).run(io)
    }
}
