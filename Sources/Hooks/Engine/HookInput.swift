import PhaseWatch
import System

/// A moment by both clocks. The engine reads neither.
public struct Moment: Hashable, Sendable {
    /// Monotonic time, as `Clock.now()`.
    public var now: Duration
    public var time: Timestamp

    public init(now: Duration, time: Timestamp) {
        (self.now, self.time) = (now, time)
    }

    static func + (moment: Moment, duration: Duration) -> Duration { moment.now + duration }
}

/// The number of a run, which is a program or a question; none is given twice.
public typealias RunID = Int

/// The number of a write of the record; later writes contain earlier ones.
public typealias WriteID = Int

/// Everything that can happen to hooks.
public enum HookInput: Sendable {
    /// Changes that came at one time, and the names of the hooks that may react; nil for all.
    case changes([HookTrigger], only: Set<String>? = nil)
    /// Applications that are wanted, and the sign of it.
    case wanted(Set<String>, because: ThawReason)
    /// Everything is thawed, and for a while nothing is frozen.
    case sessionMayEnd
    /// A moment that `HookEngine.next` has named.
    case timer
    /// A program runs as this process.
    case started(RunID, ProcessIdentity)
    /// A program has ended, after so long.
    case ended(RunID, Outcome, after: Duration)
    /// A question was answered, or could not be: `failure` says why.
    case answered(RunID, ReactionAnswer, failure: String? = nil)
    /// The application may not be touched, or not frozen, since …; the other application that shares its process, if that is
    /// the reason.
    case refused(RunID, String, sharing: String? = nil)
    /// What the system lacks for some of the reactions of a job.
    case lacks(Job, String)
    /// The processes that a freeze would stop, and the other applications that its hook holds and that share them.
    case aimed(RunID, Hold, sharedWith: Set<String> = [])
    case froze(RunID, FreezeResult)
    /// These could not be thawed. It comes right after the effects that the thaw was among.
    case notThawed(application: String, [Hold])
    /// The processes that an `enter` is run for.
    case identified(Job, [ProcessIdentity])
    /// What the disk has taken, up to this write, or why not.
    case recorded(WriteID, failure: String? = nil)
    /// What an earlier process has entered and not left.
    case restored([RestoredPair])
    /// Why that is not known yet.
    case notRestored(String)
    case reload([Hook])
    /// The hooks of these names do not react until another such input leaves them out.
    case suspend(Set<String>)
    /// The user has thawed these applications, or asks for it; nil for all. They stay so until their phase begins anew.
    case thaw(Set<String>?)
    /// Runs no change any longer, and leaves what was entered.
    case stop
    /// Starts no program any longer.
    case close
}

/// Why an application is thawed before its phase ends.
public enum ThawReason: Hashable, Sendable {
    /// Shown, focused or asked for.
    case wanted
    /// By what, in words.
    case spokenTo(String)
    /// The X server does not answer.
    case silentServer
    /// The connection that notices messages was lost.
    case deaf
    case sessionMayEnd
    /// Job control stops xphase.
    case stopped

    public var words: String {
        switch self {
        case .wanted: "it is shown, focused or asked for"
        case .spokenTo(let what): "it is spoken to by \(what)"
        case .silentServer: "the X server did not answer within 100 ms: the program may have grabbed it"
        case .deaf: "messages to it are no longer noticed"
        case .sessionMayEnd: "the session may end"
        case .stopped: "xphase is stopped"
        }
    }
}

/// What became of a freeze.
public enum FreezeResult: Hashable, Sendable {
    /// In words: `frozen (3 processes)`.
    case frozen(String)
    /// It has started further processes, which this hold contains.
    case more(Hold)
    case failed(String)
    /// It was not begun, for a reason that may not last.
    case later(String)
    /// The X server does not answer: a stopped program may have grabbed it.
    case silentServer
}

/// How a program ended.
public enum Outcome: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    case timedOut
    /// It was ended because it was not wanted any longer.
    case stopped
    /// There was no run; the text says why.
    case notStarted(String)
    /// There was no run because of a limit that may not hold for long; the text says which.
    case postponed(String)
}

/// A pair that an earlier process has entered.
public struct RestoredPair: Hashable, Sendable {
    public var pair: RecordedPair
    /// The part of it that was started last still runs.
    public var isRunning: Bool

    public init(_ pair: RecordedPair, isRunning: Bool = false) {
        (self.pair, self.isRunning) = (pair, isRunning)
    }
}
