import Glibc
import System

/// How a program ended.
public enum Outcome: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    case timedOut
    /// The program was ended because it was no longer needed.
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

    /// Whether `unless` has not answered. Any exit is an answer, and one that was stopped is no longer needed.
    var isFailureOfCheck: Bool {
        switch self {
        case .exited, .stopped: false
        case .killed, .timedOut, .notStarted, .postponed: true
        }
    }

    /// Returns the description of a failure; nil for a run that ended as it should.
    public func failure(after time: Duration) -> String? {
        let tenths = time.milliseconds / 100
        let end = "after \(tenths / 10).\(tenths % 10) s"
        switch self {
        case .exited(0): return nil
        case .exited(let code): return "exit \(code) \(end)"
        case .killed(let number):
            let name = strsignal(number).map { String(cString: $0) } ?? "unknown"
            return "killed by signal \(number) (\(name)) \(end)"
        case .timedOut: return "timed out \(end) and was terminated"
        case .stopped: return "ended with xphase \(end)"
        case .notStarted(let reason), .postponed(let reason): return reason
        }
    }
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

    /// - Parameter unit: nil if processes were stopped by signals.
    public static func frozen(unit: String?, count: Int) -> Self {
        .frozen("frozen (\(unit.map { "\($0), " } ?? "")\(count == 1 ? "1 process" : "\(count) processes"))")
    }
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
