import PhaseWatch

/// The phases of each row over time, for a picture. Each row has `columnCount` columns of equal time.
public struct Timeline: Sendable {
    /// A stretch of one phase, in columns.
    struct Stretch: Equatable, Sendable {
        var columns: Range<Int>
        var phase: ScenePhase
        var title: String?
    }

    static let columnCount = 960
    /// The maximum number of rows of a picture; less active ones share a row.
    static let mostRows = 40
    /// Windows are cut to multiples of this.
    private static let step: Int64 = 5 * 60_000

    let window: Range<Int64>
    /// In the order of the report's rows.
    let rows: [[Stretch]]

    /// - Parameters:
    ///   - tally: The tally of the report.
    ///   - report: A report by application.
    ///   - isCut: Whether to omit the time before the first use of anything and after the last one.
    ///   - read: Adds all lines to the tally again.
    public init<Failure: Error>(
        of tally: Tally, _ report: Report, isCut: Bool = false, read: () throws(Failure) -> Void
    ) throws(Failure) {
        window = isCut ? Self.cut(report.window, to: report.used) : report.window
        let places = report.rows.prefix(Self.mostRows).compactMap(\.place)
        let builder = TimelineBuilder(window, of: places)
        tally.timeline = builder
        defer { tally.timeline = nil }
        try read()
        rows = places.map(builder.stretches)
    }

    private static func cut(_ window: Range<Int64>, to used: Range<Int64>?) -> Range<Int64> {
        guard let used else { return window }
        let start = used.lowerBound / step * step
        let end = (used.upperBound + step - 1) / step * step
        return max(start, window.lowerBound)..<min(end, window.upperBound)
    }
}

/// The sums of stretches of time by column.
final class TimelineBuilder {
    fileprivate struct Column {
        var times = PhaseTimes()
        /// The title of the longest active stretch in the column, and the length of the stretch.
        var title: Int32?
        var titleTime: Int64 = 0
    }

    private let window: Range<Int64>
    private var rows: [Tally.Place: [Column]] = [:]
    private var titles = Names()

    init(_ window: Range<Int64>, of places: [Tally.Place]) {
        self.window = window
        for place in places { rows[place] = Array(repeating: Column(), count: Timeline.columnCount) }
    }

    func add(_ phase: ScenePhase, _ time: Range<Int64>, at place: Tally.Place, title: String?) {
        let time = time.clamped(to: window)
        guard rows[place] != nil else { return }
        let title = phase == .active ? title.map { Int32(titles.number(of: Name($0))) } : nil
        let length = window.upperBound - window.lowerBound
        let count = Int64(Timeline.columnCount)
        var start = time.lowerBound
        while start < time.upperBound {
            let column = Int((start - window.lowerBound) * count / length)
            // The first millisecond of the next column.
            let next = window.lowerBound + ((Int64(column) + 1) * length + count - 1) / count
            let end = min(time.upperBound, max(next, start + 1))
            rows[place]?[column].add(phase, end - start, title)
            start = end
        }
    }

    func stretches(of place: Tally.Place) -> [Timeline.Stretch] {
        var stretches: [Timeline.Stretch] = []
        for (index, column) in (rows[place] ?? []).enumerated() {
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

extension TimelineBuilder.Column {
    fileprivate mutating func add(_ phase: ScenePhase, _ time: Int64, _ title: Int32?) {
        times[phase] += time
        guard let title, time > titleTime else { return }
        (self.title, titleTime) = (title, time)
    }
}

extension PhaseTimes {
    /// The phase with the most time, the greater one if times are equal; nil if there is no time.
    fileprivate var longest: ScenePhase? {
        ScenePhase.allCases.filter { self[$0] > 0 }.max { self[$0] <= self[$1] }
    }
}
