import PhaseWatch
import System

/// The waits for the X server before and after freezes. Each ends with an answer, or is given up.
final class ServerAnswers {
    /// How long the X server may take to answer before a freeze.
    static let patience = Duration.seconds(2)
    /// How long the loop takes to read what the X server has sent: a turn, or many in which much is frozen.
    private static let timeToRead = Duration.milliseconds(10)
    private static let longest = Duration.seconds(10)

    private struct Wait {
        /// The `timeAsleep` of the loop at which to give up, unless something of the display is unread: it may be the answer.
        /// A turn in which much is frozen takes longer than the answer.
        var end: Duration
        /// When to give up in any case.
        let last: Duration
        let then: (_ isAnswered: Bool) -> Void
    }

    private let watcher: PhaseWatcher?
    private let loop: EventLoop
    private let buses: Buses
    private var waits: [Int: Wait] = [:]
    private var count = 0

    /// - Parameter watcher: The watcher of the display; nil if there is none, which answers at once.
    init(_ watcher: PhaseWatcher?, _ loop: EventLoop, _ buses: Buses) {
        (self.watcher, self.loop, self.buses) = (watcher, loop, buses)
    }

    /// When to call `expire`; nil for never.
    var next: Duration? {
        waits.values.map(\.end).min().map { Clock.now() + max(.zero, $0 - loop.timeAsleep) }
    }

    func expire(at now: Duration) {
        for (number, wait) in waits where wait.end <= loop.timeAsleep || wait.last <= now {
            if wait.last > now && watcher?.hasUnread == true {
                waits[number]?.end = loop.timeAsleep + Self.timeToRead
            } else {
                end(number, isAnswered: false)
            }
        }
    }

    /// Asks the X server for an answer, and passes on the time that it took; nil if it took more than `limit`.
    func ask(within limit: Duration, then: @escaping (Duration?) -> Void) {
        guard let watcher else { return then(.zero) }
        let start = Clock.now()
        let wait = { [buses] answer in
            // After the update of the watcher.
            watcher.askServer { [weak buses] in buses?.wait(.zero, answer) }
        }
        self.wait(within: limit, for: wait) { then($0 ? Clock.now() - start : nil) }
    }

    /// Waits for what calls the function that it is passed, and passes on whether that happened in time.
    func wait(
        within limit: Duration = patience, for answer: (@escaping () -> Void) -> Void,
        then: @escaping (_ isAnswered: Bool) -> Void
    ) {
        count += 1
        let number = count
        waits[number] = Wait(
            end: loop.timeAsleep + limit, last: Clock.now() + limit + Self.longest, then: then)
        answer { [weak self] in self?.end(number, isAnswered: true) }
    }

    private func end(_ number: Int, isAnswered: Bool) {
        waits.removeValue(forKey: number)?.then(isAnswered)
    }
}
