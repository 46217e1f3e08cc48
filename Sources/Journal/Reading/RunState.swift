import PhaseWatch

/// What the lines of one `xphase run` have told so far. Times are of its own clock, in milliseconds.
final class RunState {
    let number: Int
    let display: Int
    /// When its last line was written.
    var clock: Int64
    /// Since when it is watched, or hidden, as it is now.
    var since: Int64
    /// What its clock is behind the calendar.
    var offset: Int64
    /// The states of the session that hold.
    var hidden: Set<SessionState> = []
    /// A newer version of xphase writes it.
    var isNewer = false
    var hasEnded = false
    /// Its last lines were of a time to come.
    var isAhead = false
    /// When it has told all that is there once more.
    var retold: Int64 = -1
    var origin = RunOrigin(boot: "", pid: 0, ticks: 0)
    var groups = Phases()
    var applications = Phases()
    /// How many groups of each application are in each phase.
    var counts: [PhaseCounts] = []
    /// When each application came to its phase, in the calendar.
    private(set) var starts: [Int64] = []

    init(_ number: Int, display: Int, clock: Int64, offset: Int64) {
        (self.number, self.display, self.clock, self.offset) = (number, display, clock, offset)
        since = clock
    }

    /// Counts that a group of an application has changed, and returns the phase of the application.
    func count(_ application: Int, from: JournalPhase?, to: JournalPhase?) -> JournalPhase? {
        while counts.count <= application { counts.append(PhaseCounts()) }
        if let from { counts[application][from] -= 1 }
        if let to { counts[application][to] += 1 }
        return counts[application].greatest
    }

    func setStart(of application: Int, _ time: Int64) {
        while starts.count <= application { starts.append(time) }
        starts[application] = time
    }

    /// The applications that are there.
    func present(on display: String, _ names: NameTable) -> [PresentApplication] {
        (0..<applications.count).compactMap { number in
            applications.phase(number).map {
                PresentApplication(
                    display: display, name: names.parts(number).first, phase: $0, since: starts[number])
            }
        }
    }
}

/// An application that is there, and since when it has been in its phase.
public struct PresentApplication: Hashable, Sendable {
    public var display: String
    public var name: String
    public var phase: JournalPhase
    /// Milliseconds since 1970.
    public var since: Int64
}

/// Which process writes the lines of a run.
public struct RunOrigin: Hashable, Sendable {
    public var boot: String
    public var pid: Int
    /// When it started, as `ProcessIdentity` has it.
    public var ticks: Int
}

/// The phases of groups or applications, by number, and since when.
struct Phases {
    /// The phase and 1; 0 for what is not there.
    private var phases: [UInt8] = []
    private var starts: [Int64] = []

    var count: Int { phases.count }

    func phase(_ number: Int) -> JournalPhase? {
        number < phases.count ? JournalPhase(rawValue: Int(phases[number]) - 1) : nil
    }

    func since(_ number: Int) -> Int64 { number < starts.count ? starts[number] : 0 }

    mutating func set(_ number: Int, _ phase: JournalPhase?, _ since: Int64) {
        while phases.count <= number {
            phases.append(0)
            starts.append(0)
        }
        phases[number] = phase.map { UInt8($0.rawValue + 1) } ?? 0
        starts[number] = since
    }
}

struct PhaseCounts {
    private var background: Int32 = 0
    private var inactive: Int32 = 0
    private var active: Int32 = 0

    subscript(phase: JournalPhase) -> Int32 {
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

    var greatest: JournalPhase? {
        active > 0 ? .active : inactive > 0 ? .inactive : background > 0 ? .background : nil
    }
}

/// Milliseconds in each phase.
public struct PhaseTimes: Hashable, Sendable {
    public var background: Int64 = 0
    public var inactive: Int64 = 0
    public var active: Int64 = 0

    public init(active: Int64 = 0, inactive: Int64 = 0, background: Int64 = 0) {
        (self.active, self.inactive, self.background) = (active, inactive, background)
    }

    public subscript(phase: JournalPhase) -> Int64 {
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
}

/// What a journal tells beside the phases. Times are milliseconds within the window.
public struct JournalSummary: Hashable, Sendable {
    /// How long somebody could see the displays.
    public var watched: Int64 = 0
    /// How long they were locked, off or not shown.
    public var hidden: Int64 = 0
    /// How long the machine was asleep.
    public var suspended: Int64 = 0
    /// How often the calendar was set.
    public var steps = 0
    /// Lines that were cut off, or are none of a journal.
    public var unreadable = 0
    /// Lines of a newer version.
    public var newer = 0
    /// Lines that were read before.
    public var duplicates = 0
    /// Lines of a run whose start is missing.
    public var orphans = 0
    /// Lines whose time has not come yet.
    public var future = 0
}
