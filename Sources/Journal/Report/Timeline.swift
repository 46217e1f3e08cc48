import PhaseWatch

/// What was in which phase when, for a picture: so many columns of the same time for each row.
public struct Timeline: Sendable {
    /// A stretch of one phase, in columns.
    struct Stretch: Equatable, Sendable {
        var columns: Range<Int>
        var phase: ScenePhase
        var title: String?
    }

    static let columnCount = 960

    let window: Range<Int64>
    /// In the order of the report's rows.
    let rows: [[Stretch]]

    /// - Parameters:
    ///   - tally: What the report was made of.
    ///   - report: By applications or groups.
    ///   - read: Adds all lines to the tally again, if the first reading has not kept enough.
    public init<Failure: Error>(
        of tally: Tally, _ report: Report, read: () throws(Failure) -> Void
    ) throws(Failure) {
        defer { tally.timeline = nil }
        let drawn = report.grouping == .phase ? [] : report.rows.prefix(TimelineBuilder.mostRows).map(\.place)
        window = report.window
        if let rows = tally.timeline?.rows(of: drawn) {
            self.rows = rows
            return
        }
        let builder = TimelineBuilder(report.window, of: drawn)
        tally.timeline = builder
        try read()
        rows = builder.rows(of: drawn) ?? []
    }
}

/// Adds up stretches of time by column.
final class TimelineBuilder {
    /// A picture has no more rows; what is less active shares one.
    static let mostRows = 40
    /// While it is not known yet which are the most active, at 40 kB each.
    private static let mostPlaces = 256

    private struct Column {
        var times = PhaseTimes()
        /// The title that was active for the longest time in it, and how long.
        var title: Int32?
        var titleTime: Int64 = 0
    }

    private struct Row {
        var columns = Array(repeating: Column(), count: Timeline.columnCount)
        /// The title now.
        var title: Int32?

        mutating func add(_ phase: ScenePhase, _ time: Int64, _ index: Int) {
            columns[index].times[phase] += time
            guard phase == .active, let title, time > columns[index].titleTime else { return }
            (columns[index].title, columns[index].titleTime) = (title, time)
        }
    }

    private let window: Range<Int64>
    /// Rows are made as they come.
    private let isOpen: Bool
    private var rows: [Tally.Place: Row] = [:]
    private var titles = Names()

    /// - Parameter places: What is wanted; nil for all that come, as far as there is room.
    init(_ window: Range<Int64>, of places: [Tally.Place]? = nil) {
        (self.window, isOpen) = (window, places == nil)
        for place in places ?? [] { rows[place] = Row() }
    }

    private func hasRow(_ place: Tally.Place) -> Bool {
        if rows[place] != nil { return true }
        guard isOpen, rows.count < Self.mostPlaces else { return false }
        rows[place] = Row()
        return true
    }

    func setTitle(_ title: String?, of place: Tally.Place) {
        guard hasRow(place) else { return }
        rows[place]?.title = title.map { Int32(titles.number(of: Name($0))) }
    }

    /// The next run of a display may keep no titles.
    func forgetTitles(of display: Int) {
        for place in rows.keys where place.display == display { rows[place]?.title = nil }
    }

    /// - Parameter time: Within the window.
    func add(_ phase: ScenePhase, _ time: Range<Int64>, at place: Tally.Place) {
        guard hasRow(place) else { return }
        let length = window.upperBound - window.lowerBound
        let count = Int64(Timeline.columnCount)
        var start = time.lowerBound
        while start < time.upperBound {
            let column = (start - window.lowerBound) * count / length
            // The first millisecond of the next column.
            let next = window.lowerBound + ((column + 1) * length + count - 1) / count
            let end = min(time.upperBound, max(next, start + 1))
            rows[place]?.add(phase, end - start, Int(column))
            start = end
        }
    }

    /// nil if something of it was not kept.
    func rows(of places: [Tally.Place]) -> [[Timeline.Stretch]]? {
        let found = places.compactMap { rows[$0] }
        return found.count == places.count ? found.map(stretches) : nil
    }

    private func stretches(_ row: Row) -> [Timeline.Stretch] {
        var stretches: [Timeline.Stretch] = []
        for (index, column) in row.columns.enumerated() {
            guard let phase = column.times.longest else { continue }
            let title = phase == .active ? column.title.map { titles[Int($0)].text } : nil
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
    fileprivate var longest: ScenePhase? {
        ScenePhase.allCases.filter { self[$0] > 0 }.max { self[$0] <= self[$1] }
    }
}
