import Console
import Journal
import Loop
import PhaseWatch

/// Lays the table of `xphase top` out for a terminal of any size.
struct TopPage {
    let palette: Palette
    let display: String
    /// What is typed for the filter; nil while nothing is.
    var typed: String?
    /// Since when times are counted, where no journal knows those of the whole day.
    var start: Timestamp?

    private enum Column: CaseIterable {
        case name, phase, active, since, inactive, background, hooks

        var heading: String {
            switch self {
            case .name: "application"
            case .phase: "phase"
            case .active: "active"
            case .since: "since"
            case .inactive: "inactive"
            case .background: "background"
            case .hooks: "hooks"
            }
        }

        /// With the space in front; what is left goes to the hooks.
        var width: Int {
            switch self {
            case .name: 0
            case .phase: 12
            case .active, .inactive: 10
            case .background: 12
            case .since: 8
            case .hooks: 14
            }
        }
    }

    /// The lines of the screen, none wider than it.
    func lines(_ table: TopTable, size: TerminalSize, now: Timestamp) -> [String] {
        let columns = fitting(size.columns)
        let nameWidth = max(1, min(24, size.columns - columns.reduce(0) { $0 + $1.width }))
        let rows = table.shown
        let room = max(0, size.rows - 3)
        let first = max(0, min(table.top, rows.count - room))
        var lines = [
            palette.strong(fit(title(table, rows.count, now), size.columns)),
            palette.faint(fit(session(table), size.columns)),
            palette.strong(fit(heading(columns, nameWidth, table.order), size.columns)),
        ]
        for row in rows.dropFirst(first).prefix(room) {
            lines.append(line(row, columns, nameWidth, table.held(row.name), size.columns))
        }
        return Array(lines.prefix(size.rows))
    }

    private func fitting(_ width: Int) -> [Column] {
        var columns: [Column] = []
        var left = width - 8
        for column in Column.allCases where column == .name || column.width <= left {
            columns.append(column)
            left -= column.width
        }
        return columns
    }

    private func title(_ table: TopTable, _ count: Int, _ now: Timestamp) -> String {
        if let typed { return "/\(typed.escapedForTerminal)_  (Enter, Escape)" }
        let filter = table.filter.isEmpty ? "" : "  /\(table.filter.escapedForTerminal)"
        let programs = count == 1 ? "1 application" : "\(count) applications"
        return "\(Self.clock(now))  \(display.escapedForTerminal)  \(programs)\(filter)"
    }

    private func session(_ table: TopTable) -> String {
        let counted = start.map { "times since \(Self.clock($0)): there is no journal" } ?? "times of today"
        let hidden =
            table.hidden.isEmpty
            ? "" : "nobody sees anything: \(table.hidden.sorted().joined(separator: ", "))  "
        return "\(hidden)\(counted)  q quit, s sort, / filter"
    }

    private func heading(_ columns: [Column], _ nameWidth: Int, _ order: TopTable.Order) -> String {
        let sorted: Column =
            switch order {
            case .active: .active
            case .name: .name
            case .phase: .phase
            case .since: .since
            }
        return columns.map { column in
            let text = column.heading + (column == sorted ? "*" : "")
            return cell(text, column, nameWidth)
        }.joined()
    }

    private func line(
        _ row: TopTable.Row, _ columns: [Column], _ nameWidth: Int, _ held: String, _ width: Int
    ) -> String {
        var (text, used) = ("", 0)
        for column in columns {
            let plain: String =
                switch column {
                case .name: cell(row.name.escapedForTerminal, column, nameWidth)
                case .phase: cell(row.phase.rawValue, column, nameWidth)
                case .active: cell(Self.time(row.times.active), column, nameWidth)
                case .inactive: cell(Self.time(row.times.inactive), column, nameWidth)
                case .background: cell(Self.time(row.times.background), column, nameWidth)
                case .since: cell(row.since.map(Self.clock) ?? "-", column, nameWidth)
                case .hooks: "  " + held.escapedForTerminal
                }
            let shown = fit(plain, width - used)
            used += shown.columnCount
            text += column == .phase ? palette.phase(shown, row.phase) : shown
        }
        return text
    }

    private func cell(_ text: String, _ column: Column, _ nameWidth: Int) -> String {
        switch column {
        case .name: return fit(text, nameWidth).paddedToColumns(nameWidth)
        case .phase: return ("  " + text).padded(to: column.width)
        case .hooks: return "  " + text
        default: return text.padded(leftTo: column.width)
        }
    }

    /// As much of a text as has room, and a mark where something is missing.
    private func fit(_ text: String, _ width: Int) -> String {
        if text.columnCount <= width { return text }
        var (shown, used) = ("", 0)
        for character in text {
            used += String(character).columnCount
            if used >= width { break }
            shown.append(character)
        }
        return width > 0 ? shown + "…" : ""
    }

    static func clock(_ time: Timestamp) -> String { LocalTime(Int64(time.seconds) * 1000).clock }

    /// In minutes, since it is drawn once a minute.
    private static func time(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        if milliseconds == 0 { return "-" }
        if minutes == 0 { return "<1m" }
        return minutes < 60
            ? "\(minutes)m" : "\(minutes / 60)h\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)m"
    }
}

extension String {
    /// How many columns of a terminal it has.
    var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }

    func paddedToColumns(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columnCount))
    }
}

extension Unicode.Scalar {
    /// 0 for what combines with the one before, 2 for what East Asian scripts and pictures take.
    fileprivate var columnCount: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
