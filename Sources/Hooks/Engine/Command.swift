import PhaseWatch
import System

/// The state of one hook for one subject.
struct Command: Sendable {
    /// The progress of the hook. Each case holds the data that the state needs.
    enum State: Sendable {
        case idle
        /// `unless` is run before the job begins. The answer may not be needed any longer.
        case checking(RunID, Job, isAbandoned: Bool)
        case running(RunID, Job)
        /// `enter` waits until its record is on disk.
        case recording(WriteID, Entry)
        case entering(RunID, Entry)
        case held(Entry)
        case leaving(RunID, Entry, Job)
        /// The hook votes for its reactions.
        case voting(Job, since: Timestamp)
    }

    /// The order in which hooks and subjects were first seen.
    let number: Int
    var state = State.idle
    /// Whether phase and facts match.
    var isInside = false
    /// The time before which the hook does not run again.
    var ready: Duration?

    func isForgettable(at now: Duration) -> Bool {
        state.isIdle && !isInside && ready.map { $0 <= now } ?? true
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
    /// The delay after the last `leave` that could not be started.
    var delay: Duration?
}

/// A job that waits for its time or its turn.
struct Turn: Sendable {
    var job: Job
    var due: Duration
    /// The order of jobs that are due at the same time.
    let number: Int
}

extension Command.State {
    var isIdle: Bool { if case .idle = self { true } else { false } }

    /// Whether something runs or is written, so that no other job of the lane may begin.
    var isBusy: Bool {
        switch self {
        case .idle, .held, .voting: false
        case .checking, .running, .recording, .entering, .leaving: true
        }
    }

    var isLeaving: Bool { if case .leaving = self { true } else { false } }

    /// Whether a job may begin.
    func mayBegin(_ part: Job.Part) -> Bool {
        switch self {
        case .idle: part != .leave
        case .held: part == .leave
        case .checking, .running, .recording, .entering, .leaving, .voting: false
        }
    }

    var run: RunID? {
        switch self {
        case .checking(let id, _, _), .running(let id, _), .entering(let id, _), .leaving(let id, _, _): id
        case .idle, .recording, .held, .voting: nil
        }
    }

    /// The job that the state is about.
    var job: Job? {
        switch self {
        case .checking(_, let job, _), .running(_, let job), .leaving(_, _, let job), .voting(let job, _): job
        case .idle, .recording, .entering, .held: entry?.job
        }
    }

    /// The job of the entry or of the vote.
    var begun: Job? { if case .voting(let job, _) = self { job } else { entry?.job } }

    /// The entry that is still to be left; nil if there is none.
    var entry: Entry? {
        get {
            switch self {
            case .recording(_, let entry), .entering(_, let entry), .held(let entry),
                .leaving(_, let entry, _):
                entry
            case .idle, .checking, .running, .voting: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .recording(let id, _): self = .recording(id, newValue)
            case .entering(let id, _): self = .entering(id, newValue)
            case .held: self = .held(newValue)
            case .leaving(let id, _, let job): self = .leaving(id, newValue, job)
            case .idle, .checking, .running, .voting: break
            }
        }
    }
}
