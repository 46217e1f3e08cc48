import Console
import Journal
import PhaseWatch

/// A report for people: a line a row, with a bar.
struct ReportText {
    private static let longestName = 36
    private static let timeWidth = 12

    let palette: Palette
    /// Of the terminal, in columns.
    let width: Int

    func text(_ report: Report) -> String {
        let names = report.rows.map { report.name($0, columns: Self.longestName) }
        let nameWidth = max(report.grouping.rawValue.count, names.map(\.columnCount).max() ?? 0)
        var heading = report.grouping.rawValue.padded(to: nameWidth)
        for phase in Self.phases { heading += phase.rawValue.padded(leftTo: Self.timeWidth) }
        let barWidth = width - nameWidth - Self.phases.count * Self.timeWidth - 2
        let most = report.rows.map(\.times.all).max() ?? 0
        var lines = [palette.faint(summary(report)), "", palette.strong(heading)]
        for (row, name) in zip(report.rows, names) {
            var line = name.paddedToColumns(nameWidth)
            for phase in Self.phases {
                let time = row.times[phase]
                let text = time == 0 ? "-" : TimeText.short(.milliseconds(time))
                line += text.padded(leftTo: Self.timeWidth)
            }
            lines.append(line + bar(row.times, of: most, width: barWidth))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static let phases = ScenePhase.allCases.reversed() as [ScenePhase]

    private func summary(_ report: Report) -> String {
        let (from, to) = (LocalTime(report.window.lowerBound), LocalTime(report.window.upperBound))
        let end = from.date == to.date ? to.clock : "\(to.date) \(to.clock)"
        let summary = report.summary
        let parts = [
            ("watched", summary.watched), ("locked, off or away", summary.hidden),
            ("asleep", summary.suspended),
        ]
        let times = parts.filter { $0.1 > 0 }.map { "\($0.0) \(TimeText.short(.milliseconds($0.1)))" }
        return (["\(from.date) \(from.clock) to \(end)"] + times).joined(separator: ", ")
    }

    private func bar(_ times: PhaseTimes, of most: Int64, width: Int) -> String {
        guard width >= 8, most > 0 else { return "" }
        var (text, sum, drawn) = (times.all > 0 ? "  " : "", Int64(0), 0)
        for phase in Self.phases {
            sum += times[phase]
            let end = Int(Double(sum) / Double(most) * Double(width) + 0.5)
            let block = String(repeating: phase.block, count: max(0, end - drawn))
            text += block.isEmpty ? "" : palette.phase(block, phase)
            drawn = max(drawn, end)
        }
        return text
    }
}

extension ScenePhase {
    fileprivate var block: String {
        switch self {
        case .background: "░"
        case .inactive: "▒"
        case .active: "█"
        }
    }
}
