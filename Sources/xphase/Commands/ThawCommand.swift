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
            Hooks do not freeze these applications again until they next enter the background. Exits 0 even if \
            nothing was frozen, and 69 if no 'xphase run' serves the display.

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
    }

    func run(_ io: CommandIO) throws {
        guard all else {
            let applications = try Subjects(subject.names, on: io.servedDisplay(subject.display))
                .applications()
            return try io.write(
                lines: io.ask(subject.display, refusal: Exit.notFound) { try $0.thaw(applications) })
        }
        let (done, faults, processes) = try HeldRecords(environment: io.environment).thawAll()
        // Notify the running services. Do not wait for answers: one of them may hang.
        try? VarlinkClient.thawAll(io.environment)
        (faults + HeldRecords.stillStopped(processes)).forEach(io.say)
        try io.write(lines: done.isEmpty ? ["nothing is frozen"] : done)
        if !faults.isEmpty { throw CommandFailure(Exit.system) }
    }
}
