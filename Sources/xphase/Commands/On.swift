import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch

struct On: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Run a command whenever an application comes to a phase.",
        usage: "xphase on <application> <phase>[,<phase>] [options] -- <command> ...",
        discussion: """
            The command is a hook that is written nowhere: it has the same environment, one runs at a time for \
            each application, and it gets its time limit. What it prints goes to stdout. Ctrl-C reaches it.

            EXAMPLES
              xphase on firefox background --after 30s -- notify-send 'still there'
              xphase on 'libreoffice*' background -- git -C papers commit -qam saved
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

    @Flag(help: "Also if it is so at the start.")
    var initial = false

    @OptionGroup var options: DisplayOptions

    @Argument(parsing: .postTerminator, help: "The command, behind --.", completion: .file())
    var command: [SystemString] = []

    func validate() throws {
        if timeout == .zero { throw ValidationError("--timeout must be longer than 0") }
        if command.first?.isEmpty ?? true {
            throw ValidationError(
                "write the command behind --: xphase on \(awaited.application.text) active -- beep")
        }
    }

    func run() throws {
        let watcher = try OpenDisplay.watcher(options.watchOptions)
        let output = Log.standardOutput
        let environment = Environment.own
        let context = HookContext(
            home: environment.workingDirectory, environment: environment, display: options.display,
            log: .diagnostics,
            output: output)
        let reactor = HookReactor(
            LoadedHooks(hook), from: nil, record: nil, context)
        let result = Result { try watcher.run(into: NoSink(), reactor: reactor) }
        if case .success(.signal(let number)) = result { reactor.passOn(number) }
        try reactor.finish()
        _ = try result.get()
        try StandardOutput.check(output)
    }

    private var hook: Hook {
        var hook = Hook(name: "on", reaction: .run(.arguments(command)))
        hook.condition.criteria = awaited.choice.criteria([awaited.application])
        hook.condition.to = awaited.phases.phases
        hook.condition.initial = initial
        hook.after = after
        hook.timeout = timeout
        return hook
    }
}
