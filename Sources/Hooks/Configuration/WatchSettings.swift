import PhaseWatch

/// The rules for phases in a configuration or on a command line; nil for omitted ones.
public struct WatchSettings: Hashable, Sendable {
    /// A time limit that can be disabled.
    public enum Limit: Hashable, Sendable {
        case none
        case after(Duration)

        /// Parses `none` or a duration; returns nil for anything else.
        public init?(text: String) {
            if text == "none" {
                self = .none
            } else if let duration = Duration(text: text) {
                self = .after(duration)
            } else {
                return nil
            }
        }

        fileprivate var duration: Duration? { if case .after(let duration) = self { duration } else { nil } }
    }

    public var policy: PhasePolicy?
    public var settle: Duration?
    public var session: Set<SessionState>?
    public var occlusion: Limit?
    public var idle: Limit?

    public init() {}

    /// Returns these settings, overridden by those that `other` has.
    public func overridden(by other: WatchSettings) -> WatchSettings {
        var both = self
        both.policy = other.policy ?? policy
        both.settle = other.settle ?? settle
        both.session = other.session ?? session
        both.occlusion = other.occlusion ?? occlusion
        both.idle = other.idle ?? idle
        return both
    }

    /// The options of a watch, with defaults for omitted settings.
    public var options: PhaseMonitor.Options {
        var options = PhaseMonitor.Options()
        options.policy = policy ?? options.policy
        options.settle = settle ?? options.settle
        options.hidingStates = session ?? options.hidingStates
        if let occlusion { options.occlusion = occlusion.duration }
        if let idle { options.idle = idle.duration }
        return options
    }
}

extension Set<SessionState> {
    private static let none = "none"

    /// The names of the states, and the word for no state.
    public static let words = SessionState.allCases.map(\.rawValue) + [none]

    /// Returns the states that the words name.
    ///
    /// - Returns: The states, and the faults of the words.
    public static func named(_ words: [String]) -> (states: Self, faults: [String]) {
        if words == [none] { return ([], []) }
        let vocabulary = Vocabulary(
            one: "session state", many: "session states", words: Self.words)
        var (states, faults): (Self, [String]) = ([], [])
        for word in words {
            if let state = SessionState(rawValue: word) {
                states.insert(state)
            } else {
                faults.append(
                    word == none ? "none cannot be combined with others" : vocabulary.refusal(of: word))
            }
        }
        return (states, faults)
    }
}

extension WatchSettings {
    static let keys = ["policy", "settle", "session", "occlusion", "idle"]

    /// Reads the keys of a configuration.
    init(_ reader: inout TableReader) {
        self.init()
        policy = reader.word("policy")
        settle = reader.duration("settle")
        session = reader.session("session")
        occlusion = reader.limit("occlusion")
        idle = reader.limit("idle")
        if idle == .after(.zero) { reader.fault("idle", "it must be longer than 0") }
    }
}

extension TableReader {
    /// Returns the session states of a word or a list; an empty set for an empty list or the word `none`.
    fileprivate mutating func session(_ key: String) -> Set<SessionState>? {
        let wanted = "a session state"
        let items = value(key, "\(wanted), or a list of them") { $0.string == nil ? $0.array : [$0] }
        guard let items else { return nil }
        let (states, faults) = Set<SessionState>.named(strings(key, items, wanted))
        for reason in faults { fault(key, reason) }
        return states
    }
}
