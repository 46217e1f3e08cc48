import CLinux
import Glibc

/// The one place where the watch sleeps: poll(2) on the X socket, a signalfd, a timerfd, the reader's
/// descriptor and those that others watch.
public final class EventLoop {
    /// What there is to do.
    public enum Wake: Equatable {
        case display
        case signal(Int32)
        case timer
        /// The machine was asleep.
        case resumed
        /// The reader takes more.
        case output
        /// The reader is gone.
        case hangUp
        /// A descriptor given to `watch` has what it is watched for, or its end.
        case ready(Int32)
    }

    private enum Slot: Int, CaseIterable { case signals, display, timer, output, sleep }

    private let signals: Descriptor?
    private let timer: Descriptor
    private var sleep: SleepWatch?
    private var polls: [pollfd]
    /// What poll(2) has found may not all be handed out yet.
    private var mayBeReady = false
    private var moment: Duration?

    /// Signals that end the watch.
    public static let endingSignals = [SIGINT, SIGTERM]

    /// All other signals that would end the process, for a watch that has something to undo or to finish first. Not those
    /// that are ignored, as nohup(1) does with SIGHUP, and not those of faults, which leave a core dump.
    public static var otherEndingSignals: [Int32] {
        let signals = [
            SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPWR, SIGPOLL,
            SIGSTKFLT,
        ]
        // glibc keeps 32 and 33 for itself.
        return (signals + (34...64)).filter { !linux_ignores($0) }
    }

    /// Signals of job control that stop the process, for a watch that must not stop before it has undone something. Not those
    /// that are ignored.
    public static var stoppingSignals: [Int32] {
        [SIGTSTP, SIGTTIN, SIGTTOU].filter { !linux_ignores($0) }
    }

    /// Lets the process write to its terminal from the background: `stty tostop` stops only those that do not block SIGTTOU. A
    /// loop blocks it, too, and also gets the signal if somebody else sends it.
    public static func allowOutputInBackground() { mask(SIGTTOU, SIG_BLOCK) }

    /// Does what a blocked signal would do. For `stoppingSignals` it returns once the process is continued, or at once in an
    /// orphaned process group, which the kernel does not stop.
    public static func takeDefaultAction(of signal: Int32) {
        raise(signal)
        for change in [SIG_UNBLOCK, SIG_BLOCK] { mask(signal, change) }
    }

    private static func mask(_ signal: Int32, _ change: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        pthread_sigmask(change, &signals, nil)
    }

    /// - Parameters:
    ///   - display: The X socket.
    ///   - output: Where lines go; nil if nobody has to be waited for.
    ///   - numbers: The signals that come as `Wake.signal`, blocked from here on. An empty list blocks none.
    ///   - sleep: What tells that the machine was asleep; nil if that is of no interest.
    public init(
        display: Int32, output: Int32?, signals numbers: [Int32] = endingSignals, sleep: SleepWatch? = nil
    ) throws(SystemError) {
        signals =
            numbers.isEmpty
            ? nil : try Descriptor("signalfd", linux_signalfd(numbers, Int32(numbers.count)))
        timer = try Descriptor("timerfd_create", linux_timerfd())
        self.sleep = sleep
        polls = [signals?.number ?? -1, display, timer.number, output ?? -1, sleep?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        polls[Slot.output.rawValue].events = 0
    }

    /// Wakes the loop at `moment` of CLOCK_MONOTONIC, and not at the one that was set before.
    public func setTimer(_ moment: Duration?) {
        guard moment != self.moment else { return }
        self.moment = moment
        // 0 would stop the timer; a moment that has passed wakes at once.
        _ = linux_timer_set(timer.number, moment.map { max(1, $0.nanoseconds) } ?? 0)
    }

    /// Wakes for what can be read from a descriptor, or with POLLOUT for room in it, until `forget`.
    public func watch(_ descriptor: Int32, for events: Int32 = POLLIN) {
        polls.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }

    /// To be called before a descriptor is closed.
    public func forget(_ descriptor: Int32) {
        polls.removeAll { $0.fd == descriptor }
    }

    /// Sees no more of the display and the reader: what is left to do needs neither.
    public func forgetDisplayAndOutput() {
        for slot in [Slot.display, .output] { polls[slot.rawValue] = pollfd(fd: -1, events: 0, revents: 0) }
    }

    /// Whether the last `wait` found something to read from the display that it has not returned yet.
    public var hasDisplayInput: Bool { polls[Slot.display.rawValue].revents != 0 }

    /// Returns what is to be done next, and sleeps while that is nothing.
    ///
    /// - Parameters:
    ///   - hasQueuedEvents: Whether events were read already that poll(2) cannot see.
    ///   - hasBacklog: Whether lines wait for the reader.
    public func wait(hasQueuedEvents: Bool = false, hasBacklog: Bool = false) throws(SystemError) -> Wake {
        while true {
            if let wake = next() { return wake }
            polls[Slot.output.rawValue].events = hasBacklog ? Int16(POLLOUT) : 0
            // Polled even then, or a storm of events would keep signals and the reader waiting.
            while poll(&polls, nfds_t(polls.count), hasQueuedEvents ? 0 : -1) < 0 {
                guard errno == EINTR else { throw SystemError("poll", errno) }
            }
            if hasQueuedEvents { polls[Slot.display.rawValue].revents |= Int16(POLLIN) }
            mayBeReady = true
        }
    }

    /// What the last poll(2) found and was not handed out yet. The display comes last: it is the one that can
    /// have something all the time.
    private func next() -> Wake? {
        if !mayBeReady { return nil }
        if take(.signals) != 0, let signals {
            let number = linux_next_signal(signals.number)
            if number != 0 { return .signal(number) }
        }
        let output = take(.output)
        if output & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return .hangUp }
        if output != 0 { return .output }
        if take(.timer) != 0 {
            setTimer(nil)
            return .timer
        }
        if take(.sleep) != 0 && sleep?.reportsResume() == true { return .resumed }
        if let index = polls.indices.dropFirst(Slot.allCases.count).first(where: { polls[$0].revents != 0 }) {
            polls[index].revents = 0
            return .ready(polls[index].fd)
        }
        mayBeReady = false
        return take(.display) != 0 ? .display : nil
    }

    private func take(_ slot: Slot) -> Int16 {
        defer { polls[slot.rawValue].revents = 0 }
        return polls[slot.rawValue].revents
    }
}
