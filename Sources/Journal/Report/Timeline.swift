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
    ///   - read: Adds all lines of the journal to another tally.
    public init(
        of tally: Tally, _ report: Report, isCut: Bool = false, read: (Tally) throws -> Void
    ) rethrows {
        let window = isCut ? Self.cut(report.window, to: tally.used) : report.window
        let bounds = (0...Int64(Self.columnCount)).map {
            window.lowerBound + window.length * $0 / Int64(Self.columnCount)
        }
        let shown = report.rows.prefix(Self.mostRows)
        let columns = Tally(
            by: .application, window: window, applications: tally.applications,
            timeline: (bounds, Set(shown.map(\.application))))
        try read(columns)
        let cells = Dictionary(grouping: columns.times) { [$0.key.display, $0.key.application] }
        rows = shown.map { Self.stretches(of: cells[[$0.display, $0.application]] ?? []) }
        self.window = window
    }

    private static func cut(_ window: Range<Int64>, to used: Range<Int64>?) -> Range<Int64> {
        guard let used else { return window }
        let start = used.lowerBound / step * step
        let end = (used.upperBound + step - 1) / step * step
        return max(start, window.lowerBound)..<min(end, window.upperBound)
    }

    /// Each column has the phase with the most time, the greater one if times are equal, and the title with the most
    /// active time.
    private static func stretches(of times: [(key: Tally.Key, value: Tally.Sum)]) -> [Stretch] {
        var stretches: [Stretch] = []
        let columns = Dictionary(grouping: times, by: \.key.part)
        for index in columns.keys.sorted() {
            let cells = columns[index] ?? []
            let sums = Dictionary(cells.map { ($0.key.phase, $0.value.time) }, uniquingKeysWith: +)
            guard let phase = sums.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else { continue }
            let title = cells.filter { $0.key.phase == phase }
                .max { ($0.value.time, $0.key.title ?? "") < ($1.value.time, $1.key.title ?? "") }?.key.title
            if let last = stretches.last, last.columns.upperBound == index, last.phase == phase,
                last.title == title
            {
                stretches[stretches.count - 1].columns = last.columns.lowerBound..<index + 1
            } else {
                stretches.append(Stretch(columns: index..<index + 1, phase: phase, title: title))
            }
        }
        return stretches
    }
}
