import PhaseWatch

/// The state of one `xphase run`, from the lines read so far. Times are milliseconds of the run's clock.
final class RunState {
    /// A present application, or a present group if rows are groups.
    struct Subject {
        /// The number of its groups in each phase.
        var groups = PhaseTimes()
        var phase: ScenePhase
        /// The number of the name under which its time is counted.
        var row: Int
        /// The time up to which it is counted.
        var counted: Int64
        /// The calendar time when it entered its phase.
        var start: Int64
    }

    let display: Int
    let origin: RunOrigin
    /// Whether a newer version of xphase writes the lines.
    let isNewer: Bool
    /// The time of its last line.
    var clock: Int64
    /// The time up to which the display is counted.
    var counted: Int64
    /// The calendar time minus the run's clock.
    var offset: Int64
    /// The current states of the session.
    var hidden: Set<SessionState> = []
    var hasEnded = false
    /// Whether its last lines had a future time.
    var isAhead = false
    /// The phases of the present groups, by number.
    var groups: [Int: ScenePhase] = [:]
    /// The present subjects, by number.
    var subjects: [Int: Subject] = [:]
    /// The numbers of the subjects' titles.
    var titles: [Int: Int] = [:]

    init(_ start: JournalLine.Start, display: Int, clock: Int64, offset: Int64) {
        (self.display, self.clock, self.offset) = (display, clock, offset)
        (origin, isNewer, counted) = (start.origin, start.v > JournalFormat.version, clock)
    }

    /// Whether its lines count.
    var isRunning: Bool { !hasEnded && !isNewer }
}

/// The process that writes the lines of a run.
struct RunOrigin: Hashable {
    var boot: String
    var pid: Int
    /// The start time, as in `ProcessIdentity`.
    var ticks: Int
}

/// A present application, and the time when it entered its phase.
public struct PresentApplication: Hashable, Sendable {
    public var display: String
    public var name: String
    public var phase: ScenePhase
    /// Milliseconds since 1970.
    public var since: Int64
}

/// Milliseconds, or a count, for each phase.
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

    /// The greatest phase that is not 0.
    var greatest: ScenePhase? {
        active > 0 ? .active : inactive > 0 ? .inactive : background > 0 ? .background : nil
    }
}
