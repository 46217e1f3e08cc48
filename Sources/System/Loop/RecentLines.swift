/// The lines that a log has written within a second, which keep a program in a loop from filling the disk: a line that
/// comes again and again is only counted. The count is written with a later line or at the end. The first few are written:
/// a reader must see that something was done, undone and done again.
struct RecentLines {
    private struct Line {
        let end: Duration
        var written = 1
        /// How many times it came without being written.
        var more = 0
    }

    static let time = Duration.seconds(1)
    static let mostWritten = 5
    /// Bounds the memory: when there are so many different lines, all are forgotten.
    static let mostLines = 64

    private var lines: [String: Line] = [:]

    var count: Int { lines.count }

    /// Returns the lines to write when a line comes: counts of others that are over, and the line unless it is only counted.
    mutating func add(_ text: String, at now: Duration) -> [String] {
        let isFull = lines.count >= Self.mostLines
        var over = end { isFull || $0.end <= now }
        if let line = lines[text] {
            guard line.written < Self.mostWritten else {
                lines[text]?.more += 1
                return over.map(Self.line)
            }
            lines[text]?.written += 1
            over.append((text, 0))
        } else if let index = over.firstIndex(where: { $0.text == text }) {
            lines[text] = Line(end: now + Self.time, written: Self.mostWritten)
            over.append((text, over.remove(at: index).more + 1))
        } else {
            lines[text] = Line(end: now + Self.time)
            over.append((text, 0))
        }
        return over.map(Self.line)
    }

    /// Returns lines with all counts.
    mutating func end() -> [String] { end { _ in true }.map(Self.line) }

    /// Forgets lines, and returns those that were counted.
    private mutating func end(_ isOver: (Line) -> Bool) -> [(text: String, more: Int)] {
        let over = lines.filter { isOver($0.value) }
        for text in over.keys { lines[text] = nil }
        return over.filter { $0.value.more > 0 }.sorted { $0.value.end < $1.value.end }
            .map { ($0.key, $0.value.more) }
    }

    private static func line(_ text: String, _ more: Int) -> String {
        switch more {
        case 0: text
        case 1: "\(text) (once more)"
        default: "\(text) (\(more) times more)"
        }
    }
}
