import Console
import PhaseWatch

/// The output of `list`: an aligned tree of applications, groups and scenes.
struct Tree {
    private static let titles = ["APPLICATION", "PHASE", "SCENES", "PID", "DESKTOP", "TITLE"]
    /// The columns of numbers, aligned to the right.
    private static let rightAligned = 2...4

    /// The cells have no control characters. The heading has neither level nor phase.
    private struct Row {
        var cells: [String]
        var level: Change.Level?
        var phase: ScenePhase?
    }

    let palette: Palette
    var levels = Set(Change.Level.allCases)

    /// Whether all levels are shown, so a row need not repeat the names above it.
    private var isWhole: Bool { levels.count == Change.Level.allCases.count }

    /// - Parameter changes: Initial changes, in any order.
    func text(of changes: [Change]) -> String {
        if changes.isEmpty { return "" }
        // A change is costly to move.
        let places = changes.map(\.place)
        let order = changes.indices.sorted { places[$0] < places[$1] }
        let rows = [Row(cells: Self.titles)] + order.map { row(of: changes[$0]) }
        let widths = Self.titles.indices.map { column in
            rows.map { $0.cells[column].columnCount }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.cells.indices.map { column in
                let (cell, width) = (row.cells[column], widths[column])
                let isRight = Self.rightAligned.contains(column)
                return painted(isRight ? cell.padded(leftTo: width) : cell.padded(to: width), column, row)
            }
            return cells.joined(separator: "  ").withoutSpacesAtTheEnd + "\n"
        }.joined()
    }

    private func painted(_ cell: String, _ column: Int, _ row: Row) -> String {
        switch column {
        case 0 where row.level == .application: palette.strong(cell)
        case 1: palette.phase(cell, row.phase)
        default: cell
        }
    }

    private func row(of change: Change) -> Row {
        Row(cells: cells(of: change), level: change.level, phase: change.to)
    }

    private func cells(of change: Change) -> [String] {
        let name: String
        switch change.subject {
        case _ where !isWhole: name = change.path
        case .scene(let facts): name = "    \(facts.id)"
        case .group: name = "  " + (change.group ?? "").escapedForTerminal
        case .application: name = change.application.escapedForTerminal
        }
        let phase = change.to?.rawValue ?? ""
        switch change.subject {
        case .scene(let facts):
            let desktop = facts.desktop.map { $0 < 0 ? "all" : String($0) } ?? "-"
            let title = facts.title?.escapedForTerminal ?? ""
            return [name, phase, "", facts.pid.map { String($0) } ?? "-", desktop, title]
        case .group(let members), .application(let members):
            let pids = members.pids.map { String($0) }.joined(separator: ",")
            return [name, phase, String(members.counts.all), pids.isEmpty ? "-" : pids, "", ""]
        }
    }
}

extension Change {
    /// Sorts applications by name, each followed by its groups, and each group by its scenes.
    fileprivate var place: (folded: String, application: String, group: String, scene: UInt32) {
        (application.lowercased(), application, group ?? "", scene?.id.xid ?? 0)
    }
}
