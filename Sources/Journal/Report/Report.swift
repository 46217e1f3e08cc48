import Console
import PhaseWatch
import System

/// The times in each phase between two moments, by row.
public struct Report: Sendable {
    public enum Grouping: String, CaseIterable, Sendable {
        case application, day, title
    }

    public struct Row: Sendable {
        /// Only active time for reports by day, in which it is the time in use, and for reports by title.
        public var times: PhaseTimes
        public var display = ""
        public var application = ""
        /// For reports by title; empty if no title was kept.
        public var title = ""
        /// For reports by day: its first moment, in milliseconds since 1970.
        public var day: Int64?
    }

    public let grouping: Grouping
    /// Milliseconds since 1970.
    public let window: Range<Int64>
    /// The most active first; days in calendar order.
    public let rows: [Row]
    public let summary: JournalSummary
    /// Whether the rows are of several displays, so each must name its display.
    private let hasDisplays: Bool

    public init(_ tally: Tally) {
        let grouping = tally.grouping
        (self.grouping, window, summary) = (grouping, tally.window, tally.summary)
        if grouping == .day {
            rows = zip(tally.bounds, tally.use).map { Row(times: PhaseTimes(active: $1), day: $0) }
        } else {
            rows = tally.times.map { place, times in
                Row(
                    times: grouping == .title ? PhaseTimes(active: times.active) : times,
                    display: place.display, application: place.application, title: place.title ?? "")
            }
            .filter { $0.times.all > 0 }
            // More time comes first, then names in ascending order.
            .sorted { ($1.times, $0.names) < ($0.times, $1.names) }
        }
        hasDisplays = Set(rows.map(\.display)).count > 1
    }

    /// The phases of which rows have times, the greatest first.
    public var phases: [ScenePhase] { grouping == .application ? ScenePhase.allCases.reversed() : [.active] }

    public var isEmpty: Bool { rows.allSatisfy { $0.times.all == 0 } }

    /// `Sun 22 Nov 2026, 00:00 to 14:05`, or the days with their times.
    public var period: String {
        let (from, to) = (LocalTime(window.lowerBound), LocalTime(window.upperBound))
        let isOneDay = from.date == LocalTime(window.upperBound - 1).date
        return from.text(isOneDay ? "%a %-d %b %Y, %H:%M" : "%a %-d %b %Y %H:%M") + " to "
            + to.text(isOneDay ? "%H:%M" : "%a %-d %b %Y %H:%M")
    }

    /// Returns the name of a row, escaped for display.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - width: The maximum number of columns. The display is kept, because it distinguishes rows with the same name.
    public func name(_ row: Row, columns width: Int = .max) -> String {
        let name =
            switch grouping {
            case .application: row.application
            case .day: row.day.map { LocalTime($0).text("%a %-d %b") } ?? ""
            case .title: row.title.isEmpty ? "(no title) \(row.application)" : row.title
            }
        let display = hasDisplays ? " on \(row.display)".escapedForTerminal.fitted(toColumns: width / 2) : ""
        return name.escapedForTerminal.fitted(toColumns: width - display.columnCount) + display
    }

    /// One JSON object per row; times in seconds.
    public var json: [UInt8] {
        rows.flatMap { row in
            var line = JSONWriter()
            line.add("v", 1)
            line.add("from", utc: Self.timestamp(window.lowerBound))
            line.add("to", utc: Self.timestamp(window.upperBound))
            if grouping == .application { line.add("display", row.display) }
            if grouping != .day { line.add("application", row.application) }
            if grouping == .title { line.add("title", row.title) }
            if let day = row.day { line.add("day", LocalTime(day).date) }
            for phase in phases { line.add(phase.rawValue, seconds: .milliseconds(row.times[phase])) }
            return line.line()
        }
    }

    private static func timestamp(_ milliseconds: Int64) -> Timestamp {
        Timestamp(seconds: Int(milliseconds / 1000), nanoseconds: Int(milliseconds % 1000) * 1_000_000)
    }
}

extension Report.Row {
    fileprivate var names: String { [application, title, display].joined(separator: "\0") }
}

/// Milliseconds for each phase.
public struct PhaseTimes: Hashable, Sendable {
    public var active: Int64 = 0
    public var inactive: Int64 = 0
    public var background: Int64 = 0

    public subscript(phase: ScenePhase) -> Int64 {
        get { self[keyPath: Self.path(phase)] }
        set { self[keyPath: Self.path(phase)] = newValue }
    }

    private static func path(_ phase: ScenePhase) -> WritableKeyPath<PhaseTimes, Int64> {
        switch phase {
        case .active: \.active
        case .inactive: \.inactive
        case .background: \.background
        }
    }

    public var all: Int64 { background + inactive + active }

    static func += (sum: inout PhaseTimes, times: PhaseTimes) {
        for phase in ScenePhase.allCases { sum[phase] += times[phase] }
    }
}

extension PhaseTimes: Comparable {
    /// Compares the times in the greatest phase, then those in the next ones.
    public static func < (one: PhaseTimes, other: PhaseTimes) -> Bool {
        (one.active, one.inactive, one.background) < (other.active, other.inactive, other.background)
    }
}
