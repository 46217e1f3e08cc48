import Console
import Glibc
import PhaseWatch
import System

/// A sink that turns events into lines, and writes them without ever waiting for the reader.
final class LineSink: WatchMember {
    /// The number of bytes that a pipe accepts atomically when poll(2) reports it as writable.
    private static let chunk = Int(PIPE_BUF)

    private let descriptor: Int32
    private let format: LineFormat
    private let filter: EventFilter
    private let bound: Int
    /// Receives the notices that have no place among the lines.
    lazy var say: (String) -> Void = Log.diagnostics().say
    private var sequence = 0
    /// The lines that wait for the reader. Each ends with a newline; the first may have been written in part.
    private var queue: ArraySlice<UInt8> = []

    /// - Parameters:
    ///   - descriptor: The destination of the lines.
    ///   - bound: The number of bytes from which on lines for a slow reader are dropped.
    init(format: LineFormat, filter: EventFilter, descriptor: Int32 = STDOUT_FILENO, bound: Int = 32 << 20) {
        self.format = format
        self.filter = filter
        self.descriptor = descriptor
        self.bound = bound
    }

    var output: Int32? { descriptor }
    var hasBacklog: Bool { !queue.isEmpty }
    var details: PhaseWatcher.Details {
        filter.details.union(filter.reports(.phase, of: .scene) ? format.details : [])
    }
    var isFull: Bool { queue.count >= bound }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) throws {
        for event in events { numbers.append(add(event, at: time)) }
        if hasBacklog { try flush() }
    }

    private func add(_ event: Event, at time: Timestamp) -> Int? {
        guard filter.accepts(event) else { return nil }
        guard format.hasPlace(for: event) else {
            // Printed on stderr instead: without it, the reader could not know which lines to trust.
            if case .notice(let notice) = event { say(notice.text) }
            return nil
        }
        sequence += 1
        queue += format.line(event, sequence: sequence, time: time)
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
            queue = queue.dropFirst(try StandardOutput.writeOnce(head, to: descriptor))
        }
        // The memory of a slice still holds what was removed from it.
        if !hasBacklog { queue = [] }
    }

    /// The next bytes: as many whole lines as a pipe accepts at once, or a part of a longer line. Output of other
    /// writers to the same pipe therefore comes between lines.
    private var head: ArraySlice<UInt8> {
        let head = queue.prefix(Self.chunk)
        return head.lastIndex(of: UInt8(ascii: "\n")).map { head[...$0] } ?? head
    }
}
