import Glibc
import System

/// Ends a loop from another thread by hanging up a descriptor.
struct StopSignal: Sendable {
    private let end: Descriptor
    private let otherEnd: Descriptor

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        _ = socketpair(AF_UNIX, kind, 0, &ends)
        end = try Descriptor("socketpair", ends[0])
        otherEnd = try Descriptor("socketpair", ends[1])
    }

    var descriptor: Int32 { end.number }

    /// Hangs up. Unlike closing a pipe, this works even if a child process has the descriptor, too.
    func hangUp() {
        shutdown(end.number, Int32(SHUT_RDWR))
    }
}
