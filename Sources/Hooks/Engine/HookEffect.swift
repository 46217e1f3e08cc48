import PhaseWatch
import System

/// Everything that hooks can want.
public enum HookEffect: Hashable, Sendable {
    /// Have the disk take `HookEngine.owed`. Answered by `recorded`, after the processes of an `enter` were `identified`.
    case record(WriteID, identify: [Job])
    /// Run the program of a job, or its `unless`. Answered by `started` and `ended`.
    case run(RunID, Job, isCheck: Bool, processes: [ProcessIdentity]?)
    /// Wait for a part that an earlier process has started. Answered by `ended`.
    case follow(RunID, Job, ProcessIdentity)
    /// Find out whether an exception holds. Answered by `answered`, as all questions are.
    case ask(RunID, Job)
    /// Read what undoes the reactions, and ask once more.
    case prepare(RunID, Job)
    /// Find the processes that may be frozen. Answered by `aimed`.
    case aim(RunID, Job)
    /// Freeze what `aimed` has named. Answered by `froze`.
    case freeze(RunID, Job, Hold)
    /// Do all other reactions.
    case perform(RunID, Job, [Hold])
    case reclaim(RunID, Job)
    /// Undo these; there may be none. Answered after what the thaws before it could not do.
    case undo(RunID, Job, [Hold])
    /// Thaw an application that these jobs have frozen, and report it unless it is quiet. What fails is `notThawed`, before any
    /// other input.
    case thaw([Job], [Hold], because: String?, isQuiet: Bool)
    /// End a program whose answer is no longer needed.
    case end(RunID)
    case say(Remark)
}

/// What is reported of hooks: lines of the log, and the reasons that 'hooks why' prints.
public enum Remark: Hashable, Sendable {
    /// A change has come that the hook of this job is for.
    case matched(Job)
    case started(Job)
    case followed(Job)
    /// A dry run would run this.
    case would(Job, isCheck: Bool)
    /// It did not end as it should.
    case failed(Job, isCheck: Bool, Outcome, after: Duration)
    case vetoed(Job)
    /// An exception of the pair holds; the text says which. It is asked for again.
    case excepted(Job, String)
    /// The phase was left before it had held for as long as the hook asks.
    case leftTooEarly(Job)
    /// Something newer came before the turn of this job.
    case collapsed(Job)
    /// A `leave` that could not be started stays owed.
    case retry(Job, in: Duration)
    /// Reactions that were done or undone.
    case done(Job, [String])
    /// What was not, with a verb first.
    case notDone(Job, String)
    /// Why the application must not be touched.
    case refused(Job, String)
    case staysFrozen(Job, for: [Job])
    /// What is reported once.
    case once(String)
    /// A write of the record failed on which no `enter` depends.
    case unrecorded(String)
    /// Too many runs wait; this one and further ones are given up.
    case overflow(Job, bound: Int)

    /// What it is about.
    public var job: Job? {
        switch self {
        case .matched(let job), .started(let job), .followed(let job), .would(let job, _),
            .failed(let job, _, _, _), .vetoed(let job), .excepted(let job, _), .leftTooEarly(let job),
            .collapsed(let job), .retry(let job, _), .done(let job, _), .notDone(let job, _),
            .refused(let job, _), .staysFrozen(let job, _), .overflow(let job, _):
            job
        case .once, .unrecorded: nil
        }
    }
}
