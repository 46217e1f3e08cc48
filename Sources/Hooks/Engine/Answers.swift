import System

/// The reason why an application is thawed before its phase ends.
public struct ThawReason: Hashable, Sendable {
    public let words: String

    public static let wanted = Self(words: "it is shown, focused or activated")
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

/// A call on a message bus that waits for its answer.
public struct BusCall: Hashable, Sendable {
    public var sender: String
    public var serial: UInt32

    public init(sender: String, serial: UInt32) { (self.sender, self.serial) = (sender, serial) }
}

/// The answer to a question about an application.
public struct Findings: Sendable {
    /// The exceptions that hold, with descriptions. The key is nil for what keeps any application from being frozen,
    /// such as an open menu.
    public var found: [Exception?: String] = [:]
    /// The program that it has just started, which postpones the freeze; nil for none.
    public var newcomer: String?
    /// Why the application must not be touched.
    public var refusal: String?
    /// The other applications with windows of its processes.
    public var companions: Set<String> = []
    /// What a freeze would stop; nil if it cannot be frozen.
    public var freeze: Hold?
    /// What undoes the other reactions.
    public var limits: [Hold] = []
    /// What the system lacks for reactions.
    public var lacks: [BuiltIn: String] = [:]
    public var faults: [ReactionWords] = []
    /// Remarks that are reported once.
    public var remarks: [String] = []

    public init() {}
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
    /// The freeze was given up because of a program that the application has just started.
    case postponed(by: String)
    /// The X server does not answer: a stopped program may have grabbed it.
    case silentServer
}

/// What was done or undone for one reaction, or was not.
public struct ReactionWords: Hashable, Sendable {
    public var builtIn: BuiltIn
    /// They begin with a verb or a participle.
    public var words: String

    public init(_ builtIn: BuiltIn, _ words: String) { (self.builtIn, self.words) = (builtIn, words) }
}

/// The result of doing or undoing other reactions.
public struct ReactionAnswer: Hashable, Sendable {
    /// Descriptions of what was done or undone.
    public var done: [ReactionWords] = []
    /// Descriptions of what was not.
    public var faults: [ReactionWords] = []
    /// Remarks that are reported once.
    public var remarks: [String] = []

    public init() {}
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
