import Console
import Glibc
import Hooks
import Journal
import PhaseWatch
import System

/// The table of `xphase top`: the present applications, and their layout for a terminal of any size.
struct TopTable {
    struct Row {
        let name: String
        var phase: ScenePhase
        /// When it entered its phase, as far as that is known.
        var since: Timestamp
        /// Whether it was in its phase at the start, and the journal does not say yet since when.
        var isFromStart = false
        var pids: Set<Int32> = []
        var use: Use?
    }

    /// What the processes of an application used up to a measurement.
    struct Use {
        /// The processor time, and that of children that have ended, in seconds.
        let processor: Double
        let children: Double
        /// The wake-ups of each thread.
        let wakeUps: [Int32: UInt64]
        /// The resident memory that belongs to one process alone, in bytes.
        let memory: Int
        /// The share of one processor, and the wake-ups a second, since the measurement before.
        private(set) var rates: (share: Double, wakeUps: Double)?

        init(of family: [ProcessRow]) {
            processor = Double(family.reduce(0) { $0 + $1.ticks }) / ProcessIdentity.ticksPerSecond
            children = Double(family.reduce(0) { $0 + $1.ticksOfChildren }) / ProcessIdentity.ticksPerSecond
            wakeUps = family.reduce(into: [:]) { $0.merge(ProcessTable.wakeUps(of: $1.pid)) { $1 } }
            memory = family.reduce(0) { $0 + Self.memory(of: $1.pid) }
        }

        /// A thread that has ended since takes its last wake-ups with it.
        mutating func compare(with before: Use, after seconds: Double) {
            let woken: UInt64 = wakeUps.reduce(0) { sum, thread in
                let known = before.wakeUps[thread.key] ?? 0
                return sum + (thread.value > known ? thread.value - known : 0)
            }
            let own = processor - before.processor
            let all = own + children - before.children
            // A child with windows is another application. At its end, its parent gets the time of its whole life, which
            // is mostly more than the machine has in between.
            let isPossible = all <= seconds * Double(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
            rates = (max(0, isPossible ? all : own) / seconds, Double(woken) / seconds)
        }

        private static func memory(of pid: Int32) -> Int {
            let text = SystemString("/proc/\(pid)/statm").contents()
            let pages = text?.split(separator: " ").compactMap { Int($0) } ?? []
            return pages.count > 2 ? max(0, pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE)) : 0
        }
    }

    /// The columns, with their headings. The name comes first. The others are shown as far as there is room.
    enum Column: String, CaseIterable {
        case application, phase, today, since, cpu, wakes, memory, hooks

        /// The width with leading space; that of the name depends on the names.
        var width: Int {
            switch self {
            case .application: 0
            case .phase: 11
            case .today: 12
            case .since, .cpu, .wakes: 7
            case .memory: 8
            case .hooks: 9
            }
        }

        /// The column after this one; the first after the last.
        var next: Column {
            let all = Self.allCases
            return all.firstIndex(of: self).flatMap { all.dropFirst($0 + 1).first } ?? .application
        }
    }

    /// The number of lines above the rows.
    static let headCount = 3

    let palette: Palette
    let display: String
    /// What is shown; nil for everything.
    var subjects: Subjects?
    private(set) var rows: [String: Row] = [:]
    /// The rows of today's journal by application; nil without one, and until it is read.
    var journal: [String: Report.Row]? { didSet { for name in rows.keys { findStart(of: name) } } }
    var hooks: [HookStatus] = []
    /// The name of the row on which keys act; nil before one is selected.
    var selected: String?
    /// The column that rows are sorted by; the key s selects the next one.
    var order = Column.today
    var filter = ""
    /// Whether only applications in the background are shown.
    var showsOnlyHidden = false
    /// Whether the user is typing the filter.
    var isTyping = false
    /// The answer to a key: one line replaces the second line of the screen, more lines replace the table.
    var answer: [String] = [] { didSet { answerTop = 0 } }
    /// The first line of the answer that is shown.
    var answerTop = 0
    /// The time of the last measurement.
    var measured = Duration.zero

