import Console
import PhaseWatch
import System

/// A report as lines for programs.
extension Report {
    /// One object a row; times in seconds.
    public var json: [UInt8] {
        rows.flatMap { row in
            var line = JSONWriter()
            line.add("v", 1)
            line.add("from", utc: Self.timestamp(window.lowerBound))
            line.add("to", utc: Self.timestamp(window.upperBound))
            if let phase = row.phase {
                line.add("phase", phase.rawValue)
                line.add("time", seconds: .milliseconds(row.times.all))
            } else {
                line.add("display", row.display)
                line.add("application", row.application)
                line.add("group", row.group)
                line.add("active", seconds: .milliseconds(row.times.active))
                line.add("inactive", seconds: .milliseconds(row.times.inactive))
                line.add("background", seconds: .milliseconds(row.times.background))
            }
            return line.line()
        }
    }

    /// A line of names, then one for each row; times in seconds.
    public var csv: String {
        let names =
            switch grouping {
            case .phase: ["phase", "time"]
            case .group: ["display", "application", "group", "active", "inactive", "background"]
            case .application: ["display", "application", "active", "inactive", "background"]
            }
        return ([names] + rows.map(cells)).map { $0.map(Self.cell).joined(separator: ",") + "\r\n" }.joined()
    }

    private func cells(_ row: Row) -> [String] {
        if let phase = row.phase { return [phase.rawValue, seconds(row.times.all)] }
        let names = [row.display, row.application] + (grouping == .group ? [row.group ?? ""] : [])
        return names + ScenePhase.allCases.reversed().map { seconds(row.times[$0]) }
    }

    private func seconds(_ milliseconds: Int64) -> String { TimeText.seconds(.milliseconds(milliseconds)) }

    /// Names come from windows: no spreadsheet may take one for a formula.
    private static func cell(_ text: String) -> String {
        let first = text.unicodeScalars.first
        let plain = (first.map("=+-@".unicodeScalars.contains) ?? false ? "'" : "") + text.escapedForTerminal
        guard plain.contains(where: { ",\"".contains($0) }) else { return plain }
        return "\"\(plain.replacing("\"", with: "\"\""))\""
    }

    private static func timestamp(_ milliseconds: Int64) -> Timestamp {
        Timestamp(seconds: Int(milliseconds / 1000), nanoseconds: Int(milliseconds % 1000) * 1_000_000)
    }
}
