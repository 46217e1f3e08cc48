import Glibc
import PhaseWatch

/// Diagnostics of a program that must never wait for whoever reads them: what finds no room is given up and
/// counted.
final class Log {
    private let descriptor: Int32
    private var lost = 0

    /// - Parameter descriptor: See `StandardOutput.withoutWaiting`.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// - Parameter text: One line, which is escaped for the terminal.
    func say(_ text: String) {
        guard StandardOutput.hasRoom(descriptor) else {
            lost += 1
            return
        }
        if lost > 0 {
            let lines = lost == 1 ? "1 line" : "\(lost) lines"
            lost = 0
            write("\(lines) of this log were given up, since its reader was too slow")
            return say(text)
        }
        write(text.escapedForTerminal)
    }

    /// More than PIPE_BUF bytes could wait for a reader though there is room.
    private func write(_ text: String) {
        let line = Array("xphase: \(text)".utf8.prefix(Int(PIPE_BUF) - 1)) + [UInt8(ascii: "\n")]
        // Nobody is left to be told that this failed.
        _ = Glibc.write(descriptor, line, line.count)
    }
}
