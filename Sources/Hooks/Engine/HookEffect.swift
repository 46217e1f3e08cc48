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
