import ArgumentParser
import CLinux
import Console
import Glibc
import Hooks
import PhaseWatch
import Recording
import Service
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
        let watcher = try OpenDisplay.watcher(options, io)
        let recording = try RecordingFile(file, force: force, for: length, hasTitles: titles)
        var header = RecordingHeader()
        header.program = String(cString: xphase_version())
        header.isRedacted = redact
        header.idle = idle.map { Int($0.milliseconds) }
        watcher.record(header) { recording.write($0) }
        let result = Result { try watcher.watch(into: [recording]) }
        watcher.endRecording()
        if recording.hasReadNothing { throw MonitorFailure.displaySilent(watcher.displayName) }
        if let failure = recording.failure { throw failure }
        _ = try result.get()
    }
}

/// The file of a recording. Ends the recording after a time or a failed write.
private final class RecordingFile: WatchMember {
    /// The time that the server has for the first reading, even of a shorter recording.
    private static let timeToStart = Duration.seconds(10)

    private let path: SystemString
    private let descriptor: Int32
    private let length: Duration?
    private let hasTitles: Bool
    private var end: Duration?
    /// When to give up on a server that has not reported its windows, if the recording has a length.
    private let latestStart: Duration?
    private var hasBegun = false
    /// The number of bytes in complete lines.
    private var written: off_t = 0
    private(set) var failure: CommandFailure?

    /// - Throws: `CommandFailure`.
    init(_ path: SystemString, force: Bool, for length: Duration?, hasTitles: Bool) throws {
        (self.path, self.length, self.hasTitles) = (path, length, hasTitles)
        latestStart = length.map { Clock.now() + max($0, Self.timeToStart) }
        descriptor = try OutputFile.open(path, mode: 0o600, force: force)
    }

    deinit {
        close(descriptor)
    }

    /// Writes whole lines. If that fails, no incomplete line remains in the file.
    func write(_ bytes: [UInt8]) {
        if failure != nil { return }
        do throws(CommandFailure) {
            try StandardOutput.write(bytes, to: descriptor) {
                path == "-"
                    ? .output($0) : .output("write to '\(path)'", $0, "; what was written before is complete")
            }
            written += off_t(bytes.count)
        } catch {
            failure = error
            // A pipe cannot be truncated.
            _ = ftruncate(descriptor, written)
        }
    }

    /// A reader of stdout that is gone ends the recording.
    var output: Int32? { path == "-" ? descriptor : nil }
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
