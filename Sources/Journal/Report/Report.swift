import Console
import PhaseWatch

/// How long what was in each phase between two moments.
public struct Report: Sendable {
    public enum Grouping: String, CaseIterable, Sendable { case application, group, phase }

    public struct Row: Sendable {
        public var display = ""
        public var application = ""
        /// Of a report by groups.
        public var group: String?
        public var times: PhaseTimes
        /// Of a report by phases, the only one that `times` has.
        public var phase: ScenePhase?
        /// Where a tally has it.
        var place = Tally.Place(display: 0, subject: 0)
    }

    public let grouping: Grouping
    /// Milliseconds since 1970.
    public let window: Range<Int64>
    /// The most active first.
    public let rows: [Row]
    public let summary: JournalSummary
    /// The rows are of several displays, so that each must name its own.
    private let hasDisplays: Bool

    public init(_ tally: Tally) {
        (grouping, window, summary) = (tally.grouping, tally.window, tally.summary)
        let rows = Self.rows(of: tally)
        self.rows = grouping == .phase ? Self.phases(of: rows) : rows
        hasDisplays = Set(self.rows.map(\.display)).count > 1
    }

    /// What a row is called, as it may be shown.
    ///
    /// - Parameter width: How many columns it may have. The display is kept, since it tells rows of one name apart.
    public func name(_ row: Row, columns width: Int = .max) -> String {
        if let phase = row.phase { return phase.rawValue }
        let name = row.application + (row.group.map { "/" + $0 } ?? "")
        let display = hasDisplays ? " on \(row.display)".escapedForTerminal.fitted(toColumns: width / 2) : ""
        return name.escapedForTerminal.fitted(toColumns: width - display.columnCount) + display
    }

    private static func rows(of tally: Tally) -> [Row] {
        tally.times.map { place, times in
            let (display, name) = tally.names(of: place)
            return Row(
                display: display, application: name.text, group: name.group, times: times, place: place)
        }.sorted { one, other in
            let (left, right) = (one.times, other.times)
            // What has more time comes first, names go up.
            return (
                right.active, right.inactive, right.background, one.application, one.group ?? "", one.display
            ) < (
                left.active, left.inactive, left.background, other.application, other.group ?? "",
                other.display
            )
        }
    }

    private static func phases(of rows: [Row]) -> [Row] {
        ScenePhase.allCases.reversed().map { phase in
            var times = PhaseTimes()
            times[phase] = rows.reduce(0) { $0 + $1.times[phase] }
            return Row(times: times, phase: phase)
        }
    }
}

extension JournalSummary {
    /// What of the journal was left out, or has to be known to believe the rest; one sentence each.
    public var remarks: [String] {
        func were(_ count: Int) -> String { count == 1 ? "1 line was" : "\(count) lines were" }
        let skipped = [
            (unreadable, "cut off, or none of a journal"), (newer, "a newer version of xphase wrote them"),
            (duplicates, "they stand there twice"), (orphans, "the start of their run is missing"),
            (future, "of a time to come; was the clock wrong then?"),
        ]
        let times = steps == 1 ? "once" : "\(steps) times"
        return skipped.filter { $0.0 > 0 }.map { "\(were($0.0)) skipped: \($0.1)" }
            + (steps > 0
                ? ["the clock was set \(times) meanwhile: times of the day before that may be wrong"] : [])
    }
}
