import Console
import PhaseWatch
import System

/// The times in each phase between two moments, by row.
public struct Report: Sendable {
    public enum Grouping: String, CaseIterable, Sendable {
        case application, day, title
    }

    public struct Row: Sendable {
        public var times: PhaseTimes
        public var display = ""
        public var application = ""
        /// For reports by day: its first moment, in milliseconds since 1970.
        public var day: Int64?
        /// For reports by title; empty if no title was kept.
        public var title = ""
        /// The place of the row in the tally.
        var place: Tally.Place?
    }

    public let grouping: Grouping
    /// Milliseconds since 1970.
    public let window: Range<Int64>
    /// The most active first; days in calendar order.
    public let rows: [Row]
    public let summary: JournalSummary
    /// The range from the first to the last time at which anything was active or inactive.
    public let used: Range<Int64>?
    /// Whether the rows are of several displays, so each must name its display.
    private let hasDisplays: Bool

    public init(_ tally: Tally) {
        (grouping, window) = (tally.question.grouping, tally.question.window)
        (summary, used) = (tally.summary, tally.used)
        rows = grouping == .day ? Self.days(of: tally) : Self.rows(of: tally)
        hasDisplays = Set(rows.map(\.display)).count > 1
    }

    /// Returns the name of a row, escaped for display.
    ///
    /// - Parameter width: The maximum number of columns. The display is kept, because it distinguishes rows with the
    ///   same name.
    public func name(_ row: Row, columns width: Int = .max) -> String {
        let name =
            switch grouping {
            case .application: row.application
            case .day: row.day.map { LocalTime($0).dayName } ?? ""
            case .title: row.title.isEmpty ? "(no title)" : row.title
            }
        let display = hasDisplays ? " on \(row.display)".escapedForTerminal.fitted(toColumns: width / 2) : ""
        return name.escapedForTerminal.fitted(toColumns: width - display.columnCount) + display
    }

    private static func rows(of tally: Tally) -> [Row] {
        let isOfTitles = tally.question.grouping == .title
        let rows = tally.times.map { place, times in
            let (display, name) = tally.names(of: place)
            // A title is always that of the active scene.
            return isOfTitles
                ? Row(
                    times: PhaseTimes(active: times.active), application: name.text, title: name.group ?? "",
                    place: place)
                : Row(times: times, display: display, application: name.text, place: place)
        }
        return rows.filter { !isOfTitles || $0.times.active > 0 }.sorted {
            // More time comes first, then names in ascending order.
            ($1.times, $0.names) < ($0.times, $1.names)
        }
    }

    private static func days(of tally: Tally) -> [Row] {
        var sums = tally.days.map { Row(times: PhaseTimes(), day: $0) }
        for (place, times) in tally.times { sums[Int(place.day)].times += times }
        return sums
    }
}

/// Output for programs.
extension Report {
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
            line.add("active", seconds: .milliseconds(row.times.active))
            if grouping != .title {
                line.add("inactive", seconds: .milliseconds(row.times.inactive))
                line.add("background", seconds: .milliseconds(row.times.background))
            }
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

extension PhaseTimes: Comparable {
    /// Compares the times in the greatest phase, then those in the next ones.
    public static func < (one: PhaseTimes, other: PhaseTimes) -> Bool {
        (one.active, one.inactive, one.background) < (other.active, other.inactive, other.background)
    }

    static func += (sum: inout PhaseTimes, times: PhaseTimes) {
        for phase in ScenePhase.allCases { sum[phase] += times[phase] }
    }
}

extension JournalSummary {
    /// Notes on skipped lines, and on faults that make the rest less reliable; one sentence each.
    public var remarks: [String] {
        func were(_ count: Int) -> String { count == 1 ? "1 line was" : "\(count) lines were" }
        let skipped = [
            (unreadable, "incomplete, or not lines of a journal"),
            (newer, "a newer version of xphase wrote them"),
            (duplicates, "they are duplicates"), (orphans, "the start of their run is missing"),
            (future, "in the future; was the clock wrong then?"),
        ]
        let times = steps == 1 ? "once" : "\(steps) times"
        return skipped.filter { $0.0 > 0 }.map { "\(were($0.0)) skipped: \($0.1)" }
            + (steps > 0
                ? ["the clock was set \(times) in this period: times of the day before that may be wrong"]
                : [])
    }
}
