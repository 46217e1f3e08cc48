import CLinux
import Glibc
import System

/// The service manager that started this process, as sd_notify(3) describes it.
public struct ServiceManager {
    static let variable = "NOTIFY_SOCKET"

    private let address: SystemString

    /// - Parameter environment: The environment of this process; the result is nil if it names no socket.
    public init?(environment: Environment) {
        guard let address = environment[Self.variable] else { return nil }
        self.address = address
    }

    /// Sends assignments of the form NAME=VALUE. Failures are ignored: they do not keep hooks from running.
    ///
    /// - Parameter isState: Whether the message is worth a wait of a second for a manager that does not read.
    public func send(_ assignments: [String], isState: Bool) {
        guard let socket = try? Descriptor.localSocket(SOCK_DGRAM) else { return }
        socket.limitSending(seconds: 1)
        let message = Array(assignments.joined(separator: "\n").utf8)
        let flags = Int32(MSG_NOSIGNAL) | (isState ? 0 : Int32(MSG_DONTWAIT))
        _ = withSocketAddress(address) { sendto(socket.number, message, message.count, flags, $0, $1) }
    }
}
