import Console
import Hooks
import Journal
import PhaseWatch
import System

/// The contents of `xphase top`: the present applications.
struct TopTable {
    struct Row {
        var name: String
        var phase: ScenePhase
        /// When it entered its phase, as far as that is known.
        var since: Timestamp
        /// The milliseconds of today in which it was active, according to the journal.
        var today: Int64?
        var pids: Set<Int32> = []
        /// nil before the first measurement.
        var use: ProcessUse?
        /// The share of one processor between two measurements.
        var share: Double?
        /// The effects of hooks: `frozen, waiting 'later'`.
        var held = ""
    }

    struct Column {
        let heading: String
        /// The width with leading space.
        let width: Int
    }

    /// The name comes first. The others are shown as far as there is room.
    static let columns = [
        Column(heading: "application", width: 0), Column(heading: "phase", width: 12),
        Column(heading: "today", width: 12), Column(heading: "cpu", width: 7),
        Column(heading: "memory", width: 9), Column(heading: "since", width: 8),
        Column(heading: "hooks", width: 14),
    ]

    /// Returns the text of each column, and the number that rows are sorted by, the greatest first.
    static func cells(_ row: Row) -> [(text: String, key: Double)] {
        let since = row.since.local
        return [
            (row.name, 0), (row.phase.rawValue, Double(ScenePhase.allCases.firstIndex(of: row.phase) ?? 0)),
            (
                row.today.map { $0 == 0 ? "-" : TimeText.spoken(.milliseconds($0)) } ?? "",
                Double(row.today ?? 0)
            ),
            (row.share.map { "\(Int(($0 * 100).rounded())) %" } ?? "", row.share ?? 0),
            (row.use.map { "\($0.memory >> 20) M" } ?? "", Double(row.use?.memory ?? 0)),
            (
                since.date == Timestamp.now().local.date ? since.clock : String(since.date.dropFirst(5)),
                Double(row.since.seconds)
            ),
            (row.held, row.held.isEmpty ? 0 : 1),
        ]
    }

    private(set) var rows: [String: Row] = [:]
    /// The sums of today's journal; nil without one.
    var journal: TodaysJournal? {
        didSet { for name in rows.keys { rows[name]?.today = journal?.active[name, default: 0] } }
    }
    /// The name of the row on which keys act; nil before one is selected.
    var selected: String?
    /// The column that rows are sorted by; the key s selects the next one.
    var order = 2
    var filter = ""
    private var measured = Duration.zero

    /// Applies a change of an application.
    mutating func take(_ change: Change, at time: Timestamp) {
        guard change.level == .application, change.kind != .title else { return }
        let name = change.application
        guard let phase = change.to else {
            rows[name] = nil
            return
        }
        var row = rows[name] ?? Row(name: name, phase: phase, since: time)
        row.today = journal?.active[name, default: 0]
        if case .application(let members) = change.subject { row.pids = Set(members.pids) }
        if change.kind != .facts { (row.phase, row.since) = (phase, time) }
        let known = journal?.present.first { $0.name == name && $0.phase == phase }
        if change.cause == .start, let known {
            row.since = Timestamp(seconds: Int(known.since / 1000), nanoseconds: 0)
        }
        rows[name] = row
    }

    /// Measures each application: its processes and all their descendants.
    mutating func measure(at now: Duration) {
        let (table, owned) = (ProcessTable.current(), Set(rows.values.flatMap(\.pids)))
        let time = max(0.001, Double((now - measured).milliseconds) / 1000)
        measured = now
        for (name, row) in rows {
            let use = ProcessUse(of: table.family(of: row.pids, without: owned.subtracting(row.pids)))
            rows[name]?.share = row.use.map { max(0, use.processor - $0.processor) / time }
            rows[name]?.use = use
        }
    }

    /// The rows that match the filter, in their order.
    var shown: [Row] {
        rows.values.filter { filter.isEmpty || $0.name.lowercased().contains(filter.lowercased()) }
            .map { (row: $0, key: Self.cells($0)[order].key, name: $0.name.lowercased()) }
            .sorted { ($1.key, $0.name) < ($0.key, $1.name) }.map(\.row)
    }

    /// Moves the selection; without a selection, counts from the first or the last row.
    mutating func select(by rows: Int) {
        let names = shown.map(\.name)
        if names.isEmpty { return }
        let index = selected.flatMap(names.firstIndex) ?? (rows > 0 ? -1 : names.count)
        selected = names[max(0, min(names.count - 1, index + rows))]
    }

    mutating func take(_ hooks: [HookStatus]) {
        for name in rows.keys {
            var words: [String] = []
            for row in hooks where row.application == name && row.state != .ready {
                let reactions = row.state == .entered ? row.reactions.compactMap(BuiltIn.init) : []
                let new = reactions.map(\.participle)
                words += (new.isEmpty ? ["\(row.state.rawValue) '\(row.hook)'"] : new).filter {
                    !words.contains($0)
                }
            }
            rows[name]?.held = words.joined(separator: ", ")
        }
    }
}
