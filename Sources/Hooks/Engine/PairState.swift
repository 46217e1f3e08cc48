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
    /// `unless` is run before the job begins.
    case checking(RunID, Job)
    /// As `checking`, but the answer is no longer needed.
    case abandoned(RunID, Job)
    case running(RunID, Job)
    /// `enter` waits until its record is on disk.
    case recording(WriteID, Entry)
    case entering(RunID, Entry)
    case held(Entry)
    case leaving(RunID, Entry, Job)
    /// The hook votes for its reactions.
    case voting(Job, since: Timestamp)

    var isIdle: Bool { if case .idle = self { true } else { false } }

    /// The entry that is still to be left; nil if there is none.
    var entry: Entry? {
        get {
            switch self {
            case .recording(_, let entry), .entering(_, let entry), .held(let entry),
                .leaving(_, let entry, _):
                entry
            case .idle, .checking, .abandoned, .running, .voting: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .recording(let id, _): self = .recording(id, newValue)
            case .entering(let id, _): self = .entering(id, newValue)
            case .held: self = .held(newValue)
            case .leaving(let id, _, let job): self = .leaving(id, newValue, job)
            case .idle, .checking, .abandoned, .running, .voting: break
            }
        }
    }

    /// The job of the entry or of the vote.
    var begun: Job? { if case .voting(let job, _) = self { job } else { entry?.job } }

    var isLeaving: Bool { if case .leaving = self { true } else { false } }

    /// Whether a `leave` may begin.
    var isLeavable: Bool { if case .held = self { true } else { false } }
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
}
