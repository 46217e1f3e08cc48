import ArgumentParser
import CLinux
import Console
import Glibc
import Hooks
import PhaseWatch
import Recording
import Service
import Synchronization
import System

struct Record: Command {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record what xphase reads, for replay and bug reports.",
        usage: "xphase record <file>|- [options]",
        discussion: """
            Records facts with their times, not phases: windows, their classes and geometry, the focus, the session. \
            Ends at Ctrl-C or after --for. Without --titles, only titles of windows without a class are read.

            EXAMPLES
              xphase record --redact --for 1m problem.jsonl
              xphase record - | gzip > problem.jsonl.gz
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The file to write; - is standard output. It must not exist, unless --force is given.",
            valueName: "file"),
        completion: .file())
    var file: SystemString

    @Flag(help: .force)
    var force = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long to record, e.g. 30s, 5m. (default: until Ctrl-C)", valueName: "duration"),
        transform: Duration.argument)
    var length: Duration?

    @Flag(help: "Replace titles, classes, roles, desktop and program names by placeholders.")
    var redact = false

    @Flag(help: "Read the titles of all windows, for 'xphase replay --titles'.")
    var titles = false

    @Option(
        help: ArgumentHelp(
            "Also record idle periods of this length, for 'xphase replay --idle'.",
            valueName: "duration"), transform: Duration.positive)
    var idle: Duration?

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        // The watcher reads which windows are covered only if an occlusion time is set.
        let options = PhaseMonitor.Options(occlusion: .seconds(2), idle: idle, display: display)
        try io.logging { io, log in
            let watcher = try OpenDisplay.watcher(options, io)
            let recording = try RecordingSink(file, force: force, for: length, hasTitles: titles)
            var header = RecordingHeader()
            header.program = String(cString: xphase_version())
            header.isRedacted = redact
            header.idle = idle.map { Int($0.milliseconds) }
            watcher.record(header) { recording.write($0) }
            let result = Result { try watcher.watch(into: [recording, log]) }
            watcher.endRecording()
            recording.finish()
            if recording.hasReadNothing { throw MonitorFailure.displaySilent(watcher.displayName) }
            if let failure = recording.failure { throw failure }
            _ = try result.get()
        }
    }
}

/// A sink that writes a recording. Ends it after a time or a failed write.
///
/// A thread writes to the file: neither a reader that does not read nor a disk that does not answer holds up the loop.
private final class RecordingSink: WatchMember {
    /// The time that the server has for the first reading, even of a shorter recording.
    private static let timeToStart = Duration.seconds(10)
    /// The time for the last lines.
    private static let patience = Duration.seconds(3)
    /// The number of bytes from which on the reader or the disk is too slow. No line can be dropped.
    private static let bound = 64 << 20

    private let file: RecordingFile
    private let disk: DiskQueue<CommandFailure>
    private let length: Duration?
    private let hasTitles: Bool
    private var end: Duration?
    /// When to give up on a server that has not reported its windows, if the recording has a length.
    private let latestStart: Duration?
    private var hasBegun = false
    private(set) var failure: CommandFailure?

    /// - Throws: `CommandFailure`, `SystemError`.
    init(_ path: SystemString, force: Bool, for length: Duration?, hasTitles: Bool) throws {
        self.length = length
        self.hasTitles = hasTitles
        latestStart = length.map { Clock.now() + max($0, Self.timeToStart) }
        file = try RecordingFile(path, force: force)
        disk = try DiskQueue()
    }

    func join(_ loop: EventLoop) {
        loop.watch(disk.answers.number) { [unowned self] in takeFailure() }
    }

    /// Writes whole lines.
    func write(_ bytes: [UInt8]) {
        if failure != nil { return }
        if file.add(bytes.count) > Self.bound {
            failure = file.lack
        } else {
            disk.submit { [file] in file.write(bytes) }
        }
    }

    private func takeFailure() { failure = failure ?? disk.takeAnswers().first }

    /// Waits for the last lines, for at most three seconds. Must be the last call.
    func finish() {
        disk.finish(within: Self.patience)
        takeFailure()
        if disk.isBusy { failure = failure ?? file.lack }
    }

    /// A reader of stdout that is gone ends the recording.
    var output: Int32? { file.isStandardOutput ? file.descriptor.number : nil }
    var isDone: Bool { failure != nil || next.map { $0 <= Clock.now() } ?? false }
    var next: Duration? { hasBegun ? end : latestStart }
    /// Whether the recording has ended because the server did not answer.
    var hasReadNothing: Bool { failure == nil && !hasBegun && isDone }
    var details: PhaseWatcher.Details { [.processes, .locations, hasTitles ? .titles : []] }
    var endingSignals: [Int32] { EventLoop.otherEndingSignals }

    /// The time counts from the first reading of the display.
    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        if hasBegun { return }
        hasBegun = true
        end = length.map { Clock.now() + $0 }
    }
}

/// The file of a recording. One thread writes it, and another adds what is to be written.
private final class RecordingFile: Sendable {
    private struct State {
        /// The number of bytes that wait to be written.
        var waiting = 0
        /// The number of bytes in complete lines.
        var written: off_t = 0
        var hasFailed = false
    }

    let descriptor: Descriptor
    let isStandardOutput: Bool
    private let path: SystemString
    private let state = Mutex(State())

    /// - Throws: `CommandFailure`, `SystemError`.
    init(_ path: SystemString, force: Bool) throws {
        self.path = path
        isStandardOutput = path == "-"
        let number = try OutputFile.open(path, mode: 0o600, force: force)
        descriptor = try Descriptor("open", number)
    }

    /// The failure if not all lines were written in time.
    var lack: CommandFailure {
        CommandFailure(
            Exit.outputFailed,
            isStandardOutput
                ? "standard output lacks the last lines: its reader is too slow"
                : "'\(path)' lacks the last lines: its disk is too slow".escapedForTerminal)
    }

    /// Counts bytes that are to be written, and returns how many are.
    func add(_ count: Int) -> Int {
        state.withLock { state in
            state.waiting += count
            return state.waiting
        }
    }

    /// Writes whole lines. If that fails, no incomplete line remains in the file, and nothing more is written.
    func write(_ bytes: [UInt8]) -> CommandFailure? {
        if state.withLock({ $0.hasFailed }) { return nil }
        do throws(CommandFailure) {
            try StandardOutput.write(bytes, to: descriptor.number) {
                isStandardOutput
                    ? .output($0) : .output("write to '\(path)'", $0, "; what was written before is complete")
            }
            state.withLock { state in
                state.waiting -= bytes.count
                state.written += off_t(bytes.count)
            }
            return nil
        } catch {
            let written = state.withLock { state in
                state.hasFailed = true
                return state.written
            }
            // A pipe cannot be truncated.
            _ = ftruncate(descriptor.number, written)
            return error
        }
    }
}
