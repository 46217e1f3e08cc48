import Glibc
import Hooks
import PhaseWatch
import Scenes

/// Turns events into lines and hands them to a reader without ever waiting for it.
final class LineSink: EventSink {
    /// What a pipe takes whole and at once when poll(2) says that it has room.
    private static let chunk = Int(PIPE_BUF)
    /// What may wait for a slow reader, in bytes, however long the lines are.
    private static let byteBound = 64 << 20

    let descriptor: Int32
    private let format: LineFormat
    private let filter: EventFilter
    private let bound: Int
    private lazy var diagnostics = Log.diagnostics
    private var sequence = 0
    private var lines: [[UInt8]] = []
    private var firstLine = 0
    /// How much of the first waiting line was written.
    private var written = 0
    private var waitingBytes = 0

    /// - Parameters:
    ///   - descriptor: Where the lines go.
    ///   - bound: How many lines wait for a slow reader before further ones are given up.
    init(format: LineFormat, filter: EventFilter, descriptor: Int32 = STDOUT_FILENO, bound: Int = 65_536) {
        self.format = format
        self.filter = filter
        self.descriptor = descriptor
        self.bound = bound
    }

    var hasBacklog: Bool { firstLine < lines.count }
    var isFull: Bool { lines.count - firstLine >= bound || waitingBytes >= Self.byteBound }

    @discardableResult
    func take(_ events: [Event], at time: Timestamp) throws -> [Int?] {
        if events.isEmpty { return [] }
        let numbers = events.map { add($0, at: time) }
        try flush()
        return numbers
    }

    private func add(_ event: Event, at time: Timestamp) -> Int? {
        guard filter.accepts(event) else { return nil }
        guard format.hasPlace(for: event) else {
            // Said all the same: without it nobody could tell what to believe.
            if case .notice(let notice) = event { diagnostics.say(notice.text) }
            return nil
        }
        sequence += 1
        let line = format.line(for: event, sequence: sequence, time: time)
        waitingBytes += line.count
        lines.append(line)
        return sequence
    }

    func count(_ events: [Event]) -> Int {
        events.count { filter.accepts($0) && format.hasPlace(for: $0) }
    }

    func flush() throws {
        while hasBacklog, StandardOutput.hasRoom(descriptor) {
            let line = lines[firstLine]
            written += try StandardOutput.writeOnce(line[written...].prefix(Self.chunk), to: descriptor)
            guard written == line.count else { continue }
            written = 0
            waitingBytes -= line.count
            lines[firstLine] = []
            firstLine += 1
        }
        // Not with each line, since the others move up.
        guard !hasBacklog || firstLine > lines.count / 2 else { return }
        lines.removeFirst(firstLine)
        firstLine = 0
    }
}
