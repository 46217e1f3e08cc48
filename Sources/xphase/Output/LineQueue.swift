import Glibc

/// Lines on their way to a reader.
struct LineQueue {
    /// The number of bytes that a pipe accepts atomically when poll(2) reports it as writable.
    private static let chunk = Int(PIPE_BUF)

    private var lines: ArraySlice<[UInt8]> = []
    /// The number of bytes that were taken from the first line.
    private var taken = 0
    private(set) var byteCount = 0

    var lineCount: Int { lines.count }

    mutating func add(_ line: [UInt8]) {
        lines.append(line)
        byteCount += line.count
    }

    /// The next bytes: as many whole lines as a pipe accepts at once, or a part of a longer line. Output of other
    /// writers to the same pipe therefore comes between lines.
    var head: ArraySlice<UInt8> {
        guard let first = lines.first else { return [] }
        var head = first.dropFirst(taken).prefix(Self.chunk)
        for line in lines.dropFirst() {
            if head.count + line.count > Self.chunk { break }
            head += line
        }
        return head
    }

    /// Removes bytes of the head, which were written.
    mutating func drop(_ count: Int) {
        byteCount -= count
        taken += count
        while let first = lines.first, first.count <= taken {
            taken -= first.count
            lines.removeFirst()
        }
        // The memory of a slice still holds what was removed from it.
        if lines.isEmpty { lines = [] }
    }
}
