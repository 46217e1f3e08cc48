import CLinux
import Glibc

/// A detector of machine sleep. Only a change of the realtime clock wakes the process, and a resume causes one, too.
public struct SleepWatch {
    /// The shortest sleep. The two clocks are not read at the same moment, and no machine resumes sooner.
    private static let shortest = Duration.seconds(1)

    private let clock: Descriptor
    /// The total time asleep since boot.
    private let timeAsleep: () -> Duration
    private var lastTimeAsleep: Duration

    /// Creates a watch; nil if the system does not support it.
    public init?() {
        // The latest possible time: the timer must only be cancelled, never expire.
        var when = itimerspec()
        when.it_value.tv_sec = .max / 1_000_000_000
        let (create, set) = (TFD_CLOEXEC | TFD_NONBLOCK, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        guard let clock = try? Descriptor("timerfd_create", timerfd_create(CLOCK_REALTIME, Int32(create))),
            timerfd_settime(clock.number, Int32(set), &when, nil) == 0
        else { return nil }
        self.init(clock) { Clock.sinceBoot() - Clock.now() }
    }

    /// - Parameter clock: Readable when the clock was set.
    init(_ clock: Descriptor, timeAsleep: @escaping () -> Duration) {
        self.clock = clock
        self.timeAsleep = timeAsleep
        lastTimeAsleep = timeAsleep()
    }

    var descriptor: Int32 { clock.number }

    /// Returns whether a sleep has set the clock, once the descriptor is readable.
    mutating func reportsResume() -> Bool {
        var count: UInt64 = 0
        _ = read(clock.number, &count, MemoryLayout.size(ofValue: count))
        let last = lastTimeAsleep
        lastTimeAsleep = timeAsleep()
        return lastTimeAsleep - last >= Self.shortest
    }
}
