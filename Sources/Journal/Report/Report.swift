import Console
import PhaseWatch
import System

/// The times in each phase between two moments, by row.
public struct Report: Sendable {
    public enum Grouping: String, CaseIterable, Sendable {
        case application, day, title, visit

        /// The phases of which rows have times, the greatest first.
        public var phases: [ScenePhase] {
            switch self {
            case .application: ScenePhase.allCases.reversed()
            case .day, .title, .visit: [.active]
            }
        }

        /// The headings of the columns of times.
        public var headings: [String] {
            switch self {
            case .application, .title, .visit: phases.map(\.rawValue)
            case .day: ["in use"]
            }
        }

        /// What an application without a row was not.
        public var state: String {
            switch self {
            case .application: "open"
            case .day, .title, .visit: "active"
            }
        }

        /// The keys of the configuration that a journal needs.
        public var keys: String {
            switch self {
            case .application, .day, .visit: "'journal = true'"
            case .title: "'journal = true' and 'titles = true'"
            }
        }

        /// Whether rows have titles.
        public var hasTitles: Bool {
            switch self {
            case .application, .day: false
            case .title, .visit: true
            }
        }

        /// The starts of the parts of a window for which time is summed up.
        func starts(of window: Range<Int64>) -> [Int64] {
            switch self {
            case .application, .title, .visit: return [window.lowerBound]
            case .day:
                let first = LocalTime(window.lowerBound)
                return (0...).lazy.map { first.day($0).milliseconds }.prefix { $0 < window.upperBound }.map(
                    \.self)
            }
        }
    }

    public struct Row: Sendable {
        public var display = ""
        public var application = ""
        /// For reports by title and by visit; empty if no title was kept.
        public var title = ""
        /// For reports by day: its first moment, in milliseconds since 1970.
        public var day: Int64?
        /// For reports by visit: its period, in milliseconds since 1970.
        public var visit: Range<Int64>?
        /// Milliseconds in each phase. Only active time for other reports than those by application; by day, it is the
        /// time in use.
        public var times: [ScenePhase: Int64] = [:]
        /// For reports by application: how often it became active.
        public var visits = 0
        /// For reports by application: the phase of an application that is present now, and when it began.
        public var present: (phase: ScenePhase, since: Int64)?

        public var active: Int64 { times[.active, default: 0] }
        public var all: Int64 { times.values.reduce(0, +) }
    }

    public let grouping: Grouping
    /// Milliseconds since 1970.
    public let window: Range<Int64>
    /// The most active first; days and visits in calendar order.
    public let rows: [Row]
    public let summary: JournalSummary
    /// Whether the rows are of several displays, so each must name its display.
    private let hasDisplays: Bool
    /// Whether the rows are of several applications, so each title must name its application.
    private let hasApplications: Bool

    public init(_ tally: Tally) {
        let grouping = tally.grouping
        (self.grouping, window, summary) = (grouping, tally.window, tally.summary)
        switch grouping {
        case .day:
            rows = zip(tally.bounds, tally.use).map { Row(day: $0, times: [.active: $1]) }
        case .visit:
            rows = tally.visits.map { visit in
                Row(
                    display: visit.display, application: visit.application, title: visit.title ?? "",
                    visit: visit.time, times: [.active: visit.time.length])
            }.sorted { ($0.start, $0.application, $0.display) < ($1.start, $1.application, $1.display) }
        case .application, .title:
            var rows: [[String]: Row] = [:]
            for (key, sum) in tally.times where grouping.phases.contains(key.phase) {
                let row = Row(
                    display: key.display, application: key.application, title: key.title ?? "",
                    present: tally.present[[key.display, key.application]])
                rows[row.names, default: row].times[key.phase, default: 0] += sum.time
                rows[row.names, default: row].visits += sum.visits
            }
            // More time comes first, then names in ascending order.
            self.rows = rows.values.sorted { one, other in
                one.ranks == other.ranks
                    ? one.names.lexicographicallyPrecedes(other.names)
                    : other.ranks.lexicographicallyPrecedes(one.ranks)
            }
        }
        hasDisplays = Set(rows.map(\.display)).count > 1
        hasApplications = Set(rows.map(\.application)).count > 1
    }

    public var phases: [ScenePhase] { grouping.phases }

    public var isEmpty: Bool { rows.allSatisfy { $0.all == 0 } }

    public var isOfOneDay: Bool {
        LocalTime(window.lowerBound).date == LocalTime(window.upperBound - 1).date
    }

    /// `Sun 22 Nov 2026, 00:00 to 14:05`; whole days have no times.
    public var period: String {
        let (from, to) = (LocalTime(window.lowerBound), LocalTime(window.upperBound))
        let last = LocalTime(window.upperBound - 1)
        let areWhole = from.clock == "00:00" && to.clock == "00:00"
        let (day, moment) = ("%a %-d %b %Y", "%a %-d %b %Y %H:%M")
        if isOfOneDay {
            return from.text(day) + (areWhole ? "" : ", \(from.clock) to \(to.clock)")
        }
        return areWhole
            ? "\(from.text(day)) to \(last.text(day))" : "\(from.text(moment)) to \(to.text(moment))"
    }

    /// Returns the name of a row, escaped for display.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - width: The maximum number of columns. The display is kept, because it distinguishes rows with the same name.
    public func name(_ row: Row, columns width: Int = .max) -> String {
        let name =
            switch grouping {
            case .application, .visit: row.application
            case .day: row.day.map { LocalTime($0).text("%a %-d %b") } ?? ""
            case .title where row.title.isEmpty: "(no title) \(row.application)"
            case .title: hasApplications ? "\(row.application): \(row.title)" : row.title
            }
        let display = hasDisplays ? " on \(row.display)".escapedForTerminal.fitted(toColumns: width / 2) : ""
        return name.escapedForTerminal.fitted(toColumns: width - display.columnCount) + display
    }

    /// One JSON object per row; times in seconds.
    public var json: [UInt8] {
        rows.flatMap { row in
            let application = ("application", FieldValue.text(row.application))
            let names: [(key: String, value: FieldValue)] =
                switch grouping {
                case .application: [("display", .text(row.display)), application]
                case .day: [("day", .text(row.day.map { LocalTime($0).date }))]
                case .title: [application, ("title", .text(row.title))]
                case .visit:
                    [
                        ("display", .text(row.display)), application,
                        ("title", .text(row.title.isEmpty ? nil : row.title)),
                    ]
                }
            let visits = grouping == .application ? [("visits", FieldValue.number(row.visits))] : []
            let period = row.visit ?? window
            let times = phases.map { phase in
                (phase.rawValue, FieldValue.seconds(.milliseconds(row.times[phase, default: 0])))
            }
            return [UInt8](
                jsonLine: [
                    ("v", .number(1)), ("from", .time(Timestamp(milliseconds: period.lowerBound))),
                    ("to", .time(Timestamp(milliseconds: period.upperBound))),
                ] + names + times + visits)
        }
    }
}

extension Report.Row {
    fileprivate var ranks: [Int64] { ScenePhase.allCases.reversed().map { times[$0, default: 0] } }
    fileprivate var start: Int64 { visit?.lowerBound ?? 0 }
    fileprivate var names: [String] { [application, title, display] }
}
