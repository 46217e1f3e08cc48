/// Settles the limits on the phase of every scene. Each settles separately: it begins or ends once it has held, or
/// not held, without interruption for its delay.
package struct SessionCap: Sendable {
    /// The limits that count. Idleness is read only if it counts.
    package private(set) var wanted: Set<SessionLimit>
    /// When each limit that differs from its reported state began to, in nanoseconds since an arbitrary fixed moment.
    private var pendingSince: [SessionLimit: Int64] = [:]
    /// Whether `wanted` was changed: a limit that it omits has not ended by itself.
    private var isWantedAnew = false

    /// The windows that locked the screen when the lock was last found.
    private var lockers: [WindowID] = []
    /// Whether a screen saver reports a lock, which is then no launcher that covers the screen for a moment.
    private var isLockCertain = false

    /// The limits that began, ended or were dropped at one time.
    struct LimitChange: Sendable {
        var began: Set<SessionLimit> = []
        var ended: Set<SessionLimit> = []
        /// The limits that may still hold, but are no longer followed.
        var dropped: Set<SessionLimit> = []
        /// The limits after this time.
        var limits: Set<SessionLimit>
        /// When to call again.
        var next: Int64?

        var isEmpty: Bool { began.isEmpty && ended.isEmpty && dropped.isEmpty }
    }

    init(_ states: Set<SessionState>) { wanted = Set(states) }

    mutating func follow(_ states: Set<SessionState>) {
        wanted = Set(states)
        isWantedAnew = true
    }

    /// Returns the limits that hold on a desktop. Once it is reported, a lock holds until the keyboard is free or one of its
    /// windows is gone: most lockers cover a new monitor only after a while.
    mutating func limits(on desktop: Desktop, _ reported: Set<SessionLimit>) -> Set<SessionLimit> {
        var limits = desktop.limits(among: wanted)
        isLockCertain = desktop.session.activeSaver != nil
        if limits.contains(.lock) {
            if let windows = desktop.lock { lockers = windows }
        } else if wanted.contains(.lock) && reported.contains(.lock) && desktop.mayBeLocked
            && !lockers.isEmpty && lockers.allSatisfy(desktop.isShown)
        {
            limits.insert(.lock)
        }
        return limits
    }

    var isPending: Bool { !pendingSince.isEmpty }

    /// Whether a lock holds that has not settled yet.
    func awaitsLock(_ reported: Set<SessionLimit>) -> Bool {
        pendingSince[.lock] != nil && !reported.contains(.lock)
    }

    /// Returns the limits that settle at `now`, of those that hold; at the start, without delays, all of them. Waits for a
    /// limit that is due a moment later: a key press ends both a blank display and an idle time.
    mutating func settle(
        _ holding: Set<SessionLimit>, _ reported: Set<SessionLimit>, _ delays: Delays?, at now: Int64
    ) -> LimitChange {
        guard let delays else { return LimitChange(began: holding, limits: holding) }
        var change = LimitChange(limits: reported)
        if isWantedAnew {
            isWantedAnew = false
            // A limit that had already begun to end does so.
            change.dropped = reported.subtracting(holding).subtracting(pendingSince.keys)
            change.limits.subtract(change.dropped)
        }
        if holding == change.limits && pendingSince.isEmpty { return change }
        let differing = holding.symmetricDifference(change.limits)
        for limit in SessionLimit.allCases {
            pendingSince[limit] = differing.contains(limit) ? pendingSince[limit] ?? now : nil
        }
        let dues = pendingSince.map {
            (limit: $0, time: $1 + delay(of: $0, begins: holding.contains($0), delays))
        }
        let end = dues.map(\.time).filter { $0 <= now + delays.batch }.max()
        if let end, end > now {
            change.next = end
            return change
        }
        for due in dues where due.time <= now {
            pendingSince[due.limit] = nil
            if holding.contains(due.limit) {
                change.began.insert(due.limit)
            } else {
                change.ended.insert(due.limit)
            }
        }
        change.limits = change.limits.union(change.began).subtracting(change.ended)
        change.next = dues.map(\.time).filter { $0 > now }.min()
        return change
    }

    private func delay(of limit: SessionLimit, begins: Bool, _ delays: Delays) -> Int64 {
        if !begins { return delays.settle }
        return switch limit {
        case .lock where !isLockCertain: delays.lock
        case .idle: 0
        default: delays.settle
        }
    }
}

extension SessionCap.LimitChange {
    /// Returns the cause of a new cap: the first of the limits that began or ended, by priority.
    func cause(rises: Bool, on desktop: Desktop) -> Cause {
        let decisive = Self(began: rises ? [] : began, ended: ended, limits: limits)
        return decisive.changes(on: desktop, visibleCount: 0).first?.cause ?? .resync
    }

    /// Returns the changes of the session, by the priority of the limits. The number of visible scenes ignores the limits.
    func changes(on desktop: Desktop, visibleCount: Int) -> [SessionChange] {
        SessionLimit.allCases.compactMap { limit in
            if dropped.contains(limit) { return .dropped(SessionState(rawValue: limit.rawValue)) }
            let begins = began.contains(limit)
            guard begins || ended.contains(limit) else { return nil }
            return switch limit {
            case .away: begins ? .away : .back
            case .lock:
                begins ? .locked(on: desktop, scenes: visibleCount) : .unlocked
            case .displayOff:
                begins ? .displayOff(desktop.session.displayOff ?? .noMonitor) : .displayOn
            case .idle: begins ? .idle : .returned
            }
        }
    }
}

extension SessionChange {
    /// A lock by windows, which may have no name, or by a screen saver without any.
    fileprivate static func locked(on desktop: Desktop, scenes count: Int) -> Self {
        let window = desktop.lock?.first
        if window == nil, let saver = desktop.session.activeSaver { return .locked(bySaver: saver) }
        return .locked(by: window.map(desktop.name(of:)), scenes: count)
    }
}

extension Desktop {
    fileprivate func isShown(_ window: WindowID) -> Bool {
        windows.slot(of: window).map { windows.facts[$0].mapState == .viewable } ?? false
    }

    /// Returns a name for a window that is not a scene. Lockers often set neither a class nor a title.
    package func name(of window: WindowID) -> String {
        guard let slot = windows.slot(of: window) else { return window.description }
        let text = windows.text(slot)
        let name = text.className ?? text.instanceName ?? text.executable ?? text.title
        return name.map { String($0.prefix(Self.longestName)) } ?? window.description
    }

    private static let longestName = 60
}
