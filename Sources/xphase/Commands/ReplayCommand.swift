import ArgumentParser
import CLinux
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
        io.sayReading("the recording", from: file)
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

/// The bytes of a recording: those of stdin for `-`, the output of gzip(1) for a compressed file.
private struct RecordingInput {
    private let file: SystemString
    private let descriptor: Descriptor

    /// - Throws: `CommandFailure`.
    init(_ file: SystemString) throws {
        self.file = file
        do throws(SystemError) {
            descriptor = try Self.open(file)
        } catch {
            throw Self.unreadable(file, error.code)
        }
    }

    private static func open(_ file: SystemString) throws(SystemError) -> Descriptor {
        let input =
            file == "-"
            ? try Descriptor("dup", fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
            : try Descriptor("open", Glibc.open(file.cString, O_RDONLY | O_CLOEXEC | O_NOCTTY))
        var start: [UInt8] = [0, 0]
        // The first bytes of a file of gzip(1). Those of a pipe are copied by tee(2), which leaves them in it.
        if pread(input.number, &start, 2, 0) < 0 {
            let copy = try Descriptor.pipe()
            if tee(input.number, copy.writing.number, 2, 0) == 2 {
                _ = Glibc.read(copy.reading.number, &start, 2)
            }
        }
        guard start == [0x1F, 0x8B] else { return input }
        let pipe = try Descriptor.pipe()
        let errors = try Descriptor("dup", fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
        _ = try Spawn.start(
            ["gzip", "-dc"], environment: Environment.own.entries,
            descriptors: [input, pipe.writing, errors], directory: ".")
        return pipe.reading
    }

    /// Returns the next bytes; none at the end.
    func read() throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            do throws(SystemError) {
                let count = try SystemError.check(
                    "read", Glibc.read(descriptor.number, &bytes, bytes.count))
                return Array(bytes[..<count])
            } catch {
                guard error.code == EAGAIN else { throw Self.unreadable(file, error.code) }
            }
            // The end of a pipe does not block.
            var state = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            poll(&state, 1, -1)
        }
    }

    private static func unreadable(_ file: SystemString, _ code: Int32) -> CommandFailure {
        CommandFailure(Exit.badData, "cannot read '\(file)': \(String(cString: strerror(code)))")
    }
}
