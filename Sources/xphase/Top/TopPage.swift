import Console
import Journal
import PhaseWatch
import System

/// Lays the table of `xphase top` out for a terminal of any size.
struct TopPage {
    let palette: Palette
    let display: String
    /// What is typed for the filter; nil while nothing is.
    var typed: String?
    /// When counting began, where no journal has the times of the whole day.
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
            palette.strong(title(table, rows.count, now).fitted(toColumns: size.columns)),
            palette.faint(session(table).fitted(toColumns: size.columns)),
            palette.strong(heading(columns, nameWidth, table.order).fitted(toColumns: size.columns)),
        ]
        for row in rows.dropFirst(first).prefix(room) {
            lines.append(line(row, columns, nameWidth, table.held(row.name), now, size.columns))
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
            ? "" : "nobody sees anything: \(table.hidden.map(\.rawValue).sorted().joined(separator: ", "))  "
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
        _ row: TopTable.Row, _ columns: [Column], _ nameWidth: Int, _ held: String, _ now: Timestamp,
        _ width: Int
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
                case .since: cell(Self.moment(row.since, now), column, nameWidth)
                case .hooks: "  " + held.escapedForTerminal
                }
            let shown = plain.fitted(toColumns: width - used)
            used += shown.columnCount
            text += column == .phase ? palette.phase(shown, row.phase) : shown
        }
        return text
    }

    private func cell(_ text: String, _ column: Column, _ nameWidth: Int) -> String {
        switch column {
        case .name: return text.fitted(toColumns: nameWidth).paddedToColumns(nameWidth)
        case .phase: return ("  " + text).padded(to: column.width)
        case .hooks: return "  " + text
        default: return text.padded(leftTo: column.width)
        }
    }

    static func clock(_ time: Timestamp) -> String { LocalTime(Int64(time.seconds) * 1000).clock }

    /// The time of today, or the day.
    static func moment(_ time: Timestamp, _ now: Timestamp) -> String {
        let (moment, today) = (LocalTime(Int64(time.seconds) * 1000), LocalTime(Int64(now.seconds) * 1000))
        return moment.date == today.date ? moment.clock : String(moment.date.dropFirst(5))
    }

    /// In minutes, since it is drawn once a minute.
    private static func time(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        if milliseconds == 0 { return "-" }
        if minutes == 0 { return "<1m" }
        return minutes < 60
            ? "\(minutes)m" : "\(minutes / 60)h\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)m"
    }
}
