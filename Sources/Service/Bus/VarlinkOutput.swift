import Glibc
import System

/// The output that waits for a client to read it.
final class VarlinkOutput {
    let connection: Descriptor
    var bytes: [UInt8] = []
    /// Called when the client accepts no more bytes for now.
    var blocked: () -> Void = {}
    private var isBlocked = false

    init(_ connection: Descriptor) { self.connection = connection }

    var count: Int { bytes.count }

    /// Sends what the client accepts without blocking.
    ///
    /// - Parameter isRoomy: Whether poll(2) has reported the connection as writable.
    func flush(isRoomy: Bool = false) {
        if isBlocked && !isRoomy { return }
        isBlocked = false
        while bytes.count > 0 {
            let taken = send(connection.number, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            if taken < 0 && errno == EINTR { continue }
            if taken < 0 && errno == EAGAIN {
                isBlocked = true
                return blocked()
            }
            // The client has gone, which poll(2) reports.
            bytes.removeFirst(taken > 0 ? taken : bytes.count)
        }
    }
}
