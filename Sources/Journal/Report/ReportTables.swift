import Console
import PhaseWatch
import System

/// Output for programs.
extension Report {
    /// One JSON object per row; times in seconds.
    public var json: [UInt8] {
        rows.flatMap { row in
            var line = JSONWriter()
            line.add("v", 1)
            line.add("from", utc: Self.timestamp(window.lowerBound))
            line.add("to", utc: Self.timestamp(window.upperBound))
            for (key, name) in names(row) { line.add(key, name) }
            if grouping == .application { line.add("group", nil as String?) }
            for (key, time) in times(row) { line.add(key, seconds: .milliseconds(time)) }
            return line.line()
        }
    }

    /// A header line, then one line per row; times in seconds.
    public var csv: String {
        let empty = Row(times: PhaseTimes())
        let heading = names(empty).map { "\($0.key)" } + times(empty).map { "\($0.key)" }
        let cells = rows.map { row in
            names(row).map(\.name) + times(row).map { TimeText.seconds(.milliseconds($0.time)) }
        }
        return CSV.text([heading] + cells)
    }

    private func names(_ row: Row) -> [(key: StaticString, name: String)] {
        switch grouping {
        case .application: [("display", row.display), ("application", row.application)]
        case .group:
            [("display", row.display), ("application", row.application), ("group", row.group)]
        case .phase: [("phase", row.phase?.rawValue ?? "")]
        case .day: [("day", row.day.map { LocalTime($0).date } ?? "")]
        case .title: [("application", row.application), ("title", row.title)]
        case .category: [("category", row.category)]
        }
    }

    private func times(_ row: Row) -> [(key: StaticString, time: Int64)] {
        switch grouping {
        case .phase: [("time", row.times.all)]
        case .title: [("active", row.times.active)]
        case .application, .group, .day, .category:
            [
                ("active", row.times.active), ("inactive", row.times.inactive),
                ("background", row.times.background),
            ]
        }
    }

    private static func timestamp(_ milliseconds: Int64) -> Timestamp {
        Timestamp(seconds: Int(milliseconds / 1000), nanoseconds: Int(milliseconds % 1000) * 1_000_000)
    }
}
