import ArgumentParser
import Console
import PhaseWatch
import Service
import System

struct Wait: Command {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until an application is in a phase.",
        usage: """
            xphase wait <app>[,<app>] <phase>[,<phase>] [options]
            xphase wait --sync [options]
            """,
        discussion: """
            Returns at once if the application is in one of the phases. Exits 1 if no such application is running \
            (unless --appear is given) or it closes first, and 124 after --timeout.

            With --sync, waits until 'xphase run' has reported every change so far. Exits 69 if none serves the \
            display.

            EXAMPLES
              xphase wait mpv background --timeout 10m && systemctl suspend
              xphase wait --appear firefox active,inactive
              wmctrl -a firefox; xphase wait --sync; xphase hooks status
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var app: [Pattern]?

    @Argument(help: .phases, completion: .phases, transform: { try PhaseSet($0) })
    var phases: PhaseSet?

    @Flag(help: "Also wait for an application that is not running yet.")
    var appear = false

    @Flag(help: "Wait until 'xphase run' has reported every change so far.")
    var sync = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to wait, e.g. 250ms, 30s, 5m. (default: forever)", valueName: "duration"),
        transform: Duration.argument)
    var timeout: Duration?

    @Option(help: .display)
    var display: String?

    func validate() throws {
        if sync && (app != nil || appear) { throw ValidationError("--sync takes no application") }
        if !sync && phases == nil {
            let missing = app == nil ? "<app>" : "<phase,…>"
            throw ValidationError("Missing expected argument '\(missing)'")
        }
    }

    func run(_ io: CommandIO) throws {
        if sync {
            do {
                return try io.ask(display, patience: timeout ?? .seconds(60)) { try $0.sync() }
            } catch ServiceError.silent {
                throw CommandFailure(Exit.timedOut, "timed out: not every change has been reported")
            }
        }
        guard let app, let phases else { return }
        let limit = timeout.map { Clock.now() + $0 }
        let (result, signal) = try DisplayPhases.use(on: display, io, within: timeout) { display in
            let subjects = try Subjects(app, on: display.displayName)
            let wait = PhaseWait(subjects, phases, awaitsStart: appear, until: limit, say: io.say)
            let signal = try display.run(into: [wait], withScenes: subjects.levels.contains(.scene))
            return (wait.result, signal)
        }
        if let result { return try result.get() }
        // A signal arrived before the phase.
        if let signal { throw CommandFailure(128 + signal) }
    }
}
