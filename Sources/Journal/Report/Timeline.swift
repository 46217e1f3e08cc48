/// What was in which phase when, for a picture: so many columns of the same time for each row.
public struct Timeline: Sendable {
    /// A stretch of one phase, in columns.
    struct Stretch: Equatable, Sendable {
        var columns: Range<Int>
        var phase: JournalPhase
        var title: String?
    }

    let window: Range<Int64>
    let columnCount: Int
    /// In the order of the report's rows.
    let rows: [[Stretch]]

    init(window: Range<Int64>, columnCount: Int, rows: [[Stretch]]) {
        (self.window, self.columnCount, self.rows) = (window, columnCount, rows)
    }

    /// Reads a journal once more.
    ///
    /// - Parameters:
    ///   - tally: What the report was made of.
    ///   - report: By applications or groups.
    ///   - read: Adds all lines to the tally again.
    public init<Failure: Error>(
        of tally: Tally, _ report: Report, read: () throws(Failure) -> Void
    ) throws(Failure) {
        tally.begin(TimelineBuilder(report))
        try read()
        self = tally.endTimeline()?.timeline ?? Timeline(window: report.window, columnCount: 1, rows: [])
    }
}

/// Adds up stretches of time by column.
final class TimelineBuilder {
    /// A picture has no more rows; what is less active is left out.
    static let mostRows = 40
    static let columnCount = 960

    private struct Column {
        var times = PhaseTimes()
        /// The title that was active for the longest time in it, and how long.
        var title: Int32 = -1
        var titleTime: Int64 = 0
    }

    private struct Place: Hashable {
        var display: Int
        var subject: Int
    }

    private let window: Range<Int64>
    private var rows: [Place: Int] = [:]
    private var columns: [[Column]] = []
    private var titles = NameTable()
    /// The title of each row now.
    private var current: [Int32] = []

    init(_ report: Report) {
        window = report.window
        for row in report.rows.prefix(Self.mostRows) where row.phase == nil {
            rows[Place(display: row.place.display, subject: row.place.subject)] = columns.count
            columns.append(Array(repeating: Column(), count: Self.columnCount))
            current.append(-1)
        }
    }

    func setTitle(_ title: JournalLine.Text?, display: Int, subject: Int) {
        guard let row = rows[Place(display: display, subject: subject)] else { return }
        current[row] = title.map { Int32(titles.number(of: $0)) } ?? -1
    }

    /// - Parameter time: Within the window.
    func add(_ phase: JournalPhase, _ time: Range<Int64>, display: Int, subject: Int) {
        guard let row = rows[Place(display: display, subject: subject)] else { return }
        let length = window.upperBound - window.lowerBound
        let count = Int64(Self.columnCount)
        var start = time.lowerBound
        while start < time.upperBound {
            let column = (start - window.lowerBound) * count / length
            // The first millisecond of the next column.
            let next = window.lowerBound + ((column + 1) * length + count - 1) / count
            let end = min(time.upperBound, max(next, start + 1))
            add(phase, end - start, row, Int(column))
            start = end
        }
    }

    private func add(_ phase: JournalPhase, _ time: Int64, _ row: Int, _ index: Int) {
        columns[row][index].times[phase] += time
        if phase == .active, current[row] >= 0, time > columns[row][index].titleTime {
            columns[row][index].title = current[row]
            columns[row][index].titleTime = time
        }
    }

    var timeline: Timeline {
        let rows = columns.map { columns in
            var stretches: [Timeline.Stretch] = []
            for (index, column) in columns.enumerated() {
                guard let phase = column.times.longest else { continue }
                let title =
                    phase == .active && column.title >= 0 ? titles.parts(Int(column.title)).first : nil
                if let last = stretches.last, last.columns.upperBound == index, last.phase == phase,
                    last.title == title
                {
                    stretches[stretches.count - 1].columns = last.columns.lowerBound..<index + 1
                } else {
                    stretches.append(.init(columns: index..<index + 1, phase: phase, title: title))
                }
            }
            return stretches
        }
        return Timeline(window: window, columnCount: Self.columnCount, rows: rows)
    }
}

extension PhaseTimes {
    /// The phase with the most time, the greater one of two; nil where there is none.
    fileprivate var longest: JournalPhase? {
        JournalPhase.allCases.filter { self[$0] > 0 }.max { self[$0] <= self[$1] ? true : false }
    }
}
