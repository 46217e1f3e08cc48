import Console
import PhaseWatch

/// The times in each phase between two moments, by row.
public struct Report: Sendable {
    public enum Grouping: String, CaseIterable, Sendable {
        case application, group, phase, day, title, category
    }

    public struct Row: Sendable {
        public var times: PhaseTimes
        public var display = ""
        public var application = ""
        /// For reports by group.
        public var group = ""
        /// For reports by phase: the only phase in `times`.
        public var phase: ScenePhase?
        /// For reports by day: its first moment, in milliseconds since 1970.
        public var day: Int64?
        /// For reports by title; empty if no title was kept.
        public var title = ""
        /// For reports by category; empty if no category matches.
        public var category = ""
        /// The times of each day of the window, if requested; otherwise empty.
        var days: [PhaseTimes] = []
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
    /// The days of the window, if requested; otherwise empty.
    let days: [Day]
    /// Whether the rows are of several displays, so each must name its display.
    private let hasDisplays: Bool

    struct Day: Sendable {
        /// The first moment of the day, in milliseconds since 1970.
        var start: Int64
        /// The parts of the day in which anything was active; a day has `Tally.partCount` parts.
        var used: Set<Int>
    }

    public init(_ tally: Tally) {
        (grouping, window) = (tally.question.grouping, tally.question.window)
        (summary, used) = (tally.summary, tally.used)
        days = tally.days.enumerated().map { Day(start: $1, used: tally.usedParts[Int32($0)] ?? []) }
        rows =
            switch grouping {
            case .phase: Self.phases(of: tally)
            case .day: Self.days(of: tally)
            case .application, .group, .title, .category: Self.rows(of: tally)
            }
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
            case .group: "\(row.application)/\(row.group)"
            case .phase: row.phase?.rawValue ?? ""
            case .day: row.day.map { LocalTime($0).dayName } ?? ""
            case .title: row.title.isEmpty ? "(no title)" : row.title
            case .category: row.category.isEmpty ? "(none)" : row.category
            }
        let display = hasDisplays ? " on \(row.display)".escapedForTerminal.fitted(toColumns: width / 2) : ""
        return name.escapedForTerminal.fitted(toColumns: width - display.columnCount) + display
    }

    private static func rows(of tally: Tally) -> [Row] {
        let grouping = tally.question.grouping
        var rows: [Tally.Place: Row] = [:]
        for (place, times) in tally.times {
            var whole = place
            whole.day = 0
            let (display, name) = tally.names(of: place)
            var row = rows[whole] ?? Row(times: PhaseTimes(), place: whole)
            switch grouping {
            case .category: row.category = name.text
            case .title: (row.application, row.title) = (name.text, name.group ?? "")
            default: (row.display, row.application, row.group) = (display, name.text, name.group ?? "")
            }
            // A title is always that of the active scene.
            row.times += grouping == .title ? PhaseTimes(active: times.active) : times
            if !tally.days.isEmpty {
                if row.days.isEmpty { row.days = Array(repeating: PhaseTimes(), count: tally.days.count) }
                row.days[Int(place.day)] += times
            }
            rows[whole] = row
        }
        return rows.values.filter { grouping != .title || $0.times.active > 0 }.sorted {
            // More time comes first, then names in ascending order.
            ($1.times, $0.names) < ($0.times, $1.names)
        }
    }

    private static func phases(of tally: Tally) -> [Row] {
        let sum = tally.times.values.reduce(into: PhaseTimes()) { $0 += $1 }
        return ScenePhase.allCases.reversed().map { phase in
            var times = PhaseTimes()
            times[phase] = sum[phase]
            return Row(times: times, phase: phase)
        }
    }

    private static func days(of tally: Tally) -> [Row] {
        var sums = tally.days.map { Row(times: PhaseTimes(), day: $0) }
        for (place, times) in tally.times { sums[Int(place.day)].times += times }
        return sums
    }
}

extension Report.Row {
    fileprivate var names: String { [category, application, group, title, display].joined(separator: "\0") }
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
