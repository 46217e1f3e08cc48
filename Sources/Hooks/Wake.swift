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

extension TableReader {
    /// Reads the table `{ every = "3m", for = "5s" }`.
    mutating func wake(_ key: String) -> Wake? {
        let table = value(key, "a table, { every = \"3m\", for = \"5s\" }") { value -> TOML? in
            if case .table = value { value } else { nil }
        }
        guard let table else { return nil }
        var reader = TableReader(table)
        reader.refuseKeys(notIn: Vocabulary(one: "key", many: "keys of wake", words: ["every", "for"]))
        let (interval, duration) = (reader.duration("every"), reader.duration("for"))
        for name in ["every", "for"] where !reader.has(name) { reader.fault(name, "it is missing") }
        for (name, time) in [("every", interval), ("for", duration)] where time == .zero {
            reader.fault(name, "it must be longer than 0")
        }
        if let interval, let duration, duration >= interval, interval > .zero {
            reader.fault(
                "for",
                "\(duration.text) is not shorter than every, \(interval.text): it would never be frozen")
        }
        for fault in reader.faults {
            add(fault, of: key)
        }
        guard reader.faults.isEmpty, let interval, let duration else { return nil }
        return Wake(interval: interval, duration: duration)
    }
}
