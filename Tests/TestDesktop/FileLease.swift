import Glibc

/// A lease on a file, as fcntl(2) describes it: a program that executes the file waits until the lease ends, as it does for
/// a disk that does not answer. It ends by itself after /proc/sys/fs/lease-break-time, 45 s.
public final class FileLease {
    private let descriptor: Int32

    public init(_ path: String) throws {
        // From linux/fcntl.h. The usual signal, SIGIO, would end the process.
        let (setSignal, setLease): (Int32, Int32) = (10, 1024)
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        // A program that another test starts may have the file of its writer open for a moment.
        guard descriptor >= 0, fcntl(descriptor, setSignal, SIGURG) == 0,
            waitUntil({ fcntl(self.descriptor, setLease, Int32(F_WRLCK)) == 0 })
        else { throw Failure("no lease on \(path): \(String(cString: strerror(errno)))") }
    }

    /// Whether a program waits for the end.
    public var isAwaited: Bool {
        let getLease: Int32 = 1025
        return fcntl(descriptor, getLease) != F_WRLCK
    }

    deinit { close(descriptor) }
}
