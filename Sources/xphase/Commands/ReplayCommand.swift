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

    @OptionGroup var choice: ChoiceOptions

    @OptionGroup var rule: RuleOptions

    func run(_ io: CommandIO) throws {
        let sink = lines.sink(io, nil, choice)
        var options = PhaseMonitor.Options(details: sink.details)
        rule.apply(to: &options)
        let session = try RecordedSession(file, options)
        try session.visit { step in
            try sink.take(step.events, at: step.time)
            try sink.drain()
        }
    }
}

/// A replayed recording.
struct RecordedSession {
    private static let chunk = 1 << 16

    private let file: SystemString
    private let replay: Replay

    init(_ file: SystemString, _ options: PhaseMonitor.Options) throws {
        self.file = file
        let input = try Self.input(file)
        replay = try Self.located(file) { try Replay(options) { try Self.read(input.number, file) } }
        if let idle = options.idle, idle != replay.idle {
            let recorded = replay.idle.map { "has --idle \($0.text)" } ?? "has no idle times"
            throw CommandFailure.misuse(
                "the recording \(recorded): record it with --idle \(idle.text), or omit --idle")
        }
    }

    /// Calls `body` for each step. Visits all steps before a fault in the file, then throws.
    func visit(_ body: (Replay.Step) throws -> Void) throws {
        while let step = try Self.located(file, { try replay.next() }) { try body(step) }
    }

    /// Opens the recording: stdin for `-`, the output of gzip(1) for a compressed one.
    private static func input(_ file: SystemString) throws -> Descriptor {
        do throws(SystemError) {
            let stdin = try Descriptor("dup", fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
            if file == "-" { return stdin }
            let input = try Descriptor("open", open(file.cString, O_RDONLY | O_CLOEXEC | O_NOCTTY))
            var start: [UInt8] = [0, 0]
            // The first bytes of a file of gzip(1).
            guard pread(input.number, &start, 2, 0) == 2, start == [0x1F, 0x8B] else { return input }
            let pipe = try Descriptor.pipe()
            let errors = try Descriptor("dup", fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
            _ = try Spawn.start(
                ["gzip", "-dc"], environment: Environment.own.entries,
                descriptors: [input, pipe.writing, errors],
                directory: ".")
            return pipe.reading
        } catch {
            throw unreadable(file, error.code)
        }
    }

    private static func read(_ descriptor: Int32, _ file: SystemString) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count >= 0 { return Array(bytes[..<count]) }
            guard errno == EINTR || errno == EAGAIN else { throw unreadable(file, errno) }
            // The end of a pipe does not block.
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&state, 1, -1)
        }
    }

    private static func located<Value>(_ file: SystemString, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let fault as RecordingFault {
            throw CommandFailure(Exit.badData, "\(file):\(fault)")
        }
    }

    private static func unreadable(_ file: SystemString, _ code: Int32) -> CommandFailure {
        CommandFailure(Exit.badData, "cannot read '\(file)': \(String(cString: strerror(code)))")
    }
}
