import CLinux
import Glibc

/// An open file descriptor, closed on deinitialization.
public final class Descriptor: Sendable {
    public let number: Int32

    /// - Parameter number: The call that opens it.
    public init(_ call: String, _ number: @autoclosure () -> Int32) throws(SystemError) {
        self.number = try SystemError.check(call, number())
    }

    /// Throws unless so many more can be opened.
    public static func checkFree(_ count: Int) throws(SystemError) {
        var spares: [Descriptor] = []
        for _ in 1...count { spares.append(try .spare()) }
    }

    /// Opens one that stands for any other.
    public static func spare() throws(SystemError) -> Descriptor {
        try Descriptor("fcntl", fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0))
    }

    /// Creates a pipe whose read end is non-blocking.
    public static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        try SystemError.check("pipe2", pipe2(&ends, O_CLOEXEC))
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

extension Descriptor {
    public static func localSocket(_ kind: __socket_type) throws(SystemError) -> Descriptor {
        try Descriptor("socket", socket(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0))
    }

    /// Limits how long a connect(2) or send(2) blocks.
    public func limitSending(seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
}

/// Calls a function with the address of a local socket: a path, or @ and an abstract name.
public func withSocketAddress<Result: SignedInteger>(
    _ address: SystemString, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var name = sockaddr_un()
    var bytes = address.bytes
    guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
        errno = ENAMETOOLONG
        return -1
    }
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            call($0, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count))
        }
    }
}

/// What distinguishes a file from all others that exist at the same time, whatever its path.
public struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// The file at a path, which may be a symbolic link; nil if there is none.
    public init?(_ path: SystemString) {
        var facts = stat()
        guard lstat(path.cString, &facts) == 0 else { return nil }
        (device, inode) = (facts.st_dev, facts.st_ino)
    }

    /// The open file; nil if it cannot be examined.
    public init?(_ file: Descriptor) {
        var facts = stat()
        guard fstat(file.number, &facts) == 0 else { return nil }
        (device, inode) = (facts.st_dev, facts.st_ino)
    }
}
