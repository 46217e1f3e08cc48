import Glibc
import TestDesktop
import Testing

/// The socket of a service manager, which receives the messages of sd_notify(3).
final class NotifySocket {
    /// The value for NOTIFY_SOCKET.
    let address: String
    private let folder: TemporaryFolder
    private let descriptor: Int32

    init(isAbstract: Bool) throws {
        folder = try TemporaryFolder()
        let path = folder("notify")
        address = isAbstract ? "@\(path)" : path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(path.utf8)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        try #require(result == 0)
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next message, or nil if none has arrived.
    func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
