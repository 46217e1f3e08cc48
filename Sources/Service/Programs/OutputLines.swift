import Glibc
import System

/// A splitter of program output into lines, up to a bound.
struct OutputLines {
    /// The limits of one run, in bytes and in lines: a line costs more in a log than its own bytes.
    private let bound: Int
    private let mostLines: Int
    /// With its newline, a line of this length still fits into one atomic write to a pipe.
    private let longestLine = Int(PIPE_BUF) - 1
    private var taken = 0
    private var lineCount = 0
    private var line: [UInt8] = []
    /// The number of bytes that were dropped.
    private(set) var dropped = 0

    init(bound: Int = 64 << 10, mostLines: Int = 2048) {
        self.bound = bound
        self.mostLines = mostLines
    }

    /// Appends bytes, and returns the lines that they complete.
    mutating func split(_ bytes: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        var kept = 0
        for byte in bytes.prefix(bound - taken) where lineCount < mostLines {
            kept += 1
            if byte == UInt8(ascii: "\n") {
                lines.append(cut())
            } else {
                line.append(byte)
                if line.count == longestLine { lines.append(cut()) }
            }
        }
        taken += kept
        dropped += bytes.count - kept
        return lines
    }

    /// Returns the last line, if it is unterminated.
    mutating func rest() -> [String] {
        line.isEmpty ? [] : [cut()]
    }

    private mutating func cut() -> String {
        lineCount += 1
        defer { line.removeAll(keepingCapacity: true) }
        return String(decoding: line, as: UTF8.self)
    }
}
