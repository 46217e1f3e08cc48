import CLinux
import Glibc

extension Descriptor {
    public static func localSocket(_ kind: __socket_type) throws(SystemError) -> Descriptor {
        try Descriptor("socket", socket(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0))
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
