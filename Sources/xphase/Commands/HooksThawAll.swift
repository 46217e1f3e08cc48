import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksThawAll: ParsableCommand {
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

    func run() throws {
        let (done, faults, processes) = try HeldRecords(environment: .own).thawAll()
        // So that they know it. Nobody is waited for.
        try? ControlClient(environment: .own).tellAll(.thawed)
        for text in faults + HeldRecords.stillStopped(processes) { Diagnostics.say(text) }
        let lines = done.isEmpty ? ["nothing is frozen"] : done
        try StandardOutput.write(Array(lines.map { $0.escapedForTerminal + "\n" }.joined().utf8))
        if !faults.isEmpty { throw ExitCode(Exit.system) }
    }
}
