import Console
import Journal
import PhaseWatch
import System

/// The layout of the table of `xphase top` for a terminal of any size.
struct TopPage {
    let palette: Palette
    let display: String
    /// The filter as typed so far; nil while the user is not typing.
    var typed: String?
    /// When counting began; nil if a journal has the times of the whole day.
    var start: Timestamp?

    /// The answer to a key: one line replaces the second line of the page, more lines replace the table.
    var answer: [String] = []
    /// The first line of the answer that is shown.
    var answerTop = 0

    /// The most important column comes first; the others are dropped where there is no room.
    private enum Column: CaseIterable {
        case name, phase, active, processor, memory, hooks, since, inactive, background

        /// The columns in display order.
        static let shown: [Column] = [
            .name, .phase, .active, .processor, .memory, .since, .inactive, .background, .hooks,
        ]

        var heading: String {
            switch self {
            case .name: "application"
            case .phase: "phase"
            case .active: "active"
            case .processor: "cpu"
            case .memory: "memory"
            case .since: "since"
            case .inactive: "inactive"
            case .background: "background"
            case .hooks: "hooks"
            }
        }

        /// The width with leading space; the remaining space goes to the hooks.
        var width: Int {
            switch self {
            case .name: 0
            case .phase: 12
            case .active, .inactive: 10
            case .processor: 7
            case .memory: 8
            case .background: 12
            case .since: 8
            case .hooks: 14
            }
        }
    }

    /// The number of lines above the rows.
    static let headCount = 3

    /// Returns the lines of the screen, none wider than the screen.
    func lines(_ table: TopTable, size: TerminalSize, now: Timestamp) -> [String] {
        let rows = table.shown
        let room = max(0, size.rows - Self.headCount)
        let first = max(0, min(table.top, rows.count - room))
        let names = rows.map { $0.name.escapedForTerminal }
        let (columns, nameWidth) = fitting(size.columns, names.map(\.columnCount).max() ?? 0)
        let head = [
            title(table, rows.count, first, room, now), answer.count == 1 ? answer[0] : session(table),
        ]
        var lines = [palette.strong(head[0].fitted(toColumns: size.columns))]
        if answer.count > 1 {
            lines += answer.dropFirst(answerTop).prefix(size.rows - 1).map {
                $0.escapedForTerminal.fitted(toColumns: size.columns)
            }
            return Array(lines.prefix(size.rows))
        }
        lines.append(palette.faint(head[1].escapedForTerminal.fitted(toColumns: size.columns)))
        lines.append(palette.strong(heading(columns, nameWidth, table.order).fitted(toColumns: size.columns)))
        for row in rows.dropFirst(first).prefix(room) {
            lines.append(line(row, columns, nameWidth, table, now, size.columns))
        }
        return Array(lines.prefix(size.rows))
    }

    /// Columns are dropped before names are cut.
    private func fitting(_ width: Int, _ longest: Int) -> (columns: [Column], nameWidth: Int) {
        let wanted = max(Column.name.heading.count + 1, longest)
        var (columns, left) = ([Column](), width - min(wanted, max(8, width - Column.phase.width)))
        for column in Column.allCases where column == .name || column.width <= left {
            columns.append(column)
            left -= column.width
        }
        let others = columns.reduce(0) { $0 + $1.width }
        return (Column.shown.filter(columns.contains), max(1, min(wanted, width - others)))
    }

    private func title(_ table: TopTable, _ count: Int, _ first: Int, _ room: Int, _ now: Timestamp) -> String
    {
        if let typed { return "/\(typed.escapedForTerminal)_  (Enter, Escape)" }
        let filter = table.filter.isEmpty ? "" : "  /\(table.filter.escapedForTerminal)"
        let programs = count == 1 ? "1 application" : "\(count) applications"
        let part =
            count > room && room > 0 ? "\(first + 1)–\(min(count, first + room)) of \(programs)" : programs
        return "\(Self.clock(now))  \(display.escapedForTerminal)  \(part)\(filter)"
    }

    private func session(_ table: TopTable) -> String {
        let counted = start.map { "times since \(Self.clock($0)): there is no journal" } ?? "times of today"
        let hidden =
            table.hidden.isEmpty
            ? "" : "display hidden: \(table.hidden.map(\.rawValue).sorted().joined(separator: ", "))  "
        return "\(hidden)\(counted)  ? help, q quit"
    }

    private func heading(_ columns: [Column], _ nameWidth: Int, _ order: TopTable.Order) -> String {
        let sorted: Column =
            switch order {
            case .active: .active
            case .name: .name
            case .phase: .phase
            case .since: .since
            case .processor: .processor
            case .memory: .memory
            }
        return columns.map { column in
            let text = column.heading + (column == sorted ? "*" : "")
            return cell(text, column, nameWidth)
        }.joined()
    }

    private func line(
        _ row: TopTable.Row, _ columns: [Column], _ nameWidth: Int, _ table: TopTable, _ now: Timestamp,
        _ width: Int
    ) -> String {
        let isSelected = row.name == table.selected
        let use = table.uses[row.name]
        var (text, used) = ("", 0)
        for column in columns {
            let value: String =
                switch column {
                case .name: row.name.escapedForTerminal
                case .phase: row.phase.rawValue
                case .active: Self.time(row.times.active)
                case .processor: use?.share.map(Self.percent) ?? ""
                case .memory: use.map { Self.size($0.bytes) } ?? ""
                case .inactive: Self.time(row.times.inactive)
                case .background: Self.time(row.times.background)
                case .since: Self.moment(row.since, now)
                case .hooks: table.held(row.name).escapedForTerminal
                }
            let shown = cell(value, column, nameWidth).fitted(toColumns: width - used)
            used += shown.columnCount
            text += column == .phase && !isSelected ? palette.phase(shown, row.phase) : shown
        }
        return isSelected ? "\u{1B}[7m\(text.paddedToColumns(width))\u{1B}[0m" : text
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    /// `812 M`, `1.4 G`.
    private static func size(_ bytes: Int) -> String {
        let megabytes = (bytes + 1 << 19) >> 20
        if megabytes < 1024 { return "\(megabytes) M" }
        let tenths = megabytes * 10 / 1024
        return "\(tenths / 10).\(tenths % 10) G"
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

    /// Returns the time of a moment of today, or the day of an earlier one.
    static func moment(_ time: Timestamp, _ now: Timestamp) -> String {
        let (moment, today) = (LocalTime(Int64(time.seconds) * 1000), LocalTime(Int64(now.seconds) * 1000))
        return moment.date == today.date ? moment.clock : String(moment.date.dropFirst(5))
    }

    /// Returns a duration in minutes, because it is drawn once a minute.
    private static func time(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        if milliseconds == 0 { return "-" }
        if minutes == 0 { return "<1m" }
        return minutes < 60
            ? "\(minutes)m" : "\(minutes / 60)h\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)m"
    }
}
