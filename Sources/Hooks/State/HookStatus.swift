import Console
import System

/// The state of a hook, for itself or for one subject.
public struct HookStatus: Hashable, Codable, Sendable {
    public enum State: String, Codable, Sendable {
        /// It reacts to changes, and has nothing to do now.
        case ready
        /// It reacts to nothing, until it is resumed.
        case paused
        /// It reacts to nothing: the machine is not on the power supply that it names.
        case unpowered
        /// It reacts to nothing: no application is in the phases of its mode.
        case off
        /// For `after` to pass, or for its turn.
        case waiting
        /// `unless` runs.
        case checking
        case entering, entered, leaving, running
        /// Something kept it from reacting.
        case excepted
        case failed
    }

    public var hook: String
    /// What it is for, as lines tell it; nil for the hook itself.
    public var subject: String?
    public var application: String?
    public var state: State
    public var since: UTCTime?
    public var until: UTCTime?
    /// The built-in reactions that are in force.
    public var reactions: [String] = []
    /// The systemd unit that is frozen.
    public var unit: String?
    /// How many processes are frozen.
    public var processes: Int?
    /// The seconds of processor time that it did not use since, an estimate.
    public var saved: Double?
    /// How often it was not woken since, an estimate.
    public var wakeups: Int?
    /// The bytes that it gave back since.
    public var memory: Int?
    /// Why it is so.
    public var reason: String?

    public init(_ hook: String, _ state: State, of change: (path: String, application: String)? = nil) {
        (self.hook, self.state) = (hook, state)
        (subject, application) = (change?.path, change?.application)
    }
}
