import Console

/// How long what was in each phase between two moments.
public struct Report: Sendable {
    public enum Grouping: String, CaseIterable, Sendable { case application, group, phase }

    public struct Row: Sendable {
        public var display: String
        public var application: String
        /// Of a report by groups.
        public var group: String?
        public var times: PhaseTimes
        /// Of a report by phases, the only one that `times` has.
        public var phase: JournalPhase?
        /// Where a tally has it.
        var place = (display: 0, subject: 0)
    }

    public let grouping: Grouping
    /// Milliseconds since 1970.
    public let window: Range<Int64>
    /// The most active first.
    public let rows: [Row]
    public let summary: JournalSummary
    /// The rows are of several displays, so that each must name its own.
    private let hasDisplays: Bool

    public init(_ tally: Tally, by grouping: Grouping) {
        self.grouping = grouping
        window = tally.window
        summary = tally.summary
        let rows = Self.rows(of: tally)
        self.rows = grouping == .phase ? Self.phases(of: rows) : rows
        hasDisplays = Set(self.rows.map(\.display)).count > 1
    }

    /// What a row is called, as it may be shown.
    ///
    /// - Parameter width: How many columns it may have. The display is kept, since it tells rows of one name apart.
    public func name(_ row: Row, columns width: Int = .max) -> String {
        if let phase = row.phase { return phase.word }
        let name = row.application + (row.group.map { "/" + $0 } ?? "")
        let display = hasDisplays ? " on \(row.display)".escapedForTerminal.fitted(toColumns: width / 2) : ""
        return name.escapedForTerminal.fitted(toColumns: width - display.columnCount) + display
    }

    private static func rows(of tally: Tally) -> [Row] {
        var rows: [Row] = []
        for (display, subjects) in tally.times.enumerated() {
            for (subject, times) in subjects.enumerated() where times.all > 0 {
                let names =
                    tally.level == .group
                    ? tally.groups.parts(subject) : tally.applications.parts(subject)
                rows.append(
                    Row(
                        display: tally.displayName(display), application: names.first, group: names.second,
                        times: times, place: (display, subject)))
            }
        }
        return rows.sorted { one, other in
            let (left, right) = (one.times, other.times)
            if left.active != right.active { return left.active > right.active }
            if left.inactive != right.inactive { return left.inactive > right.inactive }
            if left.background != right.background { return left.background > right.background }
            return (one.application, one.group ?? "", one.display)
                < (other.application, other.group ?? "", other.display)
        }
    }

    private static func phases(of rows: [Row]) -> [Row] {
        JournalPhase.allCases.reversed().map { phase in
            var times = PhaseTimes()
            times[phase] = rows.reduce(0) { $0 + $1.times[phase] }
            return Row(display: "", application: "", times: times, phase: phase)
        }
    }
}

extension JournalPhase {
    public var word: String {
        switch self {
        case .background: "background"
        case .inactive: "inactive"
        case .active: "active"
        }
    }
}

extension JournalSummary {
    /// What of the journal was left out, or has to be known to believe the rest; one sentence each.
    public var remarks: [String] {
        func were(_ count: Int) -> String { count == 1 ? "1 line was" : "\(count) lines were" }
        var remarks: [String] = []
        if unreadable > 0 { remarks.append("\(were(unreadable)) skipped: cut off, or none of a journal") }
        if newer > 0 { remarks.append("\(were(newer)) skipped: a newer version of xphase wrote them") }
        if duplicates > 0 { remarks.append("\(were(duplicates)) skipped: they stand there twice") }
        if orphans > 0 { remarks.append("\(were(orphans)) skipped: the start of their run is missing") }
        if future > 0 {
            remarks.append("\(were(future)) skipped: of a time to come; was the clock wrong then?")
        }
        if steps > 0 {
            let times = steps == 1 ? "once" : "\(steps) times"
            remarks.append("the clock was set \(times) meanwhile: times of the day before that may be wrong")
        }
        return remarks
    }
}
