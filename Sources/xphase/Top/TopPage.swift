import Console
import Journal
import System

/// The layout of the table of `xphase top` for a terminal of any size.
struct TopPage {
    let palette: Palette
    let display: String
    /// Whether the user is typing the filter.
    var isTyping = false
    /// The answer to a key: one line replaces the second line of the page, more lines replace the table.
    var answer: [String] = []
    /// The first line of the answer that is shown.
    var answerTop = 0

    /// The number of lines above the rows.
    static let headCount = 3

    /// Returns the lines of the screen, none wider than the screen.
    func lines(_ table: TopTable, size: TerminalSize, now: Timestamp) -> [String] {
        func fitted(_ line: String) -> String { line.escapedForTerminal.fitted(toColumns: size.columns) }
        if answer.count > 1 { return answer.dropFirst(answerTop).prefix(size.rows).map(fitted) }
        let (rows, room) = (table.shown, max(0, size.rows - Self.headCount))
        let chosen = rows.firstIndex { $0.name == table.selected } ?? 0
        let first = max(0, min(chosen - room / 2, rows.count - room))
        let longest = rows.map { $0.name.escapedForTerminal.columnCount }.max() ?? 0
        // Columns are dropped before names are cut.
        let nameWidth = min(max(13, longest), size.columns, max(8, size.columns - 12))
        var (columns, left) = ([(index: Int, width: Int)](), size.columns - nameWidth)
        for (index, column) in TopTable.columns.enumerated().dropFirst() where column.width <= left {
            columns.append((index, column.width))
            left -= column.width
        }
        // The last column may have long texts.
        if columns.last?.index == TopTable.columns.count - 1 { columns[columns.count - 1].width += left }
        func text(_ cell: (Int) -> String) -> String {
            cell(0).fitted(toColumns: nameWidth).paddedToColumns(nameWidth)
                + columns.map { index, width in
                    let shown = cell(index).fitted(toColumns: width - 1)
                    return String(repeating: " ", count: width - shown.columnCount) + shown
                }.joined()
        }
        let heading = text { TopTable.columns[$0].heading + ($0 == table.order ? "*" : "") }
        let head = [
            title(table, rows.count, now),
            answer.first ?? "s sort, / filter, f freeze, t thaw, e explain, q quit", heading,
        ]
        let lines = rows.dropFirst(first).prefix(room).map { row in
            let cells = TopTable.cells(row)
            let line = text { cells[$0].text.escapedForTerminal }
            return row.name == table.selected ? "\u{1B}[7m\(line)" : palette.phase(line, row.phase)
        }
        return Array((head.map { palette.strong(fitted($0)) } + lines).prefix(size.rows))
    }

    private func title(_ table: TopTable, _ count: Int, _ now: Timestamp) -> String {
        if isTyping { return "/\(table.filter)_  (Enter, Escape)" }
        let filter = table.filter.isEmpty ? "" : "  /\(table.filter)"
        return "\(now.local.clock)  \(display)  \(count) application\(count == 1 ? "" : "s")\(filter)"
    }
}

extension Timestamp {
    var local: LocalTime { LocalTime(Int64(seconds) * 1000) }
}
