import ArgumentParser
import Console
import Glibc
import PhaseWatch
import Service
import System

struct ThawCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "thaw",
        abstract: "Thaw applications frozen by hand or by hooks.",
        usage: "xphase thaw <app…>|--all [options]",
        discussion: """
            Hooks do not freeze these applications again until their phase begins anew. Exits 0 even if \
            none was frozen, 1 if none matches, and 69 if no 'xphase run' serves the display.

            With --all, thaws everything on all displays. This needs neither a display nor a running 'xphase run', \
            only the record of what is frozen: use it from another virtual terminal if the desktop does not respond.

            EXAMPLES
              xphase thaw Slack
              xphase thaw --all
            """
    )

    @Flag(help: "Thaw everything on all displays.")
    var all = false

    @OptionGroup var subject: SubjectOptions

    func validate() throws {
        if all != subject.names.isEmpty { throw ValidationError("use either '<app>' or --all") }
        if all && subject.display != nil { throw ValidationError("--all thaws on all displays") }
    }

    func run(_ io: CommandIO) throws {
        guard all else {
            let display = try io.servedDisplay(subject.display)
            let subjects = try Subjects(subject.names, on: display)
            let applications = try subjects.applications()
            let texts = try io.ask(display, refusal: Exit.notFound) { try $0.thaw(applications) }
            if texts == [HookSink.nothingFrozen] {
                let phases = try ServedPhases(display: display, environment: io.environment)
                if let failure = try subjects.absence(among: phases.present()) { throw failure }
            }
            return try io.write(lines: texts)
        }
        // First the services, which need no disk: that of the records may hang.
        let served = (try? VarlinkClient.thawAll(io.environment)) ?? HeldRecords.Thawed()
        try io.write(lines: served.done)
        let recorded = try Self.thawRecorded(io.environment)
        let faults = served.faults + recorded.faults
        (faults + HeldRecords.stillStopped(recorded.processes)).forEach(io.say)
        let isNothing = served.done.isEmpty && recorded.done.isEmpty
        try io.write(lines: isNothing ? [HookSink.nothingFrozen] : recorded.done)
        if !faults.isEmpty { throw CommandFailure(Exit.system) }
    }

    private static let patience = Duration.seconds(3)

    /// Thaws what the records name, unless their disk does not answer.
    private static func thawRecorded(_ environment: Environment) throws -> HeldRecords.Thawed {
        let disk = try DiskThread<Result<HeldRecords.Thawed, SystemError>>()
        disk.submit {
            Result { () throws(SystemError) in try HeldRecords(environment: environment).thawAll() }
        }
        disk.finish(within: patience)
        if let thawed = disk.takeAnswers().first { return try thawed.get() }
        throw CommandFailure(
            Exit.system,
            "'\(try environment.stateDirectory())' does not answer: what a killed 'xphase run' has left frozen stays so"
        )
    }
}
