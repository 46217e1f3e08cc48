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

    /// - Parameters:
    ///   - tally: What the report was made of.
    ///   - report: By applications or groups.
    ///   - read: Adds all lines to the tally again, if the first reading has not kept enough.
    public init<Failure: Error>(
        of tally: Tally, _ report: Report, read: () throws(Failure) -> Void
    ) throws(Failure) {
        defer { tally.timeline = nil }
        if let timeline = tally.timeline?.timeline(of: report) {
            self = timeline
            return
        }
        let builder = TimelineBuilder(report.window, of: report)
        tally.timeline = builder
        try read()
        self =
            builder.timeline(of: report) ?? Timeline(window: report.window, columnCount: 1, rows: [])
    }
}

/// Adds up stretches of time by column.
final class TimelineBuilder {
    /// A picture has no more rows; what is less active shares one.
    static let mostRows = 40
    /// While it is not known yet which are the most active, at 40 kB each.
    private static let mostPlaces = 256
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

        init(display: Int, subject: Int) { (self.display, self.subject) = (display, subject) }
        init(_ row: Report.Row) { (display, subject) = row.place }
    }

    private let window: Range<Int64>
    private var rows: [Place: Int] = [:]
    /// Rows are made as they come.
    private let isOpen: Bool
    private var columns: [[Column]] = []
    private var titles = NameTable()
    /// The title of each row now.
    private var current: [Int32] = []

    /// - Parameter report: Whose rows are wanted; nil for all that come, as far as there is room.
    init(_ window: Range<Int64>, of report: Report? = nil) {
        (self.window, isOpen) = (window, report == nil)
        for row in report.map(Self.drawn) ?? [] { _ = makeRow(Place(row)) }
    }

    private static func drawn(_ report: Report) -> ArraySlice<Report.Row> {
        report.grouping == .phase ? [] : report.rows.prefix(mostRows)
    }

    private func row(_ display: Int, _ subject: Int) -> Int? {
        let place = Place(display: display, subject: subject)
        return rows[place] ?? (isOpen && columns.count < Self.mostPlaces ? makeRow(place) : nil)
    }

    private func makeRow(_ place: Place) -> Int {
        rows[place] = columns.count
        columns.append(Array(repeating: Column(), count: Self.columnCount))
        current.append(-1)
        return columns.count - 1
    }

    func setTitle(_ title: JournalLine.Text?, display: Int, subject: Int) {
        guard let row = row(display, subject) else { return }
        current[row] = title.map { Int32(titles.number(of: $0)) } ?? -1
    }

    /// The next run of a display may keep no titles.
    func forgetTitles(of display: Int) {
        for (place, row) in rows where place.display == display { current[row] = -1 }
    }

    /// - Parameter time: Within the window.
    func add(_ phase: JournalPhase, _ time: Range<Int64>, display: Int, subject: Int) {
        guard let row = row(display, subject) else { return }
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

    /// nil if something of it was not kept.
    func timeline(of report: Report) -> Timeline? {
        let drawn = Self.drawn(report)
        let found = drawn.compactMap { rows[Place($0)] }
        guard found.count == drawn.count else { return nil }
        return Timeline(
            window: window, columnCount: Self.columnCount, rows: found.map { stretches(columns[$0]) })
    }

    private func stretches(_ columns: [Column]) -> [Timeline.Stretch] {
        var stretches: [Timeline.Stretch] = []
        for (index, column) in columns.enumerated() {
            guard let phase = column.times.longest else { continue }
            let title = phase == .active && column.title >= 0 ? titles.parts(Int(column.title)).first : nil
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
}

extension PhaseTimes {
    /// The phase with the most time, the greater one of two; nil where there is none.
    fileprivate var longest: JournalPhase? {
        JournalPhase.allCases.filter { self[$0] > 0 }.max { self[$0] <= self[$1] ? true : false }
    }
}
