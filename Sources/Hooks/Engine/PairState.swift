import PhaseWatch
import System

/// The state of one hook for one subject.
struct Pair: Sendable {
    /// The order in which pairs were first seen.
    let number: Int
    var state = PairState.idle
    /// A job that waits for its time, in any state.
    var waiting: Waiting?
    /// Whether phase and facts matched at the last change, for hooks that follow facts.
    var isInside = false
    /// The reason why the hook last did not react.
    var note: PairNote?

    var isForgettable: Bool { state.isIdle && waiting == nil && !isInside && note == nil }
}

/// A job that waits for its time.
struct Waiting: Sendable {
    var job: Job
    var due: Duration
    /// The order of jobs that are due at the same time.
    var number: Int
    /// Whether the job also waits for its hook, which is suspended, to react again.
    var isParked = false
}

/// The reason why a hook has not reacted, kept until it does.
struct PairNote: Hashable, Sendable {
    let state: HookStatus.State
    let job: Job
    let reason: String
    let time: Timestamp
}

/// The progress of one hook for one subject. Each case holds the data that the state needs.
enum PairState: Sendable {
    case idle
    /// `unless` or the exceptions are checked before the job begins.
    case checking(RunID, Job)
    /// As `checking`, but the answer is no longer needed.
    case abandoned(RunID, Job)
    case running(RunID, Job)
    /// `enter` waits until its record is on disk.
    case recording(WriteID, Entry)
    case entering(RunID, Entry)
    /// The reactions are being performed.
    case reacting(Reacting, Entry)
    case held(Entry)
    /// The reactions are being undone for this `leave`.
    case undoing(RunID, Entry, Job)
    case leaving(RunID, Entry, Job)

    var isIdle: Bool { if case .idle = self { true } else { false } }

    /// The entry that is still to be left; nil if there is none.
    var entry: Entry? {
        get {
            switch self {
            case .recording(_, let entry), .entering(_, let entry), .reacting(_, let entry),
                .held(let entry), .undoing(_, let entry, _), .leaving(_, let entry, _):
                entry
            case .idle, .checking, .abandoned, .running: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .recording(let id, _): self = .recording(id, newValue)
            case .entering(let id, _): self = .entering(id, newValue)
            case .reacting(let reacting, _): self = .reacting(reacting, newValue)
            case .held: self = .held(newValue)
            case .undoing(let id, _, let job): self = .undoing(id, newValue, job)
            case .leaving(let id, _, let job): self = .leaving(id, newValue, job)
            case .idle, .checking, .abandoned, .running: break
            }
        }
    }

    var isLeaving: Bool {
        switch self {
        case .undoing, .leaving: true
        default: false
        }
    }

    /// Whether a `leave` may begin.
    var isLeavable: Bool {
        switch self {
        case .held: true
        case .reacting(let reacting, _): reacting.isAgain
        default: false
        }
    }
}

/// A pair that was entered or is about to be, and that is not left yet.
struct Entry: Sendable {
    /// The job of `enter`.
    let job: Job
    /// Whether an earlier process entered the pair, which is left in any phase.
    var isRestored = false
    /// The time at which the entry, or the `leave` that runs, began.
    var since: Timestamp
    /// The processes that `enter` was run for.
    var processes: [ProcessIdentity] = []
    /// The part that runs as a process.
    var started: RecordedPair.StartedPart?
    var freeze = Freeze.none
    /// Whether the thaw at the start of `leave` has failed.
    var isNotThawed = false
    /// The time of the next wake while frozen.
    var wakeAt: Duration?
}

/// The request of an entered pair to freeze its application. Several pairs may freeze the same application.
enum Freeze: Hashable, Sendable {
    case none
    case frozen
    /// Thawed for a while, then frozen again.
    case thawed(until: Duration, because: String, Again)
    /// Not frozen until the hook has frozen the other application, which shares a process, or that one is closed.
    case blocked(by: String)
    /// Not frozen until its phase begins again: the user has thawed it.
    case forbidden

    /// Postpones the freeze, unless the user has thawed the application.
    mutating func postpone(until end: Duration, because reason: String, _ again: Again) {
        if self != .forbidden { self = .thawed(until: end, because: reason, again) }
    }

    enum Again: Hashable, Sendable {
        /// After a check of the exceptions.
        case ask
        /// As `ask`, but without a line, after a wake.
        case quietly
        /// Together with the other reactions, none of which was performed.
        case prepare
    }
}

/// The progress of the reactions of a pair.
struct Reacting: Sendable {
    enum Step: Hashable, Sendable {
        /// Reads the data that undoes the reactions.
        case preparing
        /// Checks the exceptions.
        case asking
        case aiming
        /// Waits for the write of the record before freezing this hold; nil for no freeze.
        case recording(WriteID, Hold?)
        case freezing(Hold)
        case performing
    }

    var id: RunID
    var step: Step
    /// Descriptions of the reactions that were performed.
    var done: [String] = []
    /// Whether the application was thawed and is only frozen again. No turn is held for that.
    var isAgain = false
    /// Whether all reactions are performed rather than the freeze alone.
    var isWhole = false
    var isQuiet = false
    /// The number of times that further processes were found.
    var rounds = 0
}
