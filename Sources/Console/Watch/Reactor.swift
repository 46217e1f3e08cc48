import Loop
import PhaseWatch

/// What reacts to the events of a watch, on its thread: it may start things, but never waits for them.
public protocol Reactor: AnyObject {
    /// Signals that are for it, and do not end the watch.
    var signals: [Int32] { get }
    /// When to call `wake` at the latest, in CLOCK_MONOTONIC; nil for never.
    var next: Duration? { get }
    /// It has seen what it was for, and the watch may end.
    var isDone: Bool { get }

    /// Whether it uses the titles of scenes; asked again when `takeRules` gave new ones.
    var usesTitles: Bool { get }

    /// Called once, before everything else.
    func join(_ loop: EventLoop)
    /// Takes events that were told at one time, each with the number of the line that told it, if one did.
    func take(_ events: ChangeBatch, numbers: [Int?], at time: Timestamp)
    /// Takes everything that is there, which `takeRules` asked for.
    func takePresent(_ events: ChangeBatch, at time: Timestamp)
    /// One of its descriptors has what it is watched for.
    func ready(_ descriptor: Int32)
    func received(_ signal: Int32)
    func wake()
    /// What the reader of the watch should know; each is told once.
    func takeNotices() -> [Notice]
    /// What is to be watched in another way from now on; nil if nothing changed since the last call.
    func takeRules() -> WatchRules?
}

/// How what is seen becomes phases.
public struct WatchRules: Hashable, Sendable {
    public var policy: PhasePolicy
    public var settle: Duration
    /// Everything that is there is to be handed to `Reactor.takePresent`.
    public var wantsPresent: Bool

    public init(policy: PhasePolicy, settle: Duration, wantsPresent: Bool) {
        self.policy = policy
        self.settle = settle
        self.wantsPresent = wantsPresent
    }
}
