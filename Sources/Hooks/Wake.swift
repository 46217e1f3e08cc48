import Console
import System

/// The schedule on which a frozen application runs for a while, to receive what has arrived.
public struct Wake: Hashable, Sendable {
    public var interval: Duration
    public var duration: Duration

    public init(interval: Duration, duration: Duration) {
        self.interval = interval
        self.duration = duration
    }

    /// Returns the next wake of an application that is frozen now. Wakes occur at whole multiples of the interval: the
    /// machine is woken once for all applications with the same interval.
    func next(after now: Duration) -> Duration {
        let step = interval.nanoseconds
        // An application that has just been frozen is not woken immediately.
        let past = (now + duration).nanoseconds / step
        return .nanoseconds((past + 1) * step)
    }
}

extension Wake {
    static let keys: [Key<Wake>] = [
        Key("every", .time(), "required", "time from one to the next", sets: \.interval),
        Key("for", .time(), "required", "how long each lasts", sets: \.duration),
    ]
}
