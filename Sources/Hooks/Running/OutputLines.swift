import Glibc

/// Cuts what a program prints into lines, and gives up what is more than its bound.
struct OutputLines {
    /// How much of one run is shown, in bytes.
    private let bound: Int
    /// What a pipe takes whole, with the newline.
    private let longestLine = Int(PIPE_BUF) - 1
    private var taken = 0
    private var line: [UInt8] = []
    /// How many bytes were given up.
    private(set) var dropped = 0

    init(bound: Int = 64 << 10) {
        self.bound = bound
    }

    /// Takes the next bytes, and returns the lines that they complete.
    mutating func take(_ bytes: some Collection<UInt8>) -> [String] {
        let kept = bytes.prefix(bound - taken)
        taken += kept.count
        dropped += bytes.count - kept.count
        var lines: [String] = []
        for byte in kept {
            if byte == UInt8(ascii: "\n") {
                lines.append(cut())
            } else {
                line.append(byte)
                if line.count == longestLine { lines.append(cut()) }
            }
        }
        return lines
    }

    /// The line that has no end yet.
    mutating func rest() -> [String] {
        line.isEmpty ? [] : [cut()]
    }

    private mutating func cut() -> String {
        defer { line.removeAll(keepingCapacity: true) }
        return String(decoding: line, as: UTF8.self)
    }
}
