import Glibc
import Hooks
import System

/// One run of a hook, from its start to the end of its output.
final class Run {
    /// The number of bytes read at a time: the loop has other descriptors to serve.
    private static let chunk = 4 << 10
    /// The capacity of a pipe.
    private static let pipe = 64 << 10
    private static let mostAnswer = 8 << 20

    let id: RunID
    let job: Job
    let purpose: Purpose
    let program: RunningProgram
    private var lines = OutputLines()
    /// Whether more output may come.
    var isPrinting: Bool
    /// The number of bytes read since the program ended.
    private(set) var leftover = 0
    /// The output of a tool.
    private(set) var answer: [UInt8] = []
    /// Whether the program has ended. The run is kept while a background process has its output open.
    private(set) var isOver = false

    enum Purpose {
        /// A part of a hook, or its `unless`.
        case hook
        /// A program that is run for its output.
        case tool(String, then: (Result<[UInt8], SystemError>) -> Void)
    }

    init(id: RunID, job: Job, _ purpose: Purpose, program: RunningProgram) {
        (self.id, self.job, self.purpose, self.program) = (id, job, purpose, program)
        isPrinting = program.output != nil
    }

    /// Reads a chunk of the output without waiting.
    ///
    /// - Returns: The lines that it completes; nil at the end of the output.
    func read() -> [String]? {
        guard let output = program.output else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
            let count = Glibc.read(output.number, buffer.baseAddress, buffer.count)
            if count == 0 { return nil }
            let bytes = buffer.prefix(max(0, count))
            if isOver {
                leftover += bytes.count
            } else if case .tool = purpose {
                if answer.count < Self.mostAnswer { answer += bytes }
            } else {
                return lines.split(bytes)
            }
            return []
        }
    }

    /// Reads the output that was pending when the program ended. Later output of its children is not shown.
    ///
    /// - Returns: The last lines, and the number of bytes that were not shown.
    func end() -> (lines: [String], dropped: Int) {
        var last: [String] = []
        // Bounded: children may write faster than this reads.
        for _ in 0...Self.pipe / Self.chunk {
            guard let more = read() else { break }
            last += more
        }
        isOver = true
        return (last + lines.rest(), lines.dropped)
    }
}

/// A splitter of program output into lines, up to a bound.
struct OutputLines {
    /// The limits of one run, in bytes and in lines: a line costs more in a log than its own bytes.
    private static let (bound, mostLines) = (64 << 10, 2048)
    /// With its newline, a line of this length still fits into one atomic write to a pipe.
    private static let longestLine = Int(PIPE_BUF) - 1
    private var taken = 0
    private var lineCount = 0
    private var line: [UInt8] = []
    /// The number of bytes that were dropped.
    private(set) var dropped = 0

    /// Appends bytes, and returns the lines that they complete.
    mutating func split(_ bytes: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        var kept = 0
        for byte in bytes.prefix(Self.bound - taken) where lineCount < Self.mostLines {
            kept += 1
            if byte == UInt8(ascii: "\n") {
                lines.append(cut())
            } else {
                line.append(byte)
                if line.count == Self.longestLine { lines.append(cut()) }
            }
        }
        taken += kept
        dropped += bytes.count - kept
        return lines
    }

    /// Returns the last line, if it is unterminated.
    mutating func rest() -> [String] { line.isEmpty ? [] : [cut()] }

    private mutating func cut() -> String {
        lineCount += 1
        defer { line.removeAll(keepingCapacity: true) }
        return String(decoding: line, as: UTF8.self)
    }
}
