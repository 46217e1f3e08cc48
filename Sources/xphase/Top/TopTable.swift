import Console
import Hooks
import Journal
import Loop
import PhaseWatch

/// What `xphase top` shows: the applications that are there, and how long each was in each phase today.
struct TopTable {
    /// By what the rows are sorted, each the other way round than the next key press has it.
    enum Order: String, CaseIterable {
        case active, name, phase, since
    }

    struct Row {
        var name: String
        var phase: ScenePhase
        /// When it came to its phase; nil for what was there before.
        var since: Timestamp?
        /// Of today, up to `counted`.
        var times: PhaseTimes
        /// Until when its time is counted, in milliseconds of CLOCK_MONOTONIC.
        var counted: Int64
    }

    /// Names come from windows: of so many that are gone the times are kept.
    private static let mostPast = 1024

    private(set) var rows: [String: Row] = [:]
    /// The times of those that are not there now.
    private var past: [String: PhaseTimes]
    /// Nobody sees anything, since these states hold.
    private(set) var hidden: Set<String> = []
    var hooks: [HookStatus] = []
    var order = Order.active
    var filter = ""
    /// The first row that is shown.
    var top = 0

    /// - Parameter past: The times of today that a journal knows.
    init(past: [String: PhaseTimes] = [:]) {
        self.past = past
    }

    /// Takes a change of an application.
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
                name: change.application, phase: phase,
                times: past.removeValue(forKey: change.application) ?? PhaseTimes(), counted: clock)
        row.phase = phase
        row.since = change.cause == .start ? nil : time
        rows[change.application] = row
    }

    /// Takes what a notice tells of the session.
    mutating func take(_ notice: Notice, clock: Int64) {
        guard let change = SessionChange(notice) else { return }
        countAll(clock)
        if change.isOn { hidden.insert(change.state) } else { hidden.remove(change.state) }
    }

    /// Forgets the times of yesterday.
    mutating func beginDay(_ clock: Int64) {
        past = [:]
        for name in rows.keys {
            rows[name]?.times = PhaseTimes()
            rows[name]?.counted = clock
        }
    }

    mutating func countAll(_ clock: Int64) {
        for name in rows.keys { count(name, clock) }
    }

    private mutating func count(_ name: String, _ clock: Int64) {
        guard var row = rows[name] else { return }
        if hidden.isEmpty { row.times[row.phase.inJournal] += max(0, clock - row.counted) }
        row.counted = clock
        rows[name] = row
    }

    /// Those that the filter lets through, in their order.
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
                one.since ?? .distantPast > other.since ?? .distantPast
            default: one.name.lowercased() < other.name.lowercased()
            }
        }
    }

    /// What hooks hold of an application: `frozen, waiting`.
    func held(_ application: String) -> String {
        let rows = hooks.filter { $0.application == application }
        var words: [String] = []
        for row in rows {
            let word =
                switch row.state {
                case .entered where !row.reactions.isEmpty: row.reactions.joined(separator: ", ")
                case .ready: ""
                default: "\(row.state.rawValue) '\(row.hook)'"
                }
            if !word.isEmpty && !words.contains(word) { words.append(word) }
        }
        return words.joined(separator: ", ")
    }
}

extension Timestamp {
    static let distantPast = Timestamp(seconds: 0, nanoseconds: 0)
}

extension ScenePhase {
    var inJournal: JournalPhase {
        switch self {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        }
    }
}
