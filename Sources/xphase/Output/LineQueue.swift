import Glibc
import PhaseWatch

/// Lines on their way to a reader, stored consecutively in a reused buffer.
struct LineQueue {
    /// The number of bytes that a pipe accepts atomically when poll(2) reports it as writable.
    private static let chunk = Int(PIPE_BUF)
    /// The number of bytes, and of lines, for which an empty queue keeps memory.
    private static let kept = 1 << 16

    private var buffer: [UInt8] = []
    /// The ends of the lines in the buffer.
    private var ends: [Int] = []
    /// The number of bytes, and of whole lines, taken from the front.
    private var taken = 0
    private var takenLines = 0

    var isEmpty: Bool { taken == buffer.count }
    var lineCount: Int { ends.count - takenLines }
    var byteCount: Int { buffer.count - taken }

    /// Adds the line that `write` appends.
    mutating func add(_ write: (inout [UInt8]) -> Void) {
        write(&buffer)
        ends.append(buffer.count)
    }

    /// Calls `body` with the next bytes: as many whole lines as a pipe accepts at once, or a part of a longer line.
    /// Output of other writers to the same pipe therefore comes between lines.
    func withHead<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let limit = taken + Self.chunk
        var end = taken
        for line in ends[takenLines...] {
            if line > limit { break }
            end = line
        }
        if end == taken { end = min(limit, buffer.count) }
        let head = taken..<end
        return try buffer.withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: bytes[head]))
        }
    }

    /// Removes bytes of the head, which were written.
    mutating func drop(_ count: Int) {
        taken += count
        while takenLines < ends.count, ends[takenLines] <= taken { takenLines += 1 }
        if isEmpty && buffer.capacity > Self.kept { (buffer, ends) = ([], []) }
        // Not done for each line, because it moves the others.
        guard taken > buffer.count / 2 else { return }
        buffer.removeFirst(taken)
        ends = ends[takenLines...].map { $0 - taken }
        taken = 0
        takenLines = 0
    }
}
