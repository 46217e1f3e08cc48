import Console
import PhaseWatch

/// The output of `list`: an aligned tree of applications, groups and scenes.
struct Tree {
    private struct Row {
        let cells: [String]
        /// The number of characters of each cell.
        let lengths: [Int]
        let phase: ScenePhase?
        let depth: Int

        init(cells: [String], phase: ScenePhase?, depth: Int) {
            self.cells = cells
            lengths = cells.map(\.count)
            self.phase = phase
            self.depth = depth
        }
    }

    private static let titles = ["APPLICATION", "PHASE", "SCENES", "PID", "DESKTOP", "TITLE"]
    /// Columns of numbers are aligned to the right.
    private static let rightAligned: Set = [2, 3, 4]

    let palette: Palette
    /// Whether all levels are shown, so that a row needs not repeat the names above it.
    let isWhole: Bool

    init(palette: Palette, levels: Set<Change.Level> = Set(Change.Level.allCases)) {
        self.palette = palette
        isWhole = levels.count == Change.Level.allCases.count
    }

    /// - Parameter changes: The initial changes, in any order.
    func lines(of changes: [Change]) -> String {
        let places = changes.map { (place: Self.place(of: $0), change: $0) }
        let rows = places.sorted { $0.place.lexicographicallyPrecedes($1.place) }.map { row(of: $0.change) }
        guard !rows.isEmpty else { return "" }
        let widths = Self.titles.indices.map { column in
            rows.reduce(Self.titles[column].count) { max($0, $1.lengths[column]) }
        }
        let header = Row(cells: Self.titles, phase: nil, depth: 1)
        return ([header] + rows).map { text(of: $0, widths: widths) }.joined()
    }

    /// Sorts applications by name, each followed by its groups, and each group by its scenes.
    private static func place(of change: Change) -> [String] {
        var place = [change.application.lowercased(), change.application]
        if let group = change.group { place.append(group) }
        if case .scene(let facts) = change.subject {
            let digits = String(facts.id.xid, radix: 16)
            place.append(digits.padded(leftTo: 8))
        }
        return place
    }

    private func row(of change: Change) -> Row {
        let phase = change.to?.rawValue ?? ""
        switch change.subject {
        case .application(let members):
            let cells = [name(of: change), phase] + Self.cells(of: members)
            return Row(cells: cells, phase: change.to, depth: 0)
        case .group(let members):
            return Row(
                cells: [name(of: change), phase] + Self.cells(of: members), phase: change.to, depth: 1)
        case .scene(let facts):
            let desktop = facts.desktop.map { $0 < 0 ? "all" : String($0) } ?? "-"
            let pid = facts.pid.map { String($0) } ?? "-"
            let title = facts.title?.escapedForTerminal ?? ""
            return Row(
                cells: [name(of: change), phase, "", pid, desktop, title], phase: change.to, depth: 2)
        }
    }

    private func name(of change: Change) -> String {
        guard isWhole else { return change.path }
        return switch change.subject {
        case .application: change.application.escapedForTerminal
        case .group: "  " + (change.group ?? "").escapedForTerminal
        case .scene(let facts): "    \(facts.id)"
        }
    }

    private static func cells(of members: Change.Members) -> [String] {
        let pids = members.pids.isEmpty ? "-" : members.pids.map { String($0) }.joined(separator: ",")
        return [String(members.counts.all), pids, "", ""]
    }

    private func text(of row: Row, widths: [Int]) -> String {
        var line = ""
        let end = row.lengths.lastIndex { $0 > 0 } ?? 0
        for (column, cell) in row.cells[...end].enumerated() {
            let gap = String(repeating: " ", count: widths[column] - row.lengths[column])
            let padded = Self.rightAligned.contains(column) ? gap + cell : cell + gap
            let isName = column == 0 && row.depth == 0
            line += column == 1 ? palette.phase(padded, row.phase) : isName ? palette.strong(padded) : padded
            line += "  "
        }
        while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
        return line + "\n"
    }
}
