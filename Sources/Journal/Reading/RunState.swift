import PhaseWatch

/// What the lines of one `xphase run` have reported so far. Times are of its own clock, in milliseconds.
final class RunState {
    /// An application that is there, or a group of one where rows are groups.
    struct Subject {
        /// How many of its groups are in each phase.
        var groups = PhaseTimes()
        var phase: ScenePhase
        /// The number of the name under which its time is counted.
        var row: Int
        /// Up to when its time is counted.
        var counted: Int64
        /// When it came to its phase, in the calendar.
        var start: Int64
    }

    let display: Int
    let origin: RunOrigin
    /// A newer version of xphase writes it.
    let isNewer: Bool
    /// When its last line was written.
    var clock: Int64
    /// Up to when the time of the display is counted.
    var counted: Int64
    /// How far the calendar is ahead of its clock.
    var offset: Int64
    /// The states of the session that hold.
    var hidden: Set<SessionState> = []
    var hasEnded = false
    /// Its last lines had a future time.
    var isAhead = false
    /// The phases of the groups that are there, by number.
    var groups: [Int: ScenePhase] = [:]
    /// By number.
    var subjects: [Int: Subject] = [:]
    /// The numbers of their titles.
    var titles: [Int: Int] = [:]

    init(_ start: JournalLine.Start, display: Int, clock: Int64, offset: Int64) {
        (self.display, self.clock, self.offset) = (display, clock, offset)
        (origin, isNewer, counted) = (start.origin, start.v > JournalFormat.version, clock)
    }

    /// It writes lines that count.
    var isRunning: Bool { !hasEnded && !isNewer }
}

/// Which process writes the lines of a run.
struct RunOrigin: Hashable {
    var boot: String
    var pid: Int
    /// When it started, as `ProcessIdentity` has it.
    var ticks: Int
}

/// An application that is there, and since when it has been in its phase.
public struct PresentApplication: Hashable, Sendable {
    public var display: String
    public var name: String
    public var phase: ScenePhase
    /// Milliseconds since 1970.
    public var since: Int64
}

/// Milliseconds, or another number, for each phase.
public struct PhaseTimes: Hashable, Sendable {
    public var background: Int64 = 0
    public var inactive: Int64 = 0
    public var active: Int64 = 0

    public init(active: Int64 = 0, inactive: Int64 = 0, background: Int64 = 0) {
        (self.active, self.inactive, self.background) = (active, inactive, background)
    }

    public subscript(phase: ScenePhase) -> Int64 {
        get {
            switch phase {
            case .background: background
            case .inactive: inactive
            case .active: active
            }
        }
        set {
            switch phase {
            case .background: background = newValue
            case .inactive: inactive = newValue
            case .active: active = newValue
            }
        }
    }

    public var all: Int64 { background + inactive + active }

    /// The greatest phase that has any.
    var greatest: ScenePhase? {
        active > 0 ? .active : inactive > 0 ? .inactive : background > 0 ? .background : nil
    }
}
