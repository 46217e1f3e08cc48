import Glibc
import Synchronization
import System

/// A pipe in place of a standard output that is a file, and a thread that copies what is written to the file: its disk may
/// not answer, and what is frozen must not wait for it.
final class CopiedOutput {
    private final class Copy: Sendable {
        /// errno of a failed write; 0 if none has failed.
        let failure = Mutex<Int32>(0)
        let isOver = Mutex(false)

        func run(_ pipe: Descriptor, _ file: Int32, signalling end: Descriptor) {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            do throws(SystemError) {
                while true {
                    let count = try SystemError.check("read", read(pipe.number, &bytes, bytes.count))
                    if count == 0 { break }
                    var rest = bytes[..<count]
                    while !rest.isEmpty {
                        let written = try SystemError.check(
                            "write", rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) })
                        rest = rest.dropFirst(written)
                    }
                }
            } catch {
                failure.withLock { $0 = error.code }
            }
            isOver.withLock { $0 = true }
            // Closed at the end of the thread.
            withExtendedLifetime((pipe, end)) {}
        }
    }

    /// How long the end waits for the disk.
    private static let patience = Duration.seconds(3)

    private let copy = Copy()
    private var writing: Descriptor?
    /// Readable once the thread has ended.
    private let end: Descriptor
    /// What takes the place of the file.
    let descriptor: Int32

    /// - Returns: nil if the descriptor is not that of a file.
    /// - Throws: `SystemError` if no thread can be started.
    init?(of file: Int32 = STDOUT_FILENO) throws(SystemError) {
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        let (reading, writing) = try Descriptor.pipe()
        _ = fcntl(reading.number, F_SETFL, 0)
        let (end, signal) = try Descriptor.pipe()
        (self.writing, self.end, descriptor) = (writing, end, writing.number)
        try DetachedThread.start { [copy] in copy.run(reading, file, signalling: signal) }
    }

    /// Writes the lines that wait, for at most three seconds, and ends the thread. Must be the last call.
    ///
    /// - Throws: `CommandFailure` if the file does not have all lines.
    func finish(_ lines: LineSink) throws(CommandFailure) {
        let deadline = Clock.now() + Self.patience
        while lines.hasBacklog, wait(for: POLLOUT, of: descriptor, until: deadline) {
            guard (try? lines.flush()) != nil else { break }
        }
        writing = nil
        _ = wait(for: POLLIN, of: end.number, until: deadline)
        let failure = copy.failure.withLock { $0 }
        if failure != 0 { throw .output(failure) }
        if lines.hasBacklog || !copy.isOver.withLock({ $0 }) {
            throw CommandFailure(
                Exit.outputFailed,
                "standard output lacks the last lines: the disk of its file does not answer; write to a local one"
            )
        }
    }

    private func wait(for event: Int32, of descriptor: Int32, until deadline: Duration) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let left = max(.zero, deadline - Clock.now())
        return poll(&request, 1, Int32(clamping: left.milliseconds)) > 0
    }
}
