import Console
import Glibc
import PhaseWatch
import System

/// The file of a recording. Ends the recording after a time or a failed write.
final class RecordingFile: WatchMember {
    private let path: SystemString
    private let descriptor: Int32
    private let length: Duration?
    private let hasTitles: Bool
    private var end: Duration?
    /// The number of bytes in complete lines.
    private var written: off_t = 0
    private(set) var failure: CommandFailure?

    /// - Throws: `CommandFailure`.
    init(_ path: SystemString, force: Bool, for length: Duration?, hasTitles: Bool) throws {
        (self.path, self.length, self.hasTitles) = (path, length, hasTitles)
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
                .output("write to '\(path)'", $0, "; what was written before is complete")
            }
            written += off_t(bytes.count)
        } catch {
            failure = error
            // A pipe cannot be truncated.
            _ = ftruncate(descriptor, written)
        }
    }

    var isDone: Bool { failure != nil || end.map { $0 <= Clock.now() } ?? false }
    var next: Duration? { end }
    var details: PhaseWatcher.Details { [.processes, .places, hasTitles ? .titles : []] }
    var endingSignals: [Int32] { EventLoop.otherEndingSignals }

    func join(_ loop: EventLoop) { end = length.map { Clock.now() + $0 } }
}
