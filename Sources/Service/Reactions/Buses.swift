import System

/// The connections of the loop to message buses and to the user's service manager. Each is opened for some calls, and
/// closed after their last answer.
final class Buses {
    private let loop: EventLoop
    private var open: [Int32: Bus] = [:]

    init(_ loop: EventLoop) { self.loop = loop }

    /// When to call `expire`; nil for never.
    var next: Duration? { open.values.compactMap(\.next).min() }

    /// Opens a connection for calls that are made at once, or while one is answered.
    ///
    /// - Returns: nil if there is no such server, or if it accepts no connection.
    func connect(_ address: BusAddress?) -> Bus? {
        guard let address, let bus = try? Bus(address) else { return nil }
        open[bus.descriptor] = bus
        loop.watch(bus.descriptor)
        return bus
    }

    /// Handles a ready descriptor. Returns false if it is not ours.
    func ready(_ descriptor: Int32) -> Bool {
        guard let bus = open[descriptor] else { return false }
        bus.ready()
        closeUnused()
        return true
    }

    func expire(at now: Duration) {
        for bus in open.values { bus.expire(at: now) }
        closeUnused()
    }

    private func closeUnused() {
        for (descriptor, bus) in open where bus.isLost || bus.next == nil {
            loop.forget(descriptor)
            open[descriptor] = nil
        }
    }
}

/// A wait for several answers: it ends when each part that was begun has ended.
final class Gathering {
    private var parts = 1
    private let done: () -> Void

    init(_ done: @escaping () -> Void) { self.done = done }

    func begin() { parts += 1 }

    /// Ends a part, or what begins them.
    func end() {
        parts -= 1
        if parts == 0 { done() }
    }
}
