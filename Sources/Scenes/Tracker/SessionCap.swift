/// Settles the limits on the phase of every scene, as one value for the display, and reports when it changes.
///
/// Each limit settles separately: it begins or ends once it has been read without interruption for its delay.
package struct SessionCap: Sendable {
    /// The limits that count. Idleness is read only if it counts.
    package private(set) var wanted: SessionLimits
    /// The limits that have settled.
    private(set) var reported: SessionLimits = []
    /// When each limit began to hold, in nanoseconds since an arbitrary fixed moment; nil if that was before the watch.
    private(set) var starts: [Int64?] = SessionLimits.ranked.map { _ in nil }
    /// When each limit began to differ from its settled state.
    private var signs: [Int64?] = SessionLimits.ranked.map { _ in nil }
    private(set) var isPending = false
    /// Whether `wanted` was changed: a limit that it omits has not ended by itself.
    private var isWantedAnew = false

    /// The limits that began, ended or were dropped at one time.
    struct Step: Sendable {
        var began: SessionLimits = []
        var ended: SessionLimits = []
        /// The limits that may still hold, but are no longer followed.
        var dropped: SessionLimits = []
        /// When to call again.
        var next: Int64?

        var isEmpty: Bool { began.isEmpty && ended.isEmpty && dropped.isEmpty }
    }

    init(_ states: Set<SessionState>) {
        wanted = SessionLimits(states)
    }

    /// Changes the limits to follow.
    mutating func follow(_ states: Set<SessionState>) {
        wanted = SessionLimits(states)
        isWantedAnew = true
    }

    /// Returns when a limit began to hold; nil if it does not hold, or began before the watch.
    package func start(of limit: SessionLimits) -> Int64? {
        guard reported.contains(limit), let index = SessionLimits.ranked.firstIndex(of: limit) else {
            return nil
        }
        return starts[index]
    }

    /// Whether a lock was read that has not settled yet.
    var awaitsLock: Bool {
        !reported.contains(.lock)
            && SessionLimits.ranked.firstIndex(of: .lock).map { signs[$0] != nil } ?? false
    }

    /// Returns the limits that settle at `now`. Waits for a limit that is due a moment later: a key press ends both a
    /// blank display and an idle time.
    ///
    /// - Parameters:
    ///   - read: The limits that hold.
    ///   - delays: nil at the start of the watch. The limits that hold then count immediately, and began earlier.
    mutating func settle(_ read: SessionLimits, _ delays: Delays?, at now: Int64) -> Step {
        guard let delays else {
            reported = read
            return Step(began: reported)
        }
        var step = Step()
        if isWantedAnew { step.dropped = drop(read) }
        if read == reported && !isPending { return step }
        var dues: [(index: Int, time: Int64)] = []
        for (index, limit) in SessionLimits.ranked.enumerated() {
            if read.intersection(limit) == reported.intersection(limit) {
                signs[index] = nil
            } else {
                let sign = signs[index] ?? now
                signs[index] = sign
                dues.append((index, sign + delays.delay(of: limit, begins: read.contains(limit))))
            }
        }
        let end = dues.lazy.map(\.time).filter { $0 <= now + delays.batch }.max()
        let isDue = end.map { $0 <= now } ?? false
        for due in dues where isDue && due.time <= now {
            let limit = SessionLimits.ranked[due.index]
            starts[due.index] = signs[due.index]
            signs[due.index] = nil
            if read.contains(limit) { step.began.insert(limit) } else { step.ended.insert(limit) }
        }
        reported = reported.union(step.began).subtracting(step.ended)
        step.next =
            isDue ? dues.lazy.map(\.time).filter { $0 > now }.min() : end ?? dues.lazy.map(\.time).min()
        isPending = step.next != nil
        return step
    }

    /// Removes the settled limits that are no longer read, except those that had already begun to end.
    private mutating func drop(_ read: SessionLimits) -> SessionLimits {
        isWantedAnew = false
        var dropped = reported.subtracting(read)
        for (index, limit) in SessionLimits.ranked.enumerated() where dropped.contains(limit) {
            if signs[index] == nil { starts[index] = nil } else { dropped.remove(limit) }
        }
        reported.subtract(dropped)
        return dropped
    }
}

extension SessionCap.Step {
    /// Returns the cause of a new cap: the first of the limits that began or ended, by `SessionLimits.ranked`.
    func cause(rises: Bool) -> Cause {
        let limits = rises ? ended : began
        if limits.isEmpty { return .resync }
        return switch SessionLimits.ranked.first(where: limits.contains) {
        case .away: rises ? .back : .away
        case .lock: rises ? .unlock : .lock
        case .displayOff: rises ? .displayOn : .displayOff
        default: rises ? .return : .idle
        }
    }

    /// Returns the changes of the session, by the priority of the limits.
    ///
    /// - Parameter visibleCount: The number of visible scenes, ignoring the limits.
    func changes(on desktop: Desktop, visibleCount: Int) -> [SessionChange] {
        SessionLimits.named.compactMap { limit, name in
            if dropped.contains(limit) { return .dropped(SessionState(rawValue: name)) }
            let begins = began.contains(limit)
            guard begins || ended.contains(limit) else { return nil }
            return switch limit {
            case .away: begins ? .away : .back
            case .lock:
                begins ? .locked(by: desktop.lockerName, scenes: visibleCount) : .unlocked
            case .displayOff:
                begins ? .displayOff(desktop.session.displayOff ?? .noMonitor) : .displayOn
            default: begins ? .idle : .returned
            }
        }
    }
}

extension Delays {
    fileprivate func delay(of limit: SessionLimits, begins: Bool) -> Int64 {
        if !begins { return settle }
        return limit == .lock ? lock : limit == .idle ? 0 : settle
    }
}

extension Desktop {
    fileprivate var lockerName: String? { lock?.windows.first.map(name(of:)) }

    /// Returns a name for a window that is not a scene. Lockers often set neither a class nor a title.
    package func name(of window: WindowID) -> String {
        guard let slot = windows.slot(of: window) else { return window.description }
        let text = windows.text(slot)
        let name = text.className ?? text.instanceName ?? text.executable ?? text.title
        return name.map { String($0.prefix(Self.longestName)) } ?? window.description
    }

    private static let longestName = 60
}
