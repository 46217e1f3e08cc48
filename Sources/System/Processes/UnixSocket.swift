import CLinux
import Glibc

/// A unix socket that has a name: one that listens, or the server's end of a connection to it. Those of other network
/// namespaces are not seen.
public struct UnixSocket: Hashable, Sendable {
    public var inode: UInt64
    /// The inode of the other end; 0 for one that listens.
    public var peer: UInt64
    /// The connections that wait to be accepted, or the bytes that wait to be read.
    public var waiting: UInt32
    /// More than 0 where the other end has not read all that was written.
    public var unread: UInt32
    public var isListening: Bool
    /// A path, or `@` and an abstract name.
    public var name: String

    /// All at this moment, by sock_diag(7); none where the kernel lacks that.
    public static var all: [UnixSocket] {
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

    /// The inodes of the sockets that a process has open; none where it cannot be looked into.
    public static func inodes(of pid: Int32) -> Set<UInt64> {
        Set(OpenFile.all(of: pid).compactMap(\.socket))
    }
}
