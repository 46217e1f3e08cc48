import Console
import Glibc
import Service
import System

/// The lines that a service sends about its work for this command.
struct HeldLines {
    /// The time that a service may take to undo its work.
    private static let patience = Duration.seconds(12)

    private let loop: EventLoop
    private var stream: VarlinkStream

    init(_ stream: VarlinkStream) throws {
        self.stream = stream
        loop = try EventLoop(
            display: stream.connection.number, output: nil,
            signals: EventLoop.endingSignals + EventLoop.otherEndingSignals)
    }

    /// Prints until the service is gone. On a signal, asks the service to undo its work, and waits at most `patience`
    /// for that.
    ///
    /// - Returns: Whether the end was requested.
    mutating func relay() throws -> Bool {
        var end: Duration?
        try printLines()
        while true {
            loop.setTimer(end)
            switch try loop.wait() {
            case .display:
                let isOpen = try stream.read()
                try printLines()
                if !isOpen { return end != nil }
            case .signal, .timer:
                if end != nil {
                    Diagnostics.say("the service has not undone everything: see 'xphase hooks status'")
                    return true
                }
                end = Clock.now() + Self.patience
                // The service undoes its work, and closes the connection.
                shutdown(stream.connection.number, Int32(SHUT_WR))
            default: break
            }
        }
    }

    private mutating func printLines() throws {
        while let text = try stream.text() {
            if !text.isEmpty { Diagnostics.say(text.escapedForTerminal) }
        }
    }
}
