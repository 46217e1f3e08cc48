import PhaseWatch
import System

/// An action that the engine requests.
public enum HookEffect: Sendable {
    /// Write `HookEngine.owed` to disk. Answered by `recorded`, after `identified` for the processes of an `enter`.
    case record(WriteID, identify: [Job])
    /// Run the program of a job, or its `unless`. Answered by `started` and `ended`.
    case run(RunID, Job, isCheck: Bool, processes: [ProcessIdentity]?)
    /// Wait for a part that an earlier process has started. Answered by `ended`.
    case follow(RunID, Job, ProcessIdentity)
    /// End a program whose answer is no longer needed.
    case end(RunID)
    case application(ApplicationEffect)
    /// The user's freeze of an application has succeeded, or has failed for this reason.
    case byHand(String, failure: String?)
    case say(Remark)
}

/// A report about hooks: a line of the log, or a reason that 'hooks why' prints.
public enum Remark: Hashable, Sendable {
    /// A change matched the hook of this job.
    case matched(Job)
    case started(Job)
    case followed(Job)
    /// The job or its check failed.
    case failed(Job, isCheck: Bool, Outcome, after: Duration)
    case vetoed(Job)
    /// An exception of the pair holds, which the text describes. It is checked again later.
    case excepted(Job, String)
    /// The phase was left before it had lasted for `after`.
    case leftTooEarly(Job)
    /// A newer change came before the turn of this job.
    case collapsed(Job)
    /// A `leave` that could not be started stays owed.
    case retry(Job, in: Duration)
    /// Reactions were performed or undone.
    case done(Job, [String])
    /// A reaction was not performed, or not undone. The text begins with a verb.
    case notDone(Job, String)
    /// The application must not be touched, for this reason.
    case refused(Job, String)
    case staysFrozen(Job, for: [Job])
    /// A remark that is reported only once.
    case once(String)
    /// A write of the record failed, and no job depends on it.
    case unrecorded(String)
    /// Too many runs wait. This run and further ones are dropped.
    case overflow(Job, bound: Int)

    /// The job that the remark is about.
    public var job: Job? {
        switch self {
        case .matched(let job), .started(let job), .followed(let job),
            .failed(let job, _, _, _), .vetoed(let job), .excepted(let job, _), .leftTooEarly(let job),
            .collapsed(let job), .retry(let job, _), .done(let job, _), .notDone(let job, _),
            .refused(let job, _), .staysFrozen(let job, _), .overflow(let job, _):
            job
        case .once, .unrecorded: nil
        }
    }
}
