import CLinux
import Glibc

/// The only place where the watch sleeps: poll(2) on the X socket, a signalfd, a timerfd, the reader's descriptor and
/// all descriptors passed to `watch`.
public final class EventLoop {
    /// The reason for a wake-up.
    public enum Wake: Equatable {
        case display
        case signal(Int32)
        case timer
        /// The machine was asleep.
        case resumed
        /// The reader has room for more.
        case output
        /// The reader is gone.
        case hangUp
        /// A descriptor passed to `watch` was ready, or at its end, and its handler was called.
        case ready
    }

    private enum Slot: Int, CaseIterable { case signals, display, timer, output, sleep }

    private let signals: Descriptor
    private let timer: Descriptor
    private var sleep: SleepWatch?
    /// How long the loop has slept in all.
    public private(set) var timeAsleep = Duration.zero
    private var polls: [pollfd]
    /// The handlers of the descriptors passed to `watch`.
    private var handlers: [Int32: () -> Void] = [:]
    /// Whether some results of poll(2) may not have been returned yet.
    private var mayBeReady = false
    /// When no further handler is called before the next poll(2); nil before the first one.
    private var roundEnd: Duration?
    /// The descriptor whose handler was called last.
    private var lastHandled: Int32 = -1
    private var moment: Duration?

    /// How long handlers may take before the loop looks for signals, the timer and the display again.
    private static let longestRound = Duration.milliseconds(10)

    /// Signals that end the watch.
    public static let endingSignals = [SIGINT, SIGTERM]

    /// All other signals that would end the process, for a watch that must undo something first: not ignored ones, such as
    /// SIGHUP under nohup(1), nor those of faults, which leave a core dump.
    public static var otherEndingSignals: [Int32] {
        let signals = [
            SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPWR, SIGPOLL,
            SIGSTKFLT,
        ]
        // glibc reserves 32 and 33.
        return (signals + (34...64)).filter { !isIgnored($0) }
    }

    /// The signals of job control that stop the process and are not ignored.
    public static var stoppingSignals: [Int32] { [SIGTSTP, SIGTTIN, SIGTTOU].filter { !isIgnored($0) } }

    /// Lets the process write to its terminal from the background: `stty tostop` does not stop processes that block
    /// SIGTTOU. A loop blocks it, too, and then also receives it when another process sends it.
    public static func allowOutputInBackground() { mask([SIGTTOU], SIG_BLOCK) }

    /// Performs the default action of a blocked signal. For `stoppingSignals`, it returns once the process is
    /// continued, or immediately in an orphaned process group, which the kernel does not stop.
    public static func takeDefaultAction(of signal: Int32) {
        raise(signal)
        for change in [SIG_UNBLOCK, SIG_BLOCK] { mask([signal], change) }
    }

    /// Waits between two loops, of which the first has blocked the signals that end the process.
    ///
    /// - Returns: Whether one of them was received.
    public static func receivesEnd(within limit: Duration) -> Bool {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in endingSignals + otherEndingSignals { sigaddset(&signals, number) }
        let (seconds, rest) = limit.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        return sigtimedwait(&signals, nil, &time) > 0
    }

    /// Whether the process was started with a signal ignored, as nohup(1) does. A signalfd reads it nevertheless.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        // SIG_IGN is 1, which is no function that Swift could compare.
        return sigaction(signal, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    @discardableResult
    private static func mask(_ numbers: [Int32], _ change: Int32) -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        pthread_sigmask(change, &signals, nil)
        return signals
    }

