import Console
import Glibc
import Service
import System

/// Prints the lines that a service sends about what it does for this command.
struct HeldLines {
    /// How long a service may take to undo it.
    private static let patience = Duration.seconds(12)

    private let loop: EventLoop
    private var stream: VarlinkStream

    init(_ stream: VarlinkStream) throws {
        self.stream = stream
        loop = try EventLoop(
            display: stream.connection.number, output: nil,
            signals: EventLoop.endingSignals + EventLoop.otherEndingSignals)
    }

    /// Prints until a signal, or a moment, has come and all is undone, or the service has gone.
    ///
    /// - Returns: Whether it was to end.
    mutating func relay(until limit: Duration?) throws -> Bool {
        var end: Duration?
        try printLines()
        while true {
            loop.setTimer(end ?? limit)
            switch try loop.wait() {
            case .display:
                let isOpen = try stream.read()
                try printLines()
                if !isOpen { return end != nil }
            case .signal, .timer:
                if end != nil {
                    Diagnostics.say("the service has not undone all of it: see 'xphase hooks status'")
                    return true
                }
                end = Clock.now() + Self.patience
                // The service undoes it, and closes the connection.
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
