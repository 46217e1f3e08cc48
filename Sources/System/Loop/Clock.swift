import Glibc

/// Clocks that never run backwards.
public enum Clock {
    /// Returns the time that settling and `held` use: CLOCK_MONOTONIC, which stops while the machine sleeps.
    public static func now() -> Duration { .nanoseconds(nanoseconds()) }

    public static func nanoseconds() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Returns the time since boot: CLOCK_BOOTTIME, which includes sleep, as the start times of processes do.
    public static func sinceBoot() -> Duration { .nanoseconds(read(CLOCK_BOOTTIME)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A calendar time, from CLOCK_REALTIME.
public struct Timestamp: Hashable, Sendable, Codable {
    /// Since 1970-01-01 00:00:00 UTC.
    public var seconds: Int
    public var nanoseconds: Int

    public init(seconds: Int, nanoseconds: Int) {
        (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
    }

    public static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }
}

extension Timestamp: Comparable {
    public static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let billion: Int128 = 1_000_000_000
        let all = Int128(time.seconds) * billion + Int128(time.nanoseconds) + Int128(duration.nanoseconds)
        return Timestamp(seconds: Int(all / billion), nanoseconds: Int(all % billion))
    }

    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }
}

/// Durations in whole units; fractions are dropped.
extension Duration {
    public var milliseconds: Int64 { whole(1_000_000_000_000_000) }
    public var microseconds: Int64 { whole(1_000_000_000_000) }
    public var nanoseconds: Int64 { whole(1_000_000_000) }

    /// Clamped to the range of Int64.
    private func whole(_ attosecondsOfUnit: Int128) -> Int64 {
        Int64(clamping: attoseconds / attosecondsOfUnit)
    }
}