    /// - Parameters:
    ///   - output: The reader's descriptor; nil if the loop does not wait for a reader.
    ///   - numbers: The signals to return as `Wake.signal`, blocked from now on.
    public init(
        display: Int32, output: Int32?, signals numbers: [Int32] = endingSignals, sleep: SleepWatch? = nil
    ) throws(SystemError) {
        var blocked = Self.mask(numbers, SIG_BLOCK)
        signals = try Descriptor("signalfd", signalfd(-1, &blocked, Int32(SFD_CLOEXEC | SFD_NONBLOCK)))
        timer = try Descriptor(
            "timerfd_create", timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK)))
        self.sleep = sleep
        polls = [signals.number, display, timer.number, output ?? -1, sleep?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        polls[Slot.output.rawValue].events = 0
    }

    /// Sets the loop to wake at `moment` of CLOCK_MONOTONIC, instead of the moment set before.
    public func setTimer(_ moment: Duration?) {
        guard moment != self.moment else { return }
        self.moment = moment
        // 0 would stop the timer. A moment that has passed wakes the loop at once.
        let (seconds, rest) = (moment.map { max(1, $0.nanoseconds) } ?? 0).quotientAndRemainder(
            dividingBy: 1_000_000_000)
        var when = itimerspec()
        when.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        timerfd_settime(timer.number, Int32(TFD_TIMER_ABSTIME), &when, nil)
    }

    /// Calls a handler whenever a descriptor is readable, or writable with POLLOUT, until `forget`. Replaces the events and
    /// the handler of a descriptor that is watched already.
    ///
    /// The handler may watch and forget descriptors. It must not retain an owner of the loop.
    public func watch(_ descriptor: Int32, for events: Int32 = POLLIN, _ handler: @escaping () -> Void) {
        if handlers.updateValue(handler, forKey: descriptor) == nil {
            polls.append(pollfd(fd: descriptor, events: 0, revents: 0))
        }
        setEvents(events, of: descriptor)
    }

    /// Changes the events of a descriptor if it is watched. Without events, its handler is called only at its end.
    public func setEvents(_ events: Int32, of descriptor: Int32) {
        let watched = polls.indices.dropFirst(Slot.allCases.count)
        if let index = watched.first(where: { polls[$0].fd == descriptor }) {
            polls[index].events = Int16(events)
        }
    }

    /// Stops watching a descriptor, before it is closed.
    public func forget(_ descriptor: Int32) {
        guard handlers.removeValue(forKey: descriptor) != nil else { return }
        // The display or the reader may have the same descriptor.
        polls =
            polls.prefix(Slot.allCases.count)
            + polls.dropFirst(Slot.allCases.count).filter { $0.fd != descriptor }
    }

    /// Stops watching the display and the reader: the remaining work needs neither.
    public func forgetDisplayAndOutput() {
        for slot in [Slot.display, .output] { polls[slot.rawValue] = pollfd(fd: -1, events: 0, revents: 0) }
    }

    /// Whether the last `wait` found display input that it has not returned yet.
    public var hasDisplayInput: Bool { polls[Slot.display.rawValue].revents != 0 }

    /// Sleeps until there is a reason to wake up, and returns it.
    ///
    /// - Parameters:
    ///   - hasQueuedEvents: Whether events have already been read, which poll(2) cannot see.
    ///   - hasBacklog: Whether lines are waiting for the reader.
    public func wait(hasQueuedEvents: Bool = false, hasBacklog: Bool = false) throws(SystemError) -> Wake {
        while true {
            if let wake = next() { return wake }
            polls[Slot.output.rawValue].events = hasBacklog ? Int16(POLLOUT) : 0
            // Polls even with queued events: otherwise a storm of events would starve signals and the reader.
            let start = Clock.now()
            do throws(SystemError) {
                try SystemError.check("poll", poll(&polls, nfds_t(polls.count), hasQueuedEvents ? 0 : -1))
            } catch {
                // The limit of open files has been lowered below the number of descriptors.
                throw error.code == EINVAL ? SystemError("poll", EMFILE) : error
            }
            timeAsleep += Clock.now() - start
            if hasQueuedEvents { polls[Slot.display.rawValue].revents |= Int16(POLLIN) }
            mayBeReady = true
            roundEnd = nil
        }
    }

    /// Returns the next result of the last poll(2). The display comes last: it alone may be ready all the time.
    private func next() -> Wake? {
        if !mayBeReady { return nil }
        if take(.signals) != 0 {
            var info = signalfd_siginfo()
            let size = MemoryLayout.size(ofValue: info)
            if read(signals.number, &info, size) == size { return .signal(Int32(info.ssi_signo)) }
        }
        let output = take(.output)
        if output & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return .hangUp }
        if output != 0 { return .output }
        if take(.timer) != 0 {
            setTimer(nil)
            return .timer
        }
        if take(.sleep) != 0 && sleep?.reportsResume() == true { return .resumed }
        if callHandler() { return .ready }
        mayBeReady = false
        return take(.display) != 0 ? .display : nil
    }

    /// Calls the next handler whose descriptor is ready, in the order of their numbers: none waits for another one twice.
    ///
    /// - Returns: false if there is none, or if the round is over. The next poll(2) finds the others.
    private func callHandler() -> Bool {
        let ready = polls.dropFirst(Slot.allCases.count).filter { $0.revents != 0 }.map(\.fd)
        guard let number = ready.filter({ $0 > lastHandled }).min() ?? ready.min() else { return false }
        let now = Clock.now()
        if let roundEnd, now > roundEnd { return false }
        roundEnd = roundEnd ?? now + Self.longestRound
        for index in polls.indices.dropFirst(Slot.allCases.count) where polls[index].fd == number {
            polls[index].revents = 0
        }
        lastHandled = number
        handlers[number]?()
        return true
    }

    private func take(_ slot: Slot) -> Int16 {
        defer { polls[slot.rawValue].revents = 0 }
        return polls[slot.rawValue].revents
    }
}

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
