import Glibc
import PhaseWatch

/// Lines of a program that must never wait for whoever reads them: what finds no room is given up and counted.
final class Log {
    private let descriptor: Int32
    private let complain: ((String) -> Void)?
    private var lost = 0

    /// - Parameters:
    ///   - descriptor: See `StandardOutput.withoutWaiting`.
    ///   - complain: Told of what was given up; told to the reader itself if left out.
    init(_ descriptor: Int32, complain: ((String) -> Void)? = nil) {
        self.descriptor = descriptor
        self.complain = complain
    }

    /// - Parameter text: One line of diagnostics, which is escaped for the terminal.
    func say(_ text: String) {
        write(Self.diagnosis(text))
    }

    /// - Parameter line: One line of data, as it is.
    func show(_ line: String) {
        write(line)
    }

    private func write(_ line: String) {
        guard StandardOutput.hasRoom(descriptor) else {
            lost += 1
            return
        }
        guard lost > 0 else { return writeOnce(line) }
        let lines = lost == 1 ? "1 line" : "\(lost) lines"
        lost = 0
        let complaint = "\(lines) of this log were given up, since its reader was too slow"
        if let complain { complain(complaint) } else { writeOnce(Self.diagnosis(complaint)) }
        write(line)
    }

    /// More than PIPE_BUF bytes could wait for a reader though there is room.
    private func writeOnce(_ line: String) {
        let bytes = Array(line.utf8.prefix(Int(PIPE_BUF) - 1)) + [UInt8(ascii: "\n")]
        // Nobody is left to be told that this failed.
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    private static func diagnosis(_ text: String) -> String { "xphase: \(text.escapedForTerminal)" }
}
