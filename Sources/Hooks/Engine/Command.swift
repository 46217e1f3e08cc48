import PhaseWatch
import System

/// The state of one hook for one subject.
struct Command: Sendable {
    /// The progress of its program. Each case holds the data that the state needs.
    enum State: Sendable {
        case idle
        /// `unless` is run before the job begins. The answer may not be needed any longer.
        case checking(RunID, Job, isAbandoned: Bool)
        case running(RunID, Job)
        /// The job is a vote for reactions.
        case voting(Job, since: Timestamp)
        /// The pair has programs.
        case entered(Entry)
    }

    /// The order in which hooks and subjects were first seen.
    let number: Int
    var state = State.idle
    /// Whether phase and facts match.
    var isInside = false
    /// The start of the last run.
    var ran: Duration?

    var isIdle: Bool { if case .idle = state { !isInside } else { false } }
}

/// A pair with programs that was entered or is about to be, and that is not left yet.
struct Entry: Sendable {
    enum Step: Hashable, Sendable {
        /// `enter` waits until its record is on disk.
        case recording(WriteID)
        case entering(RunID)
        case held
        case leaving(RunID, Job)
    }

    /// The job of `enter`.
    let job: Job
    var step: Step
    /// The time at which the entry, or the `leave` that runs, began.
    var since: Timestamp
    /// The processes that `enter` was run for.
    var processes: [ProcessIdentity] = []
    /// The part that runs as a process.
    var started: UndoRecordEntry.StartedPart?
    /// The last attempt to start `leave` again.
    var retry: Retry?

    var isLeaving: Bool { if case .leaving = step { true } else { false } }
}

/// A job that waits for its time or its turn. Of those that are due at the same time, the first one begins first.
struct Turn: Sendable {
    var job: Job
    var due: Duration
}

/// Something that failed or was prevented, and is tried again: each time doubles the delay, up to 5 min.
struct Retry: Hashable, Sendable {
    private(set) var due: Duration
    let delay: Duration

    /// - Parameter shortest: The first delay.
    init(after former: Retry?, at now: Duration, _ shortest: Duration = .seconds(1)) {
        delay = former.map { min($0.delay * 2, max(shortest, .seconds(300))) } ?? shortest
        due = now + delay
    }

    /// The same attempt, due at once.
    var now: Retry {
        var retry = self
        retry.due = .zero
        return retry
    }
}

extension Command.State {
    /// Whether something runs or is written, so that no other job of the lane may begin.
    var isBusy: Bool {
        switch self {
        case .idle, .voting: false
        case .checking, .running: true
        case .entered(let entry): entry.step != .held
        }
    }

    /// Returns whether a job may begin.
    func mayBegin(_ part: Job.Part) -> Bool {
        switch self {
        case .idle: part != .leave
        case .entered(let entry): part == .leave && entry.step == .held
        case .checking, .running, .voting: false
        }
    }

    var run: RunID? {
        switch self {
        case .checking(let id, _, _), .running(let id, _): return id
        case .entered(let entry):
            switch entry.step {
            case .entering(let id), .leaving(let id, _): return id
            case .recording, .held: return nil
            }
        case .idle, .voting: return nil
        }
    }

    /// The job that the state is about.
    var job: Job? {
        switch self {
        case .idle: return nil
        case .checking(_, let job, _), .running(_, let job), .voting(let job, _): return job
        case .entered(let entry):
            if case .leaving(_, let job) = entry.step { return job }
            return entry.job
        }
    }

    /// The entry that is still to be left; nil if there is none.
    var entry: Entry? {
        get { if case .entered(let entry) = self { entry } else { nil } }
        set { if let newValue, entry != nil { self = .entered(newValue) } }
    }

    /// The job of the vote; nil if it is none.
    var vote: Job? { if case .voting(let job, _) = self { job } else { nil } }

    /// The job that the pair was entered for; nil if it is not entered, nor about to be.
    var entered: Job? { vote ?? entry?.job }

    /// The time at which the vote, the entry, or the `leave` that runs, began; nil for a state of no pair.
    var since: Timestamp? { if case .voting(_, let since) = self { since } else { entry?.since } }
}
