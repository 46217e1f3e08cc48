import CLinux
import Glibc
import System

/// A named Unix socket: a listening one, or the server's end of a connection. Sockets of other network namespaces are
/// not visible.
struct UnixSocket {
    /// Socket states, from include/net/tcp_states.h in the kernel.
    private static let (connected, listening) = (1, 10)

    var inode: UInt64
    /// The inode of the other end; 0 for a listening socket.
    var peer: UInt64 = 0
    /// The number of connections waiting to be accepted, or of bytes waiting to be read.
    var waiting: UInt32 = 0
    /// Greater than 0 if the other end has unread data.
    var unread: UInt32 = 0
    var isListening: Bool
    /// A path, or `@` and an abstract name.
    var name = ""

    /// All current sockets, from sock_diag(7); empty if the kernel does not support it.
    static var all: [UnixSocket] {
        var request = (nlmsghdr(), unix_diag_req())
        request.0.nlmsg_len = UInt32(MemoryLayout.size(ofValue: request))
        request.0.nlmsg_type = UInt16(SOCK_DIAG_BY_FAMILY)
        request.0.nlmsg_flags = UInt16(NLM_F_REQUEST | NLM_F_DUMP)
        request.1.sdiag_family = UInt8(AF_UNIX)
        request.1.udiag_states = 1 << connected | 1 << listening
        request.1.udiag_show = UInt32(UDIAG_SHOW_NAME | UDIAG_SHOW_PEER | UDIAG_SHOW_RQLEN)
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue)
        guard let file = try? Descriptor("socket", socket(AF_NETLINK, kind, NETLINK_SOCK_DIAG)),
            send(file.number, &request, MemoryLayout.size(ofValue: request), 0) > 0
        else { return [] }
        var sockets: [UnixSocket] = []
        var answer = [UInt8](repeating: 0, count: 32_768)
        while true {
            let size = recv(file.number, &answer, answer.count, 0)
            guard size > 0 else { return sockets }
            var rest = answer[..<size]
            while let (header, body) = rest.takeRecord(nlmsghdr.self, length: { Int($0.nlmsg_len) }) {
                if [NLMSG_DONE, NLMSG_ERROR].contains(Int32(header.nlmsg_type)) { return sockets }
                // Unnamed sockets are the clients' ends and socket pairs.
                if let socket = UnixSocket(body), !socket.name.isEmpty { sockets.append(socket) }
            }
        }
    }

    /// The numbers of displays, by the inode of a client's end of a connection. A server listens on a path and on the
    /// abstract name of the same text.
    static var displays: [UInt64: Substring] {
        all.reduce(into: [:]) { displays, socket in
            guard !socket.isListening, let start = socket.name.ranges(of: ".X11-unix/X").last else { return }
            displays[socket.peer] = socket.name[start.upperBound...]
        }
    }

    private init?(_ message: ArraySlice<UInt8>) {
        guard let found = message.loaded(unix_diag_msg.self) else { return nil }
        (inode, isListening) = (UInt64(found.udiag_ino), found.udiag_state == Self.listening)
        var rest = message.dropFirst(MemoryLayout<unix_diag_msg>.size)
        while let (header, value) = rest.takeRecord(rtattr.self, length: { Int($0.rta_len) }) {
            switch Int(header.rta_type) {
            case UNIX_DIAG_PEER: peer = value.loaded(UInt32.self).map { UInt64($0) } ?? 0
            case UNIX_DIAG_RQLEN:
                let queues = value.loaded(unix_diag_rqlen.self) ?? unix_diag_rqlen()
                (waiting, unread) = (queues.udiag_rqueue, queues.udiag_wqueue)
            case UNIX_DIAG_NAME:
                let name = value.first == 0 ? [UInt8(ascii: "@")] + value.dropFirst() : value
                self.name = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            default: break
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the value that the bytes begin with; nil if they are too few.
    fileprivate func loaded<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
        count < MemoryLayout<Value>.size ? nil : withUnsafeBytes { $0.loadUnaligned(as: type) }
    }

    /// Removes a record of netlink(7) and the padding after it; nil if there is no whole one.
    ///
    /// - Parameter length: Returns the length of the record, which its header contains.
    fileprivate mutating func takeRecord<Header: BitwiseCopyable>(
        _ type: Header.Type, length: (Header) -> Int
    ) -> (header: Header, body: Self)? {
        guard let header = loaded(type), case let length = length(header),
            (MemoryLayout<Header>.size...count).contains(length)
        else { return nil }
        let record = prefix(length)
        self = dropFirst((length + 3) & ~3)
        return (header, record.dropFirst(MemoryLayout<Header>.size))
    }
}
