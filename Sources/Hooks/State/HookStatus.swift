import Console
import System

/// The state of a hook itself, or of a hook for one subject.
public struct HookStatus: Hashable, Codable, Sendable {
    public enum State: String, Codable, Sendable {
        /// The hook reacts to changes and has nothing to do now.
        case ready
        /// The hook does not react until it is resumed.
        case paused
        /// The hook does not react: the machine is not on the power supply that it names.
        case unpowered
        /// The hook waits for `after` to pass, or for its turn.
        case waiting
        /// `unless` runs, or the exceptions are checked.
        case checking
        case entering, entered, leaving, running
        /// The reaction was prevented, for `reason`.
        case excepted
        case failed
    }

    public var hook: String
    /// The path of the subject, as in lines; nil for the hook itself.
    public var subject: String?
    public var application: String?
    public var state: State
    public var since: UTCTime?
    public var until: UTCTime?
    /// The built-in reactions that are in force.
    public var reactions: [String] = []
    /// The systemd unit that is frozen.
    public var unit: String?
    /// The number of frozen processes.
    public var processes: Int?
    /// The reason for the state.
    public var reason: String?

    public init(_ hook: String, _ state: State, of subject: (path: String, application: String?)? = nil) {
        self.hook = hook
        self.state = state
        self.subject = subject?.path
        application = subject?.application
    }
}
