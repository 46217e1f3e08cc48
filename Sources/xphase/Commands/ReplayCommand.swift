import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Recording
import System

struct ReplayCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Print the changes in a recording.",
        usage: "xphase replay <file>|- [options]",
        discussion: """
            Needs no X server and runs nothing. The same file and options always print the same output.

            EXAMPLES
              xphase replay problem.jsonl
              xphase replay problem.jsonl --policy visible --level scene --json
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The recording, which may be compressed by gzip; - is standard input.", valueName: "file"),
        completion: .file())
    var file: SystemString

    @OptionGroup var lines: LineOptions

    @Flag(help: .titles)
    var titles = false

    @OptionGroup var rule: RuleOptions

    func run(_ io: CommandIO) throws {
        let sink = lines.sink(io, titles: titles)
        var options = PhaseMonitor.Options(details: sink.details)
        rule.apply(to: &options)
        let input = try RecordingInput(file)
        do {
            let replay = try Replay(options) { try input.read() }
            if let idle = options.idle, idle != replay.idle {
                let recorded =
                    replay.idle.map { "--idle \($0.text)" } ?? "no idle times (record --idle \(idle.text))"
                throw CommandFailure.misuse(
                    "the recording has \(recorded), so --idle \(idle.text) cannot be computed from it")
            }
            // All lines before a fault in the file are printed.
            while let step = try replay.next() {
                try sink.take(step.events, at: step.time)
                try sink.drain()
            }
        } catch let fault as RecordingFault {
            throw CommandFailure(Exit.badData, "\(file):\(fault)")
        }
    }
}
