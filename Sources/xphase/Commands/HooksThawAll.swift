import ArgumentParser
import Service

struct HooksThawAll: Command {
    static let configuration = CommandConfiguration(
        command: "thaw-all",
        abstract: "Let everything go on that hooks have frozen, on all displays.",
        usage: "xphase hooks thaw-all",
        discussion: """
            It needs neither a display nor a running 'xphase run', only the record of what was frozen: for whoever \
            sits before a desktop that does not answer, on another virtual terminal. An 'xphase run' that runs \
            freezes an application again when that comes to the background the next time.
            """
    )

    func run(_ io: CommandIO) throws {
        let (done, faults, processes) = try HeldRecords(environment: io.environment).thawAll()
        // So that they know it. Nobody is waited for.
        try? VarlinkClient.thawAll(io.environment)
        (faults + HeldRecords.stillStopped(processes)).forEach(io.say)
        try io.write(lines: done.isEmpty ? ["nothing is frozen"] : done)
        if !faults.isEmpty { throw CommandFailure(Exit.system) }
    }
}
