import CLinux
import Glibc

/// The one place where the watch sleeps: poll(2) on the X socket, a signalfd, a timerfd and the reader's
/// descriptor.
final class EventLoop {
    /// What there is to do.
    enum Wake {
        case display
        case signal(Int32)
        case timer
        /// The reader takes more.
        case output
        /// The reader is gone.
        case hangUp
    }

    private enum Slot: Int { case signals, display, timer, output }

    private let signals: Descriptor
    private let timer: Descriptor
    private var polls: [pollfd]
    private var timerIsSet = false

    /// Signals that end the watch. They are blocked from here on and come as `Wake.signal`.
    private static let endingSignals = [SIGINT, SIGTERM]

    /// - Parameters:
    ///   - display: The X socket.
    ///   - output: Where lines go; nil if nobody has to be waited for.
    /// - Throws: `SystemError`.
    init(display: Int32, output: Int32?) throws(SystemError) {
        let numbers = Self.endingSignals
        signals = try Descriptor("signalfd", linux_signalfd(numbers, Int32(numbers.count)))
        timer = try Descriptor("timerfd_create", linux_timerfd())
        polls = [signals.number, display, timer.number, output ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        polls[Slot.output.rawValue].events = 0
    }

    /// Wakes the loop at `moment` of CLOCK_MONOTONIC, and not at the one that was set before.
    func setTimer(_ moment: Duration?) {
        guard moment != nil || timerIsSet else { return }
        timerIsSet = moment != nil
        // 0 would stop the timer; a moment that has passed wakes at once.
        _ = linux_timer_set(timer.number, moment.map { max(1, $0.nanoseconds) } ?? 0)
    }

    /// Returns what is to be done next, and sleeps while that is nothing.
    ///
    /// - Parameters:
    ///   - hasQueuedEvents: Whether Xlib holds events that poll(2) cannot see.
    ///   - hasBacklog: Whether lines wait for the reader.
    func wait(hasQueuedEvents: Bool, hasBacklog: Bool) throws(SystemError) -> Wake {
        while true {
            if let wake = next() { return wake }
            polls[Slot.output.rawValue].events = hasBacklog ? Int16(POLLOUT) : 0
            // Polled even then, or a storm of events would keep signals and the reader waiting.
            while poll(&polls, nfds_t(polls.count), hasQueuedEvents ? 0 : -1) < 0 {
                guard errno == EINTR else { throw SystemError("poll", errno) }
            }
            if hasQueuedEvents { polls[Slot.display.rawValue].revents |= Int16(POLLIN) }
        }
    }

    /// What the last poll(2) found and was not handed out yet. The display comes last: it is the one that can
    /// have something all the time.
    private func next() -> Wake? {
        if take(.signals) != 0 {
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
        return take(.display) != 0 ? .display : nil
    }

    private func take(_ slot: Slot) -> Int16 {
        defer { polls[slot.rawValue].revents = 0 }
        return polls[slot.rawValue].revents
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
