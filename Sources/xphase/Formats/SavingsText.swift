import Console
import Journal

/// The savings of reactions, for people: one line per application.
struct SavingsText {
    private static let longestName = 40

    let palette: Palette

    func text(_ report: SavingsReport) -> String {
        if report.rows.isEmpty { return "" }
        let names = report.rows.map { $0.application.escapedForTerminal.fitted(toColumns: Self.longestName) }
        let nameWidth = max(11, names.map(\.columnCount).max() ?? 0)
        func line(_ name: String, _ cells: [String], _ end: String) -> String {
            name.paddedToColumns(nameWidth) + cells.map { $0.padded(leftTo: 13) }.joined() + "  " + end
        }
        func line(_ name: String, _ row: Saving) -> String {
            let cells = [
                TimeText.spoken(row.held), TimeText.spoken(row.processor), Self.count(row.wakeUps),
                row.memory == 0 ? "-" : "\(row.memory >> 20) MB",
            ]
            return line(name, cells, row.reactions.joined(separator: ", "))
        }
        let heading = line("application", ["held", "processor", "wake-ups", "memory"], "by")
        var lines = [palette.strong(heading)] + zip(names, report.rows).map(line)
        if report.rows.count > 1 { lines.append(palette.strong(line("all", report.total))) }
        return lines.map { $0 + "\n" }.joined()
            + "\nProcessor time and wake-ups are estimates: the rate of about the minute before, times the time held.\n"
    }

    /// `812`, `12 k`, `3 M`.
    static func count(_ number: Int) -> String {
        number < 10_000 ? "\(number)" : number < 10_000_000 ? "\(number / 1000) k" : "\(number / 1_000_000) M"
    }
}
