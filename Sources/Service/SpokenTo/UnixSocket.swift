import CLinux
import Glibc
import System

/// A named Unix socket: a listening one, or the server's end of a connection. Sockets of other network namespaces are
/// not visible.
struct UnixSocket: Hashable, Sendable {
    var inode: UInt64
    /// The inode of the other end; 0 for a listening socket.
    var peer: UInt64
    /// The number of connections waiting to be accepted, or of bytes waiting to be read.
    var waiting: UInt32
    /// Greater than 0 if the other end has unread data.
    var unread: UInt32
    var isListening: Bool
    /// A path, or `@` and an abstract name.
    var name: String

    /// All current sockets, from sock_diag(7); empty if the kernel does not support it.
    static var all: [UnixSocket] {
        var count = 0
        let sockets = linux_unix_sockets(&count)
        defer { free(sockets) }
        return UnsafeBufferPointer(start: sockets, count: count).map { socket in
            let name = withUnsafeBytes(of: socket.name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            return UnixSocket(
                inode: UInt64(socket.inode), peer: UInt64(socket.peer), waiting: socket.waiting,
                unread: socket.unread,
                isListening: socket.listens, name: name)
        }
    }

    /// Returns the inodes of the open sockets of a process; empty if the process cannot be inspected.
    static func inodes(of pid: Int32) -> Set<UInt64> {
        Set(OpenFile.all(of: pid).compactMap(\.socket))
    }
}
