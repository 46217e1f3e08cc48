import Console
import Hooks
import Journal
import PhaseWatch
import System

/// The contents of `xphase top`: the present applications, and how long each was in each phase today.
struct TopTable {
    /// The sort order of the rows; the key s selects the next one.
    enum Order: String, CaseIterable {
        case active, name, phase, since, processor, memory
    }

    struct Row {
        var name: String
        var phase: ScenePhase
        /// When it entered its phase, as far as that is known.
        var since: Timestamp
        /// The times of today, up to `counted`.
        var times: PhaseTimes
        /// The time up to which it is counted, in milliseconds of CLOCK_MONOTONIC.
        var counted: Int64
        var pids: Set<Int32> = []
    }

    /// The maximum number of absent applications whose times are kept: windows may set any number of names.
    private static let mostPast = 1024

    private(set) var rows: [String: Row] = [:]
    /// The times of the applications that are not present.
    private var past: [String: PhaseTimes]
    /// The applications that were present before, according to a journal.
    private let before: [String: PresentApplication]
    /// The states that currently hide the display.
    private(set) var hidden: Set<SessionState> = []
    var hooks: [HookStatus] = []
    /// The use by application; empty before the first measurement.
    var uses: [String: TopUse.Use] = [:]
    /// The name of the row on which keys act; nil before one is selected.
    var selected: String?
    var order = Order.active
    var filter = ""
    /// The index of the first row on the screen.
    var top = 0

    /// - Parameters:
    ///   - past: The times of today in a journal.
    ///   - present: The applications on this display that are present according to the journal.
    init(past: [String: PhaseTimes] = [:], present: [PresentApplication] = []) {
        self.past = past
        before = Dictionary(present.map { ($0.name, $0) }) { one, _ in one }
    }

    /// Applies a change of an application.
    mutating func take(_ change: Change, at time: Timestamp, clock: Int64) {
        guard change.level == .application, change.kind != .title else { return }
        count(change.application, clock)
        guard let phase = change.to else {
            if let row = rows.removeValue(forKey: change.application), past.count < Self.mostPast {
                past[row.name] = row.times
            }
            return
        }
        var row =
            rows[change.application]
            ?? Row(
                name: change.application, phase: phase, since: time,
                times: past.removeValue(forKey: change.application) ?? PhaseTimes(), counted: clock)
        if case .application(let members) = change.subject { row.pids = Set(members.pids) }
        if change.kind == .facts {
            rows[change.application] = row
            return
        }
        row.phase = phase
        row.since = time
        if change.cause == .start, let before = before[row.name], before.phase == phase {
            row.since = Timestamp(seconds: Int(before.since / 1000), nanoseconds: 0)
        }
        rows[change.application] = row
    }

    /// Applies a change of the session.
    mutating func take(_ change: SessionChange, clock: Int64) {
        guard let (state, isOn) = change.hiding else { return }
        countAll(clock)
        if isOn { hidden.insert(state) } else { hidden.remove(state) }
    }

    /// Discards the times of yesterday.
    ///
    /// - Parameter midnight: Midnight in milliseconds of CLOCK_MONOTONIC, as if the machine had not been asleep since.
    mutating func beginDay(_ midnight: Int64) {
        past = [:]
        for (name, row) in rows {
            rows[name]?.times = PhaseTimes()
            rows[name]?.counted = max(row.counted, midnight)
        }
    }

    mutating func countAll(_ clock: Int64) {
        for name in rows.keys { count(name, clock) }
    }

    private mutating func count(_ name: String, _ clock: Int64) {
        guard var row = rows[name] else { return }
        if hidden.isEmpty { row.times[row.phase] += max(0, clock - row.counted) }
        row.counted = clock
        rows[name] = row
    }

    private func share(_ row: Row) -> Double { uses[row.name]?.share ?? 0 }

    /// The rows that match the filter, in their order.
    var shown: [Row] {
        let wanted = rows.values.filter {
            filter.isEmpty || $0.name.lowercased().contains(filter.lowercased())
        }
        return wanted.sorted { one, other in
            switch order {
            case .active where one.times.active != other.times.active:
                one.times.active > other.times.active
            case .phase where one.phase != other.phase: one.phase > other.phase
            case .since where one.since != other.since:
                one.since > other.since
            case .processor where share(one) != share(other): share(one) > share(other)
            case .memory where uses[one.name]?.bytes != uses[other.name]?.bytes:
                uses[one.name]?.bytes ?? 0 > uses[other.name]?.bytes ?? 0
            default: one.name.lowercased() < other.name.lowercased()
            }
        }
    }

    /// Moves the selection by a number of rows; without a selection, counts from the first or the last row.
    ///
    /// - Parameter room: The number of rows on the screen, which is scrolled to show the selected one.
    mutating func select(by rows: Int, room: Int) {
        let names = shown.map(\.name)
        if names.isEmpty { return }
        let index = selected.flatMap { names.firstIndex(of: $0) }
        let next = index.map { $0 + rows } ?? (rows > 0 ? rows - 1 : names.count + rows)
        select(row: max(0, min(names.count - 1, next)), room: room)
    }

    mutating func select(row: Int, room: Int) {
        let names = shown.map(\.name)
        guard names.indices.contains(row) else { return }
        selected = names[row]
        keepInView(room: room)
    }

    /// Scrolls to the selected row, wherever it is sorted to.
    mutating func keepInView(room: Int) {
        let names = shown.map(\.name)
        guard let index = selected.flatMap({ names.firstIndex(of: $0) }) else { return }
        top = max(min(top, index), index - room + 1, 0)
    }

    private static func participle(_ reaction: String) -> String {
        switch BuiltIn(rawValue: reaction) {
        case .freeze: "frozen"
        case .slow: "slowed"
        case .cap: "capped"
        case .mute: "muted"
        case nil: reaction
        }
    }

    /// Returns the effects of hooks on an application: `frozen, waiting 'later'`.
    func held(_ application: String) -> String {
        let rows = hooks.filter { $0.application == application }
        var words: [String] = []
        // Effects in force come first: there may be no room for the rest.
        for row in rows.filter({ $0.state == .entered }) + rows.filter({ $0.state != .entered }) {
            let word =
                switch row.state {
                case .entered where !row.reactions.isEmpty:
                    row.reactions.map(Self.participle).joined(separator: ", ")
                case .ready: ""
                default: "\(row.state.rawValue) '\(row.hook)'"
                }
            if !word.isEmpty && !words.contains(word) { words.append(word) }
        }
        return words.joined(separator: ", ")
    }
}
