import Glibc
import System

/// Prints the lines that a service sends about what it does for this command.
struct HeldLines {
    /// How long a service may take to undo it.
    private static let patience = Duration.seconds(12)

    private let connection: Descriptor
    private let loop: EventLoop
    private var bytes: [UInt8]

    /// - Parameter held: What the service has answered on, and what came behind the answer.
    init(_ held: (connection: Descriptor, bytes: [UInt8])) throws {
        (connection, bytes) = held
        loop = try EventLoop(
            display: connection.number, output: nil,
            signals: EventLoop.endingSignals + EventLoop.otherEndingSignals)
    }

    /// Prints until a signal has come and all is undone, or the service has gone.
    ///
    /// - Returns: Whether a signal has asked for the end.
    mutating func relay() throws -> Bool {
        var end: Duration?
        printLines()
        while true {
            loop.setTimer(end)
            switch try loop.wait() {
            case .display: if try !read() { return end != nil }
            case .signal, .timer:
                if end != nil {
                    Diagnostics.say("the service has not undone all of it: see 'xphase hooks status'")
                    return true
                }
                end = Clock.now() + Self.patience
                // The service undoes it, and closes the connection.
                shutdown(connection.number, Int32(SHUT_WR))
            default: break
            }
        }
    }

    /// - Returns: false at the end.
    private mutating func read() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(connection.number, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return true }
        guard count > 0 else { return false }
        bytes += chunk[..<count]
        printLines()
        return true
    }

    private mutating func printLines() {
        while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            Diagnostics.say(String(decoding: bytes[..<end], as: UTF8.self))
            bytes = Array(bytes[(end + 1)...])
        }
    }
}