    /// Returns the text in a column, and the number that rows are sorted by, the greatest first.
    func cell(_ column: Column, of row: Row) -> (text: String, key: Double) {
        switch column {
        case .application: return (row.name, 0)
        case .phase:
            return (row.phase.rawValue, Double(ScenePhase.allCases.firstIndex(of: row.phase) ?? 0))
        case .today:
            let today = journal.map { $0[row.name]?.active ?? 0 }
            return (today.map(TimeText.spoken) ?? "", Double(today ?? 0))
        case .since:
            let since = row.since.local
            let isOfToday = since.date == Timestamp.now().local.date
            return (isOfToday ? since.clock : String(since.date.dropFirst(5)), Double(row.since.seconds))
        case .cpu:
            let share = row.use?.rates?.share
            return (share.map { "\(Int(($0 * 100).rounded())) %" } ?? "", share ?? 0)
        case .wakes:
            let wakeUps = row.use?.rates?.wakeUps
            return (wakeUps.map { $0 > 0 && $0 < 0.5 ? "<1" : "\(Int($0.rounded()))" } ?? "", wakeUps ?? 0)
        case .memory: return (row.use.map { "\($0.memory >> 20) M" } ?? "", Double(row.use?.memory ?? 0))
        case .hooks:
            let effects = effects(on: row.name)
            return (effects.joined(separator: ", "), effects.isEmpty ? 0 : 1)
        }
    }

    /// Returns the effects of hooks on an application, those in force first: `frozen, waiting 'later'`.
    private func effects(on name: String) -> [String] {
        let states = hooks.filter { $0.application == name && $0.state != .ready }
        let held = Set(states.filter { $0.state == .entered }.flatMap(\.reactions))
        let others = states.filter { $0.state != .entered || $0.reactions.isEmpty }
        return BuiltIn.allCases.filter { held.contains($0.rawValue) }.map(\.participle)
            + others.map { "\($0.state.rawValue) '\($0.hook)'" }
    }

    /// Applies a change of an application, or the process of a new scene.
    mutating func take(_ change: Change, at time: Timestamp) {
        let name = change.application
        if let pid = change.scene?.pid { rows[name]?.pids.insert(pid) }
        guard change.level == .application, change.kind != .title, subjects?.concerns(change) ?? true
        else { return }
        guard let phase = change.to else {
            rows[name] = nil
            return
        }
        var row = rows[name] ?? Row(name: name, phase: phase, since: time)
        if case .application(let members) = change.subject { row.pids = Set(members.pids) }
        if change.kind != .facts {
            row.phase = phase
            row.since = time
            row.isFromStart = change.cause == .start
        }
        rows[name] = row
        findStart(of: name)
    }

    /// The phase of an application at the start may have begun earlier.
    private mutating func findStart(of name: String) {
        guard let row = rows[name], row.isFromStart, let known = journal?[name]?.present,
            known.phase == row.phase
        else { return }
        rows[name]?.since = min(row.since, Timestamp(milliseconds: known.since))
        rows[name]?.isFromStart = false
    }

    /// Returns the rows of today's journal by application; nil if it has nothing about the display, or is not read by then.
    static func journal(
        of display: String, _ environment: Environment, until end: Duration
    ) -> [String: Report.Row]? {
        let now = ReportTime.now
        let tally = Tally(by: .application, window: LocalTime(now).day().milliseconds..<now)
        let isRead: ()? = try? JournalFiles(environment: environment).read(into: tally) { _ in
            if Clock.now() > end { throw CommandFailure(Exit.timedOut) }
        }
        let rows = isRead == nil ? [] : Report(tally).rows.filter { $0.display == display }
        let byName = Dictionary(rows.map { ($0.application, $0) }) { one, _ in one }
        return rows.isEmpty ? nil : byName
    }

    /// Measures each application: its processes and all their descendants.
    mutating func measure(at now: Duration) {
        let (table, owned) = (ProcessTable.current(), Set(rows.values.flatMap(\.pids)))
        let time = max(0.001, Double((now - measured).milliseconds) / 1000)
        measured = now
        for (name, row) in rows {
            let family = table.family(of: row.pids, without: owned.subtracting(row.pids).contains)
            var use = Use(of: family)
            if let before = row.use { use.compare(with: before, after: time) }
            rows[name]?.use = use
        }
    }

