import Glibc

/// Lines on their way to a reader, one behind the other in one buffer that is used again and again.
struct LineQueue {
    /// What a pipe takes whole and at once when poll(2) says that it has room.
    private static let chunk = Int(PIPE_BUF)
    /// A buffer that a slow reader has let grow beyond this is given back, in bytes.
    private static let keptCapacity = 1 << 16

    private var bytes: [UInt8] = []
    /// Where the lines end in `bytes`.
    private var ends: [Int] = []
    /// How many bytes, and how many whole lines, were taken from the front.
    private var taken = 0
    private var takenLines = 0

    var isEmpty: Bool { taken == bytes.count }
    var lineCount: Int { ends.count - takenLines }
    var byteCount: Int { bytes.count - taken }

    /// Adds the one line that `write` appends.
    mutating func add(_ write: (inout [UInt8]) -> Void) {
        write(&bytes)
        ends.append(bytes.count)
    }

    /// What to write next: as many whole lines as a pipe takes at once, or a part of one that is longer, so that
    /// what others write into the same pipe comes between lines.
    var head: ArraySlice<UInt8> {
        let limit = taken + Self.chunk
        var end = taken
        for line in ends[takenLines...] {
            if line > limit { break }
            end = line
        }
        return bytes[taken..<(end > taken ? end : min(limit, bytes.count))]
    }

    /// Forgets bytes of the head, which were written.
    mutating func drop(_ count: Int) {
        taken += count
        while takenLines < ends.count, ends[takenLines] <= taken { takenLines += 1 }
        if isEmpty {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            ends.removeAll(keepingCapacity: ends.capacity <= Self.keptCapacity)
        } else if taken > bytes.count / 2 {
            // Not with each line, since the others move up.
            bytes.removeFirst(taken)
            ends = ends[takenLines...].map { $0 - taken }
        } else {
            return
        }
        taken = 0
        takenLines = 0
    }
}
