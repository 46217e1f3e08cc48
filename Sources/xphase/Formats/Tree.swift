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
    func lines(of changes: [Change]) -> [UInt8] {
        let places = changes.indices.map { Place(of: changes[$0], index: $0) }.sorted()
        let rows = places.map { row(of: changes[$0.index]) }
        guard !rows.isEmpty else { return [] }
        let widths = Self.titles.indices.map { column in
            rows.reduce(Self.titles[column].count) { max($0, $1.lengths[column]) }
        }
        var text = ByteBuffer()
        append(Row(cells: Self.titles, phase: nil, depth: 1), widths, to: &text)
        for row in rows { append(row, widths, to: &text) }
        return text.withBytes { Array($0) }
    }

    /// Sorts applications by name, each followed by its groups, and each group by its scenes.
    private struct Place: Comparable {
        let folded, application, group: String
        let scene: UInt32
        let index: Int

        init(of change: Change, index: Int) {
            folded = change.application.lowercased()
            application = change.application
            group = change.group ?? ""
            if case .scene(let facts) = change.subject { scene = facts.id.xid } else { scene = 0 }
            self.index = index
        }

        static func < (one: Place, other: Place) -> Bool {
            if one.folded != other.folded { return one.folded < other.folded }
            if one.application != other.application { return one.application < other.application }
            return (one.group, one.scene) < (other.group, other.scene)
        }
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
            let title = facts.title?.escapedForTerminal.withoutSpacesAtTheEnd ?? ""
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

    private func append(_ row: Row, _ widths: [Int], to text: inout ByteBuffer) {
        let end = row.lengths.lastIndex { $0 > 0 } ?? 0
        for (column, cell) in row.cells[...end].enumerated() {
            let gap = widths[column] - row.lengths[column]
            let isRight = Self.rightAligned.contains(column)
            let isName = column == 0 && row.depth == 0
            let code = isName ? palette.strongCode : column == 1 ? row.phase.flatMap(palette.code) : nil
            if let code { text.append(code) }
            if isRight { text.append(spaces: gap) }
            text.append(text: cell)
            if !isRight && column < end { text.append(spaces: gap) }
            if code != nil { text.append(Palette.endCode) }
            if column < end { text.append("  ") }
        }
        text.append("\n")
    }
}

extension String {
    fileprivate var withoutSpacesAtTheEnd: String {
        guard utf8.last == UInt8(ascii: " ") else { return self }
        let last = utf8.lastIndex { $0 != UInt8(ascii: " ") }
        return last.map { String(self[...$0]) } ?? ""
    }
}

extension ByteBuffer {
    fileprivate mutating func append(spaces count: Int) {
        for _ in 0..<count { append(UInt8(ascii: " ")) }
    }
}
