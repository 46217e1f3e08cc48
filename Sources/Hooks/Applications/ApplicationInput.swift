import System

/// An event that concerns what is done to applications.
public enum ApplicationInput: Sendable {
    /// All present votes.
    case votes([Vote])
    /// Applications that are wanted, and the reason.
    case wanted(Set<String>, because: ThawReason)
    /// A call to a frozen application that only reads, or its answer.
    case called(String, BusCall)
    case answered(String, BusCall)
    /// The session may end. Everything is thawed, and nothing is frozen for a while.
    case sessionMayEnd
    /// The user has thawed these applications; nil for all.
    case thaw(Set<String>?)
    case closed(String)
    case timer
    case asked(RunID, Findings)
    /// The record is on disk up to this write, or the write failed.
    case recorded(WriteID, failure: String?)
    case froze(RunID, FreezeResult)
    case applied(RunID, ReactionAnswer)
    /// The holds that could not be undone.
    case undone(RunID, left: [Hold], ReactionAnswer)
    /// These holds could not be thawed.
    case notThawed(Job, [Hold])
    /// What an earlier process has left.
    case restored(String, [Hold], Job)
}

/// The answer to a question about an application.
public struct Findings: Sendable {
    /// The exceptions that hold, with descriptions. The key is nil for what keeps any application from being frozen,
    /// such as an open menu.
    public var found: [Exception?: String] = [:]
    /// Why the application must not be touched.
    public var refusal: String?
    /// The other applications with windows of its processes.
    public var companions: Set<String> = []
    /// What a freeze would stop; nil if it cannot be frozen.
    public var freeze: Hold?
    /// What undoes the other reactions.
    public var limits: [Hold] = []
    public var faults: [String] = []
    public var remarks: [String] = []

    public init() {}
}

/// An action that concerns an application.
public enum ApplicationEffect: Sendable {
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
    case say(Remark)
}
