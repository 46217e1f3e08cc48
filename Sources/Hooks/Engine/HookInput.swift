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
}

/// The unique number of a run, which is a program or a question.
public typealias RunID = Int

/// The number of a write of the record; later writes contain earlier ones.
public typealias WriteID = Int

/// An event that the engine handles.
public enum HookInput: Sendable {
    /// Simultaneous changes, and the names of the hooks that may react; nil for all.
    case changes([HookTrigger], only: Set<String>? = nil)
    /// The time `HookEngine.next` has come.
    case timer
    /// A program runs as this process.
    case started(RunID, ProcessIdentity)
    /// A program has ended, after this time.
    case ended(RunID, Outcome, after: Duration)
    case application(ApplicationInput)
    /// A description of what the system lacks for reactions of a job.
    case lacks(Job, String)
    /// The processes that an `enter` is run for.
    case identified(Job, [ProcessIdentity])
    /// The record is on disk up to this write, or the write failed.
    case recorded(WriteID, failure: String? = nil)
    /// The pairs that an earlier process has entered and not left.
    case restored([RestoredPair])
    /// The reason why these pairs are not known yet.
    case notRestored(String)
    case reload([Hook])
    /// The hooks with these names do not react until another `suspend` leaves them out.
    case suspend(Set<String>)
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

/// The reason why an application is thawed before its phase ends.
public enum ThawReason: Hashable, Sendable {
    /// The application is shown, focused or requested.
    case wanted
    /// The application receives a message, which the text describes.
    case spokenTo(String)
    /// The X server does not answer.
    case silentServer
    /// The connection that monitors messages was lost.
    case deaf
    case sessionMayEnd
    /// Job control stops xphase.
    case stopped

    public var words: String {
        switch self {
        case .wanted: "it is shown, focused or activated"
        case .spokenTo(let what): "it is contacted by \(what)"
        case .silentServer: "the X server did not answer within 100 ms: the program may have grabbed it"
        case .deaf: "messages to it are no longer detected"
        case .sessionMayEnd: "the session is about to end"
        case .stopped: "xphase is stopped"
        }
    }
}

/// The result of a freeze.
public enum FreezeResult: Hashable, Sendable {
    /// A description: `frozen (3 processes)`.
    case frozen(String)
    /// The application has started further processes, which this hold contains.
    case more(Hold)
    case failed(String)
    /// The freeze was not begun, for a reason that may not last.
    case later(String)
    /// The X server does not answer: a stopped program may have grabbed it.
    case silentServer
}

/// How a program ended.
public enum Outcome: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    case timedOut
    /// The program was ended because it was no longer wanted.
    case stopped
    /// The program was not started, for this reason.
    case notStarted(String)
    /// The program was not started because of a possibly temporary limit, which the text describes.
    case postponed(String)

    var hasStarted: Bool {
        switch self {
        case .notStarted, .postponed: false
        case .exited, .killed, .timedOut, .stopped: true
        }
    }
}

/// A pair that an earlier process has entered.
public struct RestoredPair: Hashable, Sendable {
    public var pair: RecordedPair
    /// Whether the part that was started last still runs.
    public var isRunning: Bool

    public init(_ pair: RecordedPair, isRunning: Bool = false) {
        (self.pair, self.isRunning) = (pair, isRunning)
    }
}
