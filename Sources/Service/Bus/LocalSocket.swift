import CLinux
import Glibc
import System

extension OwnDirectory {
    /// Makes a non-blocking socket with mode 0600 in the directory, and listens at it. A stale one is replaced.
    func listen(at name: SystemString) throws(SystemError) -> Descriptor {
        try remove(name)
        let socket = try Descriptor.localSocket(SOCK_STREAM)
        // The file gets the mode of the socket, so no other user can connect before it is changed.
        try SystemError.check("fcntl", fcntl(socket.number, F_SETFL, O_NONBLOCK), path: path(of: name))
        try SystemError.check("fchmod", fchmod(socket.number, 0o600), path: path(of: name))
        let shortPath = shortPath(of: name)
        try SystemError.check(
            "bind", withSocketAddress(shortPath) { bind(socket.number, $0, $1) }, path: path(of: name))
        try SystemError.check("listen", Glibc.listen(socket.number, SOMAXCONN), path: path(of: name))
        return socket
    }

    /// Connects to a socket in the directory. No connect(2) or send(2) blocks for longer than `patience`, in seconds.
    func connect(_ name: SystemString, patience: Int) throws(SystemError) -> Descriptor {
        let socket = try Descriptor.localSocket(SOCK_STREAM)
        socket.limitSending(seconds: patience)
        let shortPath = shortPath(of: name)
        try SystemError.check(
            "connect", withSocketAddress(shortPath) { Glibc.connect(socket.number, $0, $1) })
        return socket
    }

    /// Returns a path to an entry of this very directory, short enough for a socket address.
    private func shortPath(of name: SystemString) -> SystemString {
        "/proc/self/fd/\(descriptor.number)/\(name)"
    }
}

extension Descriptor {
    /// Accepts the next connection, which is non-blocking, too. Refuses one of another user.
    func accept() throws(SystemError) -> Descriptor {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let connection = try Descriptor("accept", accept4(number, nil, nil, flags))
        guard Self.peer(of: connection.number).uid == geteuid() else { throw SystemError("accept", EPERM) }
        return connection
    }

    /// Returns the process and the user at the other end of a local socket; the pid is 0 if it is unknown.
    static func peer(of number: Int32) -> ucred {
        var peer = ucred(pid: 0, uid: .max, gid: .max)
        var size = socklen_t(MemoryLayout<ucred>.size)
        getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &size)
        return peer
    }
}
