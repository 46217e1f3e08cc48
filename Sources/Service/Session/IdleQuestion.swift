import Console
import PhaseWatch
import System

/// A check, before the user counts as idle, whether a program inhibits idleness, as players do during a film.
public final class IdleQuestion: WatchMember {
    private static let interval = Duration.seconds(60)

    private let watcher: PhaseWatcher
    private var buses: Buses?
    private var isAsking = false
    /// When to ask again, if there is no user input until then.
    private var again: Duration?

    public init(_ watcher: PhaseWatcher) { self.watcher = watcher }

    public func join(_ loop: EventLoop) { buses = Buses(loop) }

    public var next: Duration? { [buses?.next, again].compactMap(\.self).min() }

    public func wake() { buses?.expire(at: Clock.now()) }

    public func finishTurn(_ requests: inout WatchRequests) {
        // Whether the user may be idle at the first reading was asked before it.
        if watcher.hasBegun { watcher.askBeforeIdle() }
        guard watcher.awaitsIdle else {
            again = nil
            return
        }
        guard let buses, !isAsking, again.map({ $0 <= Clock.now() }) ?? true else { return }
        (again, isAsking) = (nil, true)
        Inhibitor.all(buses) { [self] inhibitors in
            isAsking = false
            // A bus that does not answer counts as having no inhibitors.
            if ((try? inhibitors.get()) ?? []).contains(where: \.stopsIdle) {
                again = Clock.now() + Self.interval
            } else {
                watcher.confirmIdle()
            }
        }
    }
}

extension IdleQuestion {
    private static let patience = Duration.seconds(1)

    /// Returns whether a program inhibits idleness. Waits for the answer: without it, a first reading would count a user
    /// as active who is idle.
    public static func isInhibited() -> Bool {
        guard let loop = try? EventLoop(display: -1, output: nil, signals: []) else { return false }
        let (buses, end) = (Buses(loop), Clock.now() + patience)
        var answer: [Inhibitor]?
        Inhibitor.all(buses) { answer = (try? $0.get()) ?? [] }
        while answer == nil, Clock.now() < end {
            loop.setTimer(min(buses.next ?? end, end))
            guard (try? loop.wait()) != nil else { break }
            buses.expire(at: Clock.now())
        }
        return answer?.contains(where: \.stopsIdle) ?? false
    }
}
