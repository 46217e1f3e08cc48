import PhaseWatch
import System

/// One hook and one subject.
struct Pair: Sendable {
    /// The order in which pairs were first seen.
    let number: Int
    var state = PairState.idle
    /// A job that waits for its time, whatever the state is.
    var waiting: Waiting?
    /// By phase and facts at the last change, for hooks that follow facts.
    var isInside = false
    /// Why the hook has not reacted last.
    var note: PairNote?

    var isForgettable: Bool { state.isIdle && waiting == nil && !isInside && note == nil }
}

/// A job that waits for its time.
struct Waiting: Sendable {
    var job: Job
    var due: Duration
    /// The order of those that are due at one moment.
    var number: Int
    /// Its hook is suspended: it waits for that to end, too.
    var isParked = false
}

/// Why a hook has not reacted, until it does.
struct PairNote: Hashable, Sendable {
    let state: HookStatus.State
    let job: Job
    let reason: String
    let time: Timestamp
}

/// Where one hook stands with one subject. Each case holds what that state needs.
enum PairState: Sendable {
    case idle
    /// `unless` or the exceptions are asked before the job begins.
    case checking(RunID, Job)
    /// The same, and the answer is not needed any longer.
    case abandoned(RunID, Job)
    case running(RunID, Job)
    /// `enter` waits until the disk knows of it.
    case recording(WriteID, Entry)
    case entering(RunID, Entry)
    /// The reactions are being done.
    case reacting(Reacting, Entry)
    case held(Entry)
    /// The reactions are being undone for this `leave`.
    case undoing(RunID, Entry, Job)
    case leaving(RunID, Entry, Job)

    var isIdle: Bool { if case .idle = self { true } else { false } }

    /// What is owed.
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

/// A pair that was entered, or is about to be, and is not left yet.
struct Entry: Sendable {
    /// The `enter`.
    let job: Job
    /// An earlier process has entered it: it is left, whatever the phase is.
    var isRestored = false
    /// When it, or the `leave` that runs, began.
    var since: Timestamp
    /// Those that `enter` was run for.
    var processes: [ProcessIdentity] = []
    /// The part that runs as a process.
    var started: RecordedPair.StartedPart?
    var freeze = Freeze.none
    /// The thaw that its `leave` began with has failed.
    var isNotThawed = false
    /// When it is woken, if it is frozen.
    var wakeAt: Duration?
    /// The run that takes memory back.
    var reclaim: RunID?
}

/// What an entered pair wants of the freeze of its application, which is shared.
enum Freeze: Hashable, Sendable {
    case none
    case frozen
    /// For a while; then it is frozen again.
    case thawed(until: Duration, because: String, Again)
    /// Until the hook has frozen the other application, which shares a process with it, or that is closed.
    case blocked(by: String)
    /// Until its phase begins anew: the user has thawed it.
    case forbidden

    /// Has it wait for a while, unless the user has thawed it.
    mutating func postpone(until end: Duration, because reason: String, _ again: Again) {
        if self != .forbidden { self = .thawed(until: end, because: reason, again) }
    }

    enum Again: Hashable, Sendable {
        /// After the exceptions were asked.
        case ask
        /// The same, without a line: it was awake for a moment.
        case quietly
        /// Together with the other reactions, none of which was done.
        case prepare
    }
}

/// How far the reactions of a pair are.
struct Reacting: Sendable {
    enum Step: Hashable, Sendable {
        /// Reads what undoes them.
        case preparing
        /// Asks for exceptions.
        case asking
        case aiming
        /// Waits for the disk; then it freezes this.
        case recording(WriteID, Hold?)
        case freezing(Hold)
        case performing
    }

    var id: RunID
    var step: Step
    /// What was done, in words.
    var done: [String] = []
    /// It was thawed, and is frozen again, and nothing else. No turn is held for it.
    var isAgain = false
    /// All reactions are done, and not the freeze alone.
    var isWhole = false
    var isQuiet = false
    /// How often further processes were found.
    var rounds = 0
}
