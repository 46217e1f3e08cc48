import CLinux
import Glibc
import System

/// The service manager that started this process, as sd_notify(3) describes it. It may not read for a while, which holds up
/// nothing.
public final class ServiceManager {
    static let variable = "NOTIFY_SOCKET"

    private let address: SystemString
    private weak var loop: EventLoop?
    /// The messages that the manager has no room for yet, in order.
    private var waiting: [[UInt8]] = []
    /// Open while messages wait.
    private var socket: Descriptor?

    /// - Parameter environment: The environment of this process; the result is nil if it names no socket.
    public init?(environment: Environment) {
        guard let address = environment[Self.variable] else { return nil }
        self.address = address
    }

    public var hasRoom: Bool { waiting.isEmpty }

    /// Has the loop send messages that wait, once the manager has room.
    public func join(_ loop: EventLoop) { self.loop = loop }

    /// Sends assignments of the form NAME=VALUE, after those that wait. Failures are ignored: they do not keep hooks from
    /// running.
    ///
    /// - Parameter isLatest: Whether the manager need not get those that wait.
    public func send(_ assignments: [String], isLatest: Bool) {
        if isLatest { waiting = [] }
        waiting.append(Array(assignments.joined(separator: "\n").utf8))
        flush()
    }

    private func flush() {
        while let message = waiting.first, let socket = socket ?? connected() {
            self.socket = socket
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let sent = try? SystemError.check(
                "send", Glibc.send(socket.number, message, message.count, flags), unless: EAGAIN)
            if sent == -1 {
                loop?.watch(socket.number, for: POLLOUT) { [self] in flush() }
                return
            }
            waiting.removeFirst()
        }
        if let socket { loop?.forget(socket.number) }
        socket = nil
        waiting = []
    }

    private func connected() -> Descriptor? {
        guard let socket = try? Descriptor.localSocket(SOCK_DGRAM),
            withSocketAddress(address, { connect(socket.number, $0, $1) }) == 0
        else { return nil }
        return socket
    }
}
