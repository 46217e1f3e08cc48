import Console
import PhaseWatch

/// The output of `list`: an aligned tree of applications, groups and scenes.
struct Tree {
    private static let titles: [StaticString] = [
        "APPLICATION", "PHASE", "SCENES", "PID", "DESKTOP", "TITLE",
    ]
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
    func lines(of changes: [Change]) -> ByteBuffer {
        var text = ByteBuffer()
        if changes.isEmpty { return text }
        var cells = Cells(columnCount: Self.titles.count, rowCount: changes.count + 1)
        for title in Self.titles { cells.add { $0.append(title) } }
        let places = changes.map(Place.init)
        // Sorts indices instead of strings.
        let order = places.indices.sorted { places[$0].isShown(before: places[$1]) }
        for index in order { addRow(of: changes[index], to: &cells) }
        append(row: 0, of: cells, nil, to: &text)
        for (row, index) in order.enumerated() {
            append(row: row + 1, of: cells, changes[index], to: &text)
        }
        return text
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
            if folded != other.folded { return folded < other.folded }
            if application != other.application { return application < other.application }
            if group != other.group { return group < other.group }
            return scene < other.scene
        }
    }

    private func addRow(of change: Change, to cells: inout Cells) {
        let scene = change.scene
        cells.add { name in
            if !isWhole {
                name.append(text: change.path)
            } else if let scene {
                name.append("    0x")
                name.append(hexadecimal: scene.id.xid)
            } else if let group = change.group {
                name.append("  ")
                name.append(text: group.escapedForTerminal)
            } else {
                name.append(text: change.application.escapedForTerminal)
            }
        }
        cells.add { $0.append(text: change.to?.rawValue ?? "") }
        guard let scene else {
            let members = change.members
            let pids = members?.pids ?? []
            cells.add { $0.append(decimal: members?.counts.all ?? 0) }
            cells.add { cell in
                if pids.isEmpty { cell.append("-") }
                for (index, pid) in pids.enumerated() {
                    if index > 0 { cell.append(",") }
                    cell.append(decimal: Int(pid))
                }
            }
            for _ in 4..<Self.titles.count { cells.add { _ in } }
            return
        }
        cells.add { _ in }
        cells.add { if let pid = scene.pid { $0.append(decimal: Int(pid)) } else { $0.append("-") } }
        cells.add {
            guard let desktop = scene.desktop else { return $0.append("-") }
            if desktop < 0 { $0.append("all") } else { $0.append(decimal: desktop) }
        }
        cells.add { $0.append(text: scene.title?.escapedForTerminal.withoutSpacesAtTheEnd ?? "") }
    }

    /// - Parameter change: nil for the heading.
    private func append(row: Int, of cells: borrowing Cells, _ change: Change?, to text: inout ByteBuffer) {
        let end = Self.titles.indices.last { cells.length(row, $0) > 0 } ?? 0
        for column in 0...end {
            let gap = cells.widths[column] - cells.length(row, column)
            let isRight = Self.rightAligned.contains(column)
            let isName = column == 0 && change?.level == .application
            let code = isName ? palette.strongCode : column == 1 ? change?.to.flatMap(palette.code) : nil
            if let code { text.append(code) }
            if isRight { text.append(spaces: gap) }
            cells.append(row, column, to: &text)
            if !isRight && column < end { text.append(spaces: gap) }
            if code != nil { text.append(Palette.endCode) }
            if column < end { text.append("  ") }
        }
        text.append("\n")
    }
}

/// The cells of a table, stored consecutively, row by row.
private struct Cells: ~Copyable {
    private var text = ByteBuffer()
    /// The end of each cell, and its number of characters.
    private var ends: [(end: Int, length: Int)] = []
    private(set) var widths: [Int]

    init(columnCount: Int, rowCount: Int) {
        widths = Array(repeating: 0, count: columnCount)
        ends.reserveCapacity(columnCount * rowCount)
    }

    /// Adds the text that `write` appends, which must have no control characters.
    mutating func add(_ write: (inout ByteBuffer) -> Void) {
        let start = text.count
        write(&text)
        let length = text.withBytes { bytes in
            let cell = UnsafeBufferPointer(rebasing: bytes[start...])
            return cell.allSatisfy { $0 < 0x80 } ? cell.count : String(decoding: cell, as: UTF8.self).count
        }
        let column = ends.count % widths.count
        widths[column] = max(widths[column], length)
        ends.append((text.count, length))
    }

    borrowing func length(_ row: Int, _ column: Int) -> Int { ends[row * widths.count + column].length }

    borrowing func append(_ row: Int, _ column: Int, to other: inout ByteBuffer) {
        let index = row * widths.count + column
        let start = index == 0 ? 0 : ends[index - 1].end
        text.withBytes { other.append(UnsafeBufferPointer(rebasing: $0[start..<ends[index].end])) }
    }
}

extension String {
    fileprivate var withoutSpacesAtTheEnd: String {
        guard utf8.last == UInt8(ascii: " ") else { return self }
        let last = utf8.lastIndex { $0 != UInt8(ascii: " ") }
        return last.map { String(self[...$0]) } ?? ""
    }
}
