import CLinux

/// Tells that the machine was asleep. Only a set realtime clock wakes the process for it; a resume sets that, too.
public struct SleepWatch {
    /// The shortest sleep: the two clocks are not read at the same moment, and no machine wakes up so soon.
    private static let shortest = Duration.seconds(1)

    private let clock: Descriptor
    /// How long the machine has been asleep since it was started.
    private let timeAsleep: () -> Duration
    private var lastTimeAsleep: Duration

    /// nil where the system cannot tell it.
    public init?() {
        guard let clock = try? Descriptor("timerfd_create", linux_clock_watch()) else { return nil }
        self.init(clock) { Clock.sinceBoot() - Clock.now() }
    }

    /// - Parameters:
    ///   - clock: Can be read when the clock was set.
    ///   - timeAsleep: How long the machine has been asleep since it was started.
    init(_ clock: Descriptor, timeAsleep: @escaping () -> Duration) {
        self.clock = clock
        self.timeAsleep = timeAsleep
        lastTimeAsleep = timeAsleep()
    }

    /// For poll(2).
    var descriptor: Int32 { clock.number }

    /// Whether it was a sleep that set the clock, to be asked when the descriptor can be read.
    mutating func reportsResume() -> Bool {
        linux_take_clock_change(clock.number)
        let last = lastTimeAsleep
        lastTimeAsleep = timeAsleep()
        return lastTimeAsleep - last >= Self.shortest
    }
}
