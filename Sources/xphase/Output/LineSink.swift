import Console
import Glibc
import PhaseWatch
import System

/// Lines on their way to a reader. Each ends with a newline.
private struct LineQueue {
    /// The number of bytes that a pipe accepts atomically when poll(2) reports it as writable.
    private static let chunk = Int(PIPE_BUF)

    private var bytes: ArraySlice<UInt8> = []
    private(set) var lineCount = 0

    var byteCount: Int { bytes.count }

    mutating func add(_ line: [UInt8]) {
        bytes += line
        lineCount += 1
    }

    /// The next bytes: as many whole lines as a pipe accepts at once, or a part of a longer line. Output of other
    /// writers to the same pipe therefore comes between lines.
    var head: ArraySlice<UInt8> {
        let head = bytes.prefix(Self.chunk)
        return head.lastIndex(of: UInt8(ascii: "\n")).map { head[...$0] } ?? head
    }

    /// Removes bytes of the head, which were written.
    mutating func drop(_ count: Int) {
        if count == bytes.count {
            // The memory of a slice still holds what was removed from it.
            (bytes, lineCount) = ([], 0)
        } else {
            lineCount -= bytes.prefix(count).count { $0 == UInt8(ascii: "\n") }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// A sink that turns events into lines, and writes them without ever waiting for the reader.
final class LineSink: WatchMember {
    /// The maximum number of bytes that may wait for a slow reader, regardless of the number of lines.
    private static let byteBound = 64 << 20

    private let descriptor: Int32
    private let format: LineFormat
    private let filter: EventFilter
    private let bound: Int
    private lazy var diagnostics = Log.diagnostics
    private var sequence = 0
    private var queue = LineQueue()

    /// - Parameters:
    ///   - descriptor: The destination of the lines.
    ///   - bound: The maximum number of lines that may wait for a slow reader; further ones are dropped.
    init(format: LineFormat, filter: EventFilter, descriptor: Int32 = STDOUT_FILENO, bound: Int = 65_536) {
        self.format = format
        self.filter = filter
        self.descriptor = descriptor
        self.bound = bound
    }

    var output: Int32? { descriptor }
    var hasBacklog: Bool { queue.byteCount > 0 }
    var details: PhaseWatcher.Details {
        filter.details.union(filter.reports(.phase, of: .scene) ? format.details : [])
    }
    var isFull: Bool { queue.lineCount >= bound || queue.byteCount >= Self.byteBound }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) throws {
        for event in events { numbers.append(add(event, at: time)) }
        if hasBacklog { try flush() }
    }

    private func add(_ event: Event, at time: Timestamp) -> Int? {
        guard filter.accepts(event) else { return nil }
        guard format.hasPlace(for: event) else {
            // Printed on stderr instead: without it, the reader could not know which lines to trust.
            if case .notice(let notice) = event { diagnostics.say(notice.text) }
            return nil
        }
        sequence += 1
        queue.add(format.line(event, sequence: sequence, time: time))
        return sequence
    }

    func count(_ events: [Event]) -> Int {
        events.count { filter.accepts($0) && format.hasPlace(for: $0) }
    }

    /// Writes everything, and waits for the reader if necessary.
    func drain() throws {
        while hasBacklog {
            StandardOutput.waitForRoom(descriptor)
            try flush()
        }
    }

    func flush() throws {
        while hasBacklog, StandardOutput.hasRoom(descriptor) {
            queue.drop(try StandardOutput.writeOnce(queue.head, to: descriptor))
        }
    }
}
