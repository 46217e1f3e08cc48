import Glibc
import PhaseWatch
import Scenes

/// Turns events into lines and hands them to stdout without ever waiting for its reader.
final class LineSink: EventSink {
    /// How many lines wait for a slow reader before further ones are given up.
    private static let bound = 65_536
    /// What a pipe takes whole and at once when poll(2) says that it has room.
    private static let chunk = Int(PIPE_BUF)

    private let format: LineFormat
    private let filter: EventFilter
    private var sequence = 0
    private var lines: [[UInt8]] = []
    private var firstLine = 0
    /// How much of the first waiting line was written.
    private var written = 0

    init(format: LineFormat, filter: EventFilter) {
        self.format = format
        self.filter = filter
    }

    var descriptor: Int32 { STDOUT_FILENO }
    var hasBacklog: Bool { firstLine < lines.count }
    var isFull: Bool { lines.count - firstLine >= Self.bound }

    func take(_ events: [Event], at time: Timestamp) throws {
        for event in events where filter.accepts(event) {
            guard let line = format.line(for: event, sequence: sequence + 1, time: time) else { continue }
            sequence += 1
            lines.append(line)
        }
        try flush()
    }

    func count(_ events: [Event]) -> Int {
        events.count { filter.accepts($0) }
    }

    func flush() throws {
        while hasBacklog, StandardOutput.hasRoom {
            let line = lines[firstLine]
            written += try StandardOutput.writeOnce(line[written...].prefix(Self.chunk))
            guard written == line.count else { continue }
            written = 0
            lines[firstLine] = []
            firstLine += 1
        }
        guard !hasBacklog else { return }
        lines.removeAll(keepingCapacity: lines.count < 1024)
        firstLine = 0
    }
}
