import Glibc
import Loop
import PhaseWatch

/// One run of a hook, from its start to the end of its output.
final class Run {
    /// How much is read before others get their turn.
    private static let chunk = 4 << 10
    /// What a pipe holds.
    private static let pipe = 64 << 10

    let id: RunID
    let job: Job
    let isCheck: Bool
    let program: RunningProgram
    private var lines = OutputLines()
    /// How many bytes were read of what it left in the background.
    private(set) var leftover = 0
    /// It has ended, and is kept for the output of what it left in the background.
    private(set) var isOver = false

    init(id: RunID, job: Job, isCheck: Bool, program: RunningProgram) {
        self.id = id
        self.job = job
        self.isCheck = isCheck
        self.program = program
    }

    enum Reading {
        case lines([String])
        case nothing
        case end
    }

    /// Reads some of its output, without waiting.
    func read() -> Reading {
        guard let output = program.output else { return .end }
        return withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
            let count = Glibc.read(output.number, buffer.baseAddress, buffer.count)
            if count == 0 { return .end }
            guard count > 0 else { return .nothing }
            guard isOver else { return .lines(lines.take(buffer.prefix(count))) }
            leftover += count
            return .lines([])
        }
    }

    /// Takes the end of the program: what it wrote until now is read, what its children write later is not.
    ///
    /// - Returns: The last lines, and how many bytes were given up.
    func end() -> (lines: [String], dropped: Int) {
        var last: [String] = []
        // Children may fill it again for ever.
        for _ in 0...Self.pipe / Self.chunk {
            guard case .lines(let more) = read() else { break }
            last += more
        }
        isOver = true
        return (last + lines.rest(), lines.dropped)
    }
}
