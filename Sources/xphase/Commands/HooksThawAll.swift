import ArgumentParser
import Service

struct HooksThawAll: Command {
    static let configuration = CommandConfiguration(
        command: "thaw-all",
        abstract: "Thaw everything that is frozen, on all displays.",
        usage: "xphase hooks thaw-all",
        discussion: """
            Also thaws what was frozen by hand. Needs neither a display nor a running 'xphase run', only the record \
            of what is frozen: use it from another virtual terminal if the desktop does not respond. A running \
            'xphase run' freezes an application again when it next enters the background.
            """
    )

    func run(_ io: CommandIO) throws {
        let (done, faults, processes) = try HeldRecords(environment: io.environment).thawAll()
        // Notify the running services. Do not wait for answers.
        try? VarlinkClient.thawAll(io.environment)
        (faults + HeldRecords.stillStopped(processes)).forEach(io.say)
        try io.write(lines: done.isEmpty ? ["nothing is frozen"] : done)
        if !faults.isEmpty { throw CommandFailure(Exit.system) }
    }
}
