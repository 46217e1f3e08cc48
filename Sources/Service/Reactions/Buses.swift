import System

/// The connections of the loop to message buses and to the user's service manager, and functions to call later.
final class Buses {
    private let loop: EventLoop
    private var open: [Int32: (bus: Bus, lost: (() -> Void)?)] = [:]
    private var timers: [(due: Duration, call: () -> Void)] = []

    init(_ loop: EventLoop) { self.loop = loop }

    deinit { for descriptor in open.keys { loop.forget(descriptor) } }

    /// When to call `expire`; nil for never.
    var next: Duration? { (timers.map(\.due) + open.values.compactMap(\.bus.next)).min() }

    /// Opens a connection for calls that are made at once, or while one is answered. It is closed after the last answer.
    ///
    /// - Returns: nil if there is no such server, or if it accepts no connection.
    func connect(_ address: BusAddress?) -> Bus? {
        guard let address, let bus = try? Bus(address) else { return nil }
        keep(bus, lost: nil)
        return bus
    }

    /// Serves a connection until `close`, or until the server ends it, which is passed on; without a function for that,
    /// until the last answer.
    func keep(_ bus: Bus, lost: (() -> Void)?) {
        open[bus.descriptor] = (bus, lost)
        loop.watch(bus.descriptor) { [unowned self] in
            bus.ready()
            closeUnused()
        }
    }

    func close(_ bus: Bus?) {
        guard let bus else { return }
        loop.forget(bus.descriptor)
        open[bus.descriptor] = nil
    }

    /// Calls a function after some time.
    func wait(_ time: Duration, _ call: @escaping () -> Void) { timers.append((Clock.now() + time, call)) }

    func expire(at now: Duration) {
        for (bus, _) in open.values { bus.expire(at: now) }
        closeUnused()
        let due = timers.filter { $0.due <= now }
        timers.removeAll { $0.due <= now }
        for timer in due { timer.call() }
    }

    private func closeUnused() {
        for (bus, lost) in open.values where bus.isLost || lost == nil && bus.next == nil {
            close(bus)
            lost?()
        }
    }
}

/// The answers to several calls that are under way at once.
final class Answers {
    private var awaited = 1
    private let then: () -> Void

    /// - Parameter then: Called after `end` and the last answer.
    init(then: @escaping () -> Void) { self.then = then }

    /// Returns a function that receives the answer to one more call.
    func awaiting<Answer>(_ take: @escaping (Answer) -> Void) -> (Answer) -> Void {
        awaited += 1
        return { [self] answer in
            take(answer)
            end()
        }
    }

    /// Call it after the last call.
    func end() {
        awaited -= 1
        if awaited == 0 { then() }
    }
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
