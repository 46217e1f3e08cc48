import PhaseWatch
import System

/// A moment on the monotonic clock and the real-time clock. The engine reads neither clock.
public struct Moment: Hashable, Sendable {
    /// Monotonic time, as `Clock.now()`.
    public var now: Duration
    /// As `Clock.sinceBoot()`, which goes on while the machine sleeps.
    public var sinceBoot: Duration
    public var time: Timestamp

    public init(now: Duration, sinceBoot: Duration? = nil, time: Timestamp) {
        (self.now, self.sinceBoot, self.time) = (now, sinceBoot ?? now, time)
    }

    static func + (moment: Moment, duration: Duration) -> Duration { moment.now + duration }

    /// The wall-clock time of a time since the boot, if the clock is not set before then.
    public func time(sinceBoot end: Duration) -> Timestamp { time + (end - sinceBoot) }
}

/// The unique number of a run, which is a program, a question or an action.
public typealias RunID = Int

/// The number of a write of the record; later writes contain earlier ones.
public typealias WriteID = Int

/// A call on a message bus that waits for its answer.
public struct BusCall: Hashable, Sendable {
    public var sender: String
    public var serial: UInt32

    public init(sender: String, serial: UInt32) { (self.sender, self.serial) = (sender, serial) }
}

/// The reason why an application is thawed before its phase ends.
public struct ThawReason: Hashable, Sendable {
    public let words: String

    public static let used = Self(words: "it is shown, focused or activated")
    /// The X server does not answer.
    public static let silentServer = Self(
        words: "the X server did not answer: the program may have grabbed it")
    /// The connection that monitors messages was lost.
    public static let deaf = Self(words: "xphase lost the connection that shows who calls it")
    /// What notices signs cannot be made or used.
    public static let unwatched = Self(words: "xphase cannot see who calls it")
    public static let sessionMayEnd = Self(words: "the session is about to end")
    /// Job control stops xphase.
    public static let stopped = Self(words: "xphase is stopped")

    /// The application receives a message, which the text describes.
    public static func spokenTo(_ what: String) -> Self { Self(words: what) }
}

/// An event that the engine handles.
public enum HookInput: Sendable {
    /// Simultaneous changes, and the names of the hooks that may react; nil for all.
    case changes([HookTrigger], only: Set<String>? = nil)
    /// The user runs a hook by hand.
    case fire(Job)
    /// The time that `HookEngine.next` returns has come.
    case timer
    /// A program runs as this process.
    case started(RunID, ProcessIdentity)
    /// A program has ended, after this time.
    case ended(RunID, Outcome, after: Duration)
    /// The processes that an `enter` is run for.
    case identified(Job, [ProcessIdentity])
    /// The record is on disk up to this write, or the write failed.
    case recorded(WriteID, failure: String? = nil)
    /// The pairs that an earlier process has entered and not left, and the started parts that still run.
    case restored([UndoRecordEntry], running: Set<ProcessIdentity> = [])
    /// The reason why these pairs are not known yet.
    case notRestored(String)
    case asked(RunID, Findings)
    case froze(RunID, FreezeResult)
    case applied(RunID, ReactionAnswer)
    /// The holds that could not be undone.
    case undone(RunID, left: [Hold], ReactionAnswer)
    /// These holds could not be thawed.
    case notThawed(Job, [Hold])
    /// Signs that the user needs these applications, or another reason to thaw them for a while.
    case sign(Set<String>, because: ThawReason)
    /// A call to a frozen application that only reads, or its answer.
    case called(String, BusCall)
    case answered(String, BusCall)
    /// The session may end. Everything is thawed, and nothing is frozen for a while.
    case sessionMayEnd
    case reload([Hook])
    /// The user has paused hooks, or has resumed some.
    case pauses(Pauses)
    /// The power supply that the machine is on; nil while it is not known.
    case power(Power?)
    /// The user has thawed these applications, or requests it; nil for all. They stay thawed until their phase begins
    /// again.
    case thaw(Set<String>?)
    /// The user freezes an application by hand: its present state, the hook that does it, and for how long.
    case freeze(HookTrigger, Hook, for: Duration?)
    /// The engine ignores further changes and leaves all entered pairs.
    case stop
    /// The engine starts no further programs.
    case close
}

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
    /// Ask which of the exceptions hold, and what undoes the reactions. `fellows` are the applications that are to be
    /// frozen, too. Answered by `asked`.
    case ask(RunID, Job, Set<BuiltIn>, Set<Exception>, fellows: Set<String>)
    /// Stop the processes, which `fellows` may share. Answered by `froze`.
    case freeze(RunID, Job, [Hold], fellows: Set<String>)
    /// Thaw at once, and report it unless it is quiet. Failures are answered by `notThawed`.
    case thaw(Job, [Hold], because: String?, isQuiet: Bool)
    /// Set the limits. Answered by `applied`.
    case apply(RunID, Job, [Hold], Wanted)
    /// Answered by `undone`.
    case undo(RunID, Job, [Hold])
    /// What has become of the user's freeze of an application.
    case byHand(String, HandFreezeAnswer)
    /// Log the line of an event.
    case log(JobEvent, Job)
    /// Log a line about no hook in particular.
    case say(String, as: Remark)
}

/// How a line about no hook in particular is logged.
public enum Remark: Sendable {
    case line
    /// Only once.
    case once
    /// As a line of the watch, for everybody who reads it.
    case notice
}
