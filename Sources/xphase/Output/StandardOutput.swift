import Glibc

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

    /// Writes all of it, and waits for the reader where it must.
    static func write(_ bytes: [UInt8]) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty { rest = rest.dropFirst(try writeOnce(rest, to: STDOUT_FILENO)) }
    }

    /// Whether a write of up to PIPE_BUF bytes to a descriptor would not wait.
    static func hasRoom(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) > 0
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