    /// Ends all filters and the selection.
    mutating func showAll() {
        filter = ""
        showsOnlyHidden = false
        selected = nil
    }

    /// The rows that match the filters, in their order.
    var shown: [Row] {
        rows.values.filter { !showsOnlyHidden || $0.phase == .background }
            .filter { filter.isEmpty || $0.name.lowercased().contains(filter.lowercased()) }
            .map { (row: $0, key: cell(order, of: $0).key, name: $0.name.lowercased()) }
            .sorted { ($1.key, $0.name) < ($0.key, $1.name) }.map(\.row)
    }

    /// Moves the selection; without a selection, counts from the first or the last row.
    mutating func select(by rows: Int) {
        let names = shown.map(\.name)
        if names.isEmpty { return }
        let index = selected.flatMap(names.firstIndex) ?? (rows > 0 ? -1 : names.count)
        selected = names[max(0, min(names.count - 1, index + rows))]
    }

    /// Returns the lines of the screen, none wider than the screen.
    func lines(size: TerminalSize, now: Timestamp) -> [String] {
        func fitted(_ line: String) -> String { line.escapedForTerminal.fitted(toColumns: size.columns) }
        if answer.count > 1 { return answer.dropFirst(answerTop).prefix(size.rows).map(fitted) }
        let (rows, room) = (shown, max(0, size.rows - Self.headCount))
        let chosen = rows.firstIndex { $0.name == selected } ?? 0
        let first = max(0, min(chosen - room / 2, rows.count - room))
        let longest = rows.map { $0.name.escapedForTerminal.columnCount }.max() ?? 0
        // Columns are dropped before names are cut.
        let nameWidth = min(max(13, longest), size.columns, max(8, size.columns - 12))
        var left = size.columns - nameWidth
        var widths = Column.allCases.dropFirst().map { column in
            let width = column.width <= left ? column.width : 0
            left -= width
            return width
        }
        // The last column may have long texts.
        if widths.last != 0 { widths[widths.count - 1] += left }
        func text(_ cells: [String]) -> String {
            cells[0].fitted(toColumns: nameWidth).padded(to: nameWidth)
                + zip(cells.dropFirst(), widths).map { $0.fitted(toColumns: $1 - 1).padded(leftTo: $1) }
                .joined()
        }
        let headings = Column.allCases.map { $0.rawValue + ($0 == order ? "*" : "") }
        let head = [
            title(rows.count, now),
            answer.first ?? "s sort, h hidden, / filter, f freeze, t thaw, e explain, ? keys, q quit",
            text(headings),
        ]
        let lines = rows.dropFirst(first).prefix(room).map { row in
            let line = text(Column.allCases.map { cell($0, of: row).text.escapedForTerminal })
            return row.name == selected ? "\u{1B}[7m\(line)" : palette.phase(line, row.phase)
        }
        return Array((head.map { palette.strong(fitted($0)) } + lines).prefix(size.rows))
    }

    /// Returns the lines for a reader that is no terminal: no keys, and nothing is cut.
    func wholePage(now: Timestamp) -> [String] {
        let names = rows.values.map { $0.name.escapedForTerminal.columnCount }
        let effects = rows.values.map { cell(.hooks, of: $0).text.escapedForTerminal.columnCount + 1 }
        let widths = Column.allCases.filter { $0 != .hooks }.map(\.width)
        let columns =
            max(13, names.max() ?? 0) + widths.reduce(0, +) + max(Column.hooks.width, effects.max() ?? 0)
        var lines = lines(size: TerminalSize(columns: columns, rows: rows.count + Self.headCount), now: now)
        lines.remove(at: 1)
        return lines.map(\.withoutSpacesAtTheEnd)
    }

    private func title(_ count: Int, _ now: Timestamp) -> String {
        if isTyping { return "/\(filter)_  (Enter, Escape)" }
        let suffix = filter.isEmpty ? "" : "  /\(filter)"
        let which = showsOnlyHidden ? "hidden application" : "application"
        return "\(now.local.clock)  \(display)  \(count.of(which))\(suffix)"
    }
}
