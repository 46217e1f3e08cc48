import Glibc
import Hooks

/// Writing to stdout failed.
struct OutputError: Error, CustomStringConvertible {
    /// The value of errno.
    let code: Int32

    var isReaderGone: Bool { code == EPIPE }

    var description: String { "cannot write to standard output: \(String(cString: strerror(code)))" }
}

/// Writes to stdout with write(2): Swift's own `print` buffers and knows no errors.
enum StandardOutput {
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Makes sure that descriptors 0 to 2 are taken, or the X socket would get one of them. Writing to an
    /// stdout that was closed stays an error.
    static func reserveDescriptors() {
        for descriptor in 0...2 where fcntl(Int32(descriptor), F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// A descriptor for stdout or stderr that never makes a writer wait.
    ///
    /// poll(2) says of a terminal only that it takes something, so that it is opened again: to make the
    /// descriptor itself non-blocking would make it that for every program on the terminal.
    static func withoutWaiting(_ descriptor: Int32 = STDOUT_FILENO) -> Int32 {
        guard isatty(descriptor) == 1 else { return descriptor }
        let other = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return other >= 0 ? other : descriptor
    }

    /// Writes all of it, and waits for the reader where it must.
    static func write(_ bytes: [UInt8]) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try writeOnce(rest, to: STDOUT_FILENO)
            if count == 0 { waitForRoom() }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether a write of up to PIPE_BUF bytes to a descriptor would not wait.
    static func hasRoom(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    /// - Throws: What a log, which never waits, could not write.
    static func check(_ log: Log) throws(OutputError) {
        if let code = log.failure { throw OutputError(code: code) }
    }

    private static func waitForRoom() {
        var request = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
    }

    /// One write(2); returns how many bytes it took.
    static func writeOnce(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(OutputError) -> Int {
        while true {
            let count =
                bytes.withContiguousStorageIfAvailable {
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                }
                ?? -1
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: return 0
            default: throw OutputError(code: errno)
            }
        }
    }
}
