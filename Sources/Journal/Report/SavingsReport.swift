import Console
import System

/// What reactions have saved between two moments, by application.
public struct SavingsReport: Sendable {
    /// Those that used the most before come first.
    public let rows: [Saving]

    public init(_ tally: Tally) {
        rows = tally.savings.values.sorted {
            ($1.processor, $1.held, $0.application) < ($0.processor, $0.held, $1.application)
        }
    }

    /// The sum of all rows.
    public var total: Saving {
        rows.reduce(into: Saving("")) { sum, row in
            sum.held += row.held
            sum.processor += row.processor
            sum.wakeUps = sum.wakeUps.addingWithinBounds(row.wakeUps)
            sum.memory = sum.memory.addingWithinBounds(row.memory)
        }
    }

    /// One object a row; times in seconds.
    public var json: [UInt8] {
        rows.flatMap { row in
            var line = JSONWriter()
            line.add("v", 1)
            line.add(row)
            return line.line()
        }
    }

    /// A line of names, then one for each row; times in seconds.
    public var csv: String {
        let cells = rows.map { row in
            [
                row.application, row.reactions.joined(separator: " "), TimeText.seconds(row.held),
                TimeText.seconds(row.processor), "\(row.wakeUps)", "\(row.memory)",
            ]
        }
        return CSV.text([["application", "reactions", "held", "processor", "wakeups", "memory"]] + cells)
    }
}

/// Tables for spreadsheets.
enum CSV {
    static func text(_ rows: [[String]]) -> String {
        rows.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// Names come from windows: no spreadsheet may take one for a formula.
    private static func cell(_ text: String) -> String {
        let first = text.unicodeScalars.first
        let plain = (first.map("=+-@".unicodeScalars.contains) ?? false ? "'" : "") + text.escapedForTerminal
        guard plain.contains(where: { ",\"".contains($0) }) else { return plain }
        return "\"\(plain.replacing("\"", with: "\"\""))\""
    }
}

extension Int {
    /// The sum; the greatest number where the lines of a journal give more.
    func addingWithinBounds(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
