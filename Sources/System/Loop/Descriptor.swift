import CLinux
import Glibc

/// An open file descriptor, closed on deinitialization.
public final class Descriptor: Sendable {
    public let number: Int32

    /// - Parameter number: The value that the call returned.
    public init(_ call: String, _ number: Int32) throws(SystemError) {
        guard number >= 0 else { throw SystemError(call, errno) }
        self.number = number
    }

    /// Creates a pipe whose read end is non-blocking.
    public static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("pipe2", errno) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (try Descriptor("pipe2", ends[0]), try Descriptor("pipe2", ends[1]))
    }

    /// Creates a memory file that contains `bytes`, positioned at its start. A reader of it never blocks, and a writer
    /// never gets SIGPIPE.
    public static func memory(_ bytes: [UInt8]) throws(SystemError) -> Descriptor {
        let file = try Descriptor("memfd_create", memfd_create("xphase", UInt32(MFD_CLOEXEC)))
        try file.writeAll("memfd", bytes)
        lseek(file.number, 0, SEEK_SET)
        return file
    }

    deinit {
        close(number)
    }
}
