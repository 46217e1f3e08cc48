import System

/// What is to be done next, as the schedule has decided.
public enum Step: Hashable, Sendable {
    /// To be answered with `Schedule.ended`. A check is the hook's `unless`.
    case start(RunID, Job, isCheck: Bool)
    /// To be answered with `Schedule.ended`: it was started by an earlier process, and still runs.
    case follow(RunID, Job)
    /// Nothing is owed any longer for the `enter` of this job.
    case release(Job)
    /// The check is to be ended: its answer is not needed any longer.
    case stop(RunID)
    case remark(Remark)
    /// A change has come that the hook of this job is for.
    case matched(Job)
    /// Something newer came before the turn of this job.
    case collapsed(Job)
}

/// The number of a run; none is given twice.
public typealias RunID = Int

/// Why something did not run.
public enum Remark: Hashable, Sendable {
    case vetoed(Job)
    /// An exception of the pair holds; the text says which. It is asked for again.
    case excepted(Job, String)
    /// The phase was left before it had held for as long as the hook asks.
    case leftTooEarly(Job)
    /// A `leave` that could not be started stays owed.
    case retry(Job, in: Duration)
    /// Too many runs wait; this one and further ones are given up.
    case overflow(Job, bound: Int)
}

/// How a run ended.
public enum Outcome: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    case timedOut
    /// It was ended because it was not wanted any longer.
    case stopped
    /// There was no run; the text says why.
    case notStarted(String)
    /// The check has found what the pair excepts; the text says what.
    case excepted(String)
    /// There was no run because of a limit that may not hold for long; the text says which.
    case postponed(String)
}

extension Outcome {
    init(_ ending: RunningProgram.Ending) {
        self =
            switch ending {
            case .exited(let code): .exited(code)
            case .killed(let signal): .killed(signal: signal)
            case .timedOut: .timedOut
            case .stopped: .stopped
            }
    }
}
