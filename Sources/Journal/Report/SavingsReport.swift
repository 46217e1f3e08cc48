import Console
import System

/// The savings of reactions between two moments, by application.
public struct SavingsReport: Sendable {
    /// The greatest processor time first, then the longest hold.
    public let rows: [Saving]

    /// - Parameter present: The savings of reactions that hold now, one per application: the journal only has ended
    ///   reactions.
    public init(_ tally: Tally, _ present: [Saving] = []) {
        var savings = tally.savings
        for saving in present { savings[saving.application, default: Saving(saving.application)].add(saving) }
        rows = savings.values.sorted {
            ($1.processor, $1.held, $0.application) < ($0.processor, $0.held, $1.application)
        }
    }

    /// The sum of all rows.
    public var total: Saving {
        rows.reduce(into: Saving("")) { $0.add($1) }
    }

    /// One JSON object per row; times in seconds.
    public var json: [UInt8] {
        rows.flatMap { row in
            var line = JSONWriter()
            line.add("v", 1)
            line.add(row)
            return line.line()
        }
    }

    /// A header line, then one line per row; times in seconds.
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

    /// Names come from windows: no spreadsheet may interpret one as a formula.
    private static func cell(_ text: String) -> String {
        let first = text.unicodeScalars.first
        let plain = (first.map("=+-@".unicodeScalars.contains) ?? false ? "'" : "") + text.escapedForTerminal
        guard plain.contains(where: { ",\"".contains($0) }) else { return plain }
        return "\"\(plain.replacing("\"", with: "\"\""))\""
    }
}

extension Saving {
    mutating func add(_ other: Saving) {
        reactions = Set(reactions + other.reactions).sorted()
        held += other.held
        processor += other.processor
        wakeUps = Self.sum(wakeUps, other.wakeUps)
        memory = Self.sum(memory, other.memory)
    }

    /// Returns the sum, or the greatest number if it overflows.
    private static func sum(_ one: Int, _ other: Int) -> Int {
        let (sum, overflows) = one.addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
