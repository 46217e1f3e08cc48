import Console
import Glibc
import PhaseWatch

/// Lines on their way to a reader, one behind the other in one buffer that is used again and again.
struct LineQueue: ~Copyable {
    /// What a pipe takes whole and at once when poll(2) says that it has room.
    private static let chunk = Int(PIPE_BUF)
    static let keptLines = 1024

    private var buffer = ByteBuffer()
    /// Where the lines end in the buffer.
    private var ends: [Int] = []
    /// How many bytes, and how many whole lines, were taken from the front.
    private var taken = 0
    private var takenLines = 0

    var isEmpty: Bool { taken == buffer.count }
    var lineCount: Int { ends.count - takenLines }
    var byteCount: Int { buffer.count - taken }

    /// Adds the one line that `write` appends.
    mutating func add(_ write: (inout ByteBuffer) -> Void) {
        write(&buffer)
        ends.append(buffer.count)
    }

    /// Lends what to write next: as many whole lines as a pipe takes at once, or a part of one that is longer, so that
    /// what others write into the same pipe comes between lines.
    borrowing func withHead<Result, Failure: Error>(
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
        return try buffer.withBytes { bytes throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: bytes[head]))
        }
    }

    /// Forgets bytes of the head, which were written.
    mutating func drop(_ count: Int) {
        taken += count
        while takenLines < ends.count, ends[takenLines] <= taken { takenLines += 1 }
        // Not with each line, since the others move up.
        guard taken > buffer.count / 2 else { return }
        buffer.removeFirst(taken)
        if takenLines == ends.count {
            ends.removeAll(keepingCapacity: ends.capacity <= Self.keptLines)
        } else {
            ends = ends[takenLines...].map { $0 - taken }
        }
        taken = 0
        takenLines = 0
    }
}
