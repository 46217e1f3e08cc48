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

    func text(_ report: Report) -> String {
        let left = width - report.phases.count * Self.timeWidth - Self.percentWidth
        let names = report.rows.map { report.name($0, columns: max(12, min(Self.longestName, left))) }
        let nameWidth = max(report.grouping.rawValue.count, names.map(\.columnCount).max() ?? 0)
        let titles = report.grouping == .day ? ["in use"] : report.phases.map(\.rawValue)
        let heading = titles.reduce(report.grouping.rawValue.padded(to: nameWidth)) {
            $0 + $1.padded(leftTo: Self.timeWidth)
        }
        let sum = report.rows.reduce(0) { $0 + $1.active }
        let most = report.rows.map(\.active).max() ?? 0
        let summary = ([report.period] + report.summary.times).joined(separator: ", ")
        let lines = zip(report.rows, names).map { row, name in
            let times = report.phases.map {
                TimeText.spoken(row.times[$0, default: 0]).padded(leftTo: Self.timeWidth)
            }
            return name.padded(to: nameWidth) + times.joined()
                + bar(row.active, of: most, width: left - nameWidth - 2)
                + percent(row.active, of: sum)
        }
        return ([palette.faint(summary), "", palette.strong(heading)] + lines).map { $0 + "\n" }
            .joined()
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
