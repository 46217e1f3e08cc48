import Console
import PhaseWatch

/// The output of `list`: an aligned tree of applications, groups and scenes.
struct Tree {
    private static let titles = ["APPLICATION", "PHASE", "SCENES", "PID", "DESKTOP", "TITLE"]
    /// The columns of numbers, aligned to the right.
    private static let rightAligned = 2...4

    let palette: Palette
    /// Whether all levels are shown, so a row need not repeat the names above it.
    let isWhole: Bool

    init(palette: Palette, levels: Set<Change.Level> = Set(Change.Level.allCases)) {
        self.palette = palette
        isWhole = levels.count == Change.Level.allCases.count
    }

    /// - Parameter changes: Initial changes, in any order.
    func text(of changes: [Change]) -> String {
        if changes.isEmpty { return "" }
        let changes = changes.map { (place: Place(of: $0), change: $0) }
            .sorted { $0.place.isShown(before: $1.place) }.map(\.change)
        let rows = [Self.titles] + changes.map(cells)
        let lengths = rows.map { $0.map(\.shownCount) }
        let widths = Self.titles.indices.map { column in lengths.map { $0[column] }.max() ?? 0 }
        var text = ""
        for (row, change) in zip(rows.indices, [nil] + changes) {
            let end = lengths[row].lastIndex { $0 > 0 } ?? 0
            for column in 0...end {
                if column > 0 { text += "  " }
                let gap = String(repeating: " ", count: widths[column] - lengths[row][column])
                let isRight = Self.rightAligned.contains(column)
                let cell = isRight ? gap + rows[row][column] : rows[row][column] + (column < end ? gap : "")
                text += painted(cell, column, change)
            }
            text += "\n"
        }
        return text
    }

    /// - Parameter change: nil for the heading.
    private func painted(_ cell: String, _ column: Int, _ change: Change?) -> String {
        switch column {
        case 0 where change?.level == .application: palette.strong(cell)
        case 1: palette.phase(cell, change?.to)
        default: cell
        }
    }

    /// Sorts applications by name, each followed by its groups, and each group by its scenes.
    private struct Place {
        let folded, application, group: String
        let scene: UInt32

        init(of change: Change) {
            application = change.application
            folded = application.lowercased()
            group = change.group ?? ""
            scene = change.scene?.id.xid ?? 0
        }

        func isShown(before other: Place) -> Bool {
            (folded, application, group, scene) < (other.folded, other.application, other.group, other.scene)
        }
    }

    /// Returns the cells of a row, which have no control characters.
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
            let title = facts.title?.escapedForTerminal.withoutSpacesAtTheEnd ?? ""
            return [name, phase, "", facts.pid.map { String($0) } ?? "-", desktop, title]
        case .group(let members), .application(let members):
            let pids = members.pids.map { String($0) }.joined(separator: ",")
            return [name, phase, String(members.counts.all), pids.isEmpty ? "-" : pids, "", ""]
        }
    }
}

extension String {
    /// The number of characters, which is faster to find for ASCII.
    fileprivate var shownCount: Int {
        var text = self
        return text.withUTF8 { $0.allSatisfy { $0 < 0x80 } ? $0.count : nil } ?? count
    }

    fileprivate var withoutSpacesAtTheEnd: String {
        guard utf8.last == UInt8(ascii: " ") else { return self }
        let last = utf8.lastIndex { $0 != UInt8(ascii: " ") }
        return last.map { String(self[...$0]) } ?? ""
    }
}
