import Console
import Journal
import PhaseWatch

/// A report for people: one line per row, with a bar of its active time.
struct ReportText {
    private static let longestName = 48
    private static let timeWidth = 13
    /// The width of the text after a bar: ` 100 %`.
    private static let percentWidth = 6

    let palette: Palette
    /// The width of the terminal, in columns.
    let width: Int

    /// - Returns: The table; empty if the journal covers none of the time.
    func text(_ report: Report) -> String {
        if report.rows.isEmpty && times(report.summary).isEmpty { return "" }
        let phases = report.grouping == .title ? [.active] : ScenePhase.allCases.reversed() as [ScenePhase]
        let left = width - phases.count * Self.timeWidth - Self.percentWidth
        let names = report.rows.map { report.name($0, columns: max(12, min(Self.longestName, left))) }
        let nameWidth = max(report.grouping.rawValue.count, names.map(\.columnCount).max() ?? 0)
        var heading = report.grouping.rawValue.padded(to: nameWidth)
        for phase in phases { heading += phase.rawValue.padded(leftTo: Self.timeWidth) }
        let sum = report.rows.reduce(0) { $0 + $1.times.active }
        let most = report.rows.map(\.times.active).max() ?? 0
        var lines = [palette.faint(summary(report)), "", palette.strong(heading)]
        for (row, name) in zip(report.rows, names) {
            var line = name.paddedToColumns(nameWidth)
            for phase in phases {
                let time = row.times[phase]
                let text = time == 0 ? "-" : TimeText.spoken(.milliseconds(time))
                line += text.padded(leftTo: Self.timeWidth)
            }
            let bar = bar(row.times.active, of: most, width: left - nameWidth - 2)
            lines.append(line + bar + percent(row.times.active, of: sum))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func summary(_ report: Report) -> String {
        let (from, to) = (LocalTime(report.window.lowerBound), LocalTime(report.window.upperBound))
        let end = from.date == to.date ? to.clock : "\(to.date) \(to.clock)"
        return (["\(from.date) \(from.clock) to \(end)"] + times(report.summary)).joined(separator: ", ")
    }

    private func times(_ summary: JournalSummary) -> [String] {
        let parts = [
            ("watched", summary.watched), ("locked, off or away", summary.hidden),
            ("asleep", summary.suspended),
        ]
        return parts.filter { $0.1 > 0 }.map { "\($0.0) \(TimeText.spoken(.milliseconds($0.1)))" }
    }

    private func bar(_ time: Int64, of most: Int64, width: Int) -> String {
        guard width >= 8, time > 0 else { return "" }
        let length = Int(Double(time) / Double(most) * Double(width) + 0.5)
        return "  " + (length == 0 ? "" : palette.phase(String(repeating: "█", count: length), .active))
    }

    private func percent(_ time: Int64, of sum: Int64) -> String {
        if time == 0 { return "" }
        let percent = Int(Double(time) / Double(sum) * 100 + 0.5)
        return percent == 0 ? "  <1 %" : "  \(percent) %"
    }
}
