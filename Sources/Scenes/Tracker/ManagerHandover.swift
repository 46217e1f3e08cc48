/// Keeps every phase while the window manager is replaced: the old one leaves stale properties, and the next one moves
/// windows while it starts.
struct ManagerHandover: Sendable {
    private struct Handover: Sendable {
        let since: Int64
        /// When any judgement last changed under another window manager; nil while none is running, or while another
        /// client has taken WM_Sn from the window manager.
        var lastChange: Int64?
        /// The window manager before the handover; nil if there was none.
        var predecessor: Screen.Manager?
        /// Whether a scene had the focus before the handover.
        let hadFocus: Bool
        /// Whether a full read was requested because the time has passed.
        var isReread = false
    }

    /// How long phases are kept.
    enum Wait: Sendable {
        case none
        /// They are kept until this time, if nothing else changes; nil after that time, until everything has been read
        /// again.
        case until(Int64?)
        /// The end. The notice reports how phases are read from now on.
        case over(Notice)
    }

    var delays: Delays
    /// nil while no handover is going on.
    private var handover: Handover?
    /// nil before the first update.
    private var screen: Screen?
    /// Whether a scene had the focus at the last update.
    private var hasFocus = false
    /// When the last one lost it.
    private var lostFocus: Int64?

    var isUnderWay: Bool { handover != nil }

    init(delays: Delays) { self.delays = delays }

    /// Returns the notice about the window manager to report immediately, and how long phases are kept.
    ///
    /// - Parameter hasFocus: Whether a scene has the focus, under any policy.
    mutating func update(
        to screen: Screen, _ table: SceneTable, hasFocus: Bool, at now: Int64
    ) -> (notice: Notice?, wait: Wait) {
        var notice: Notice?
        if self.hasFocus && !hasFocus { lostFocus = now }
        self.hasFocus = hasFocus
        if let old = self.screen, old != screen { notice = compare(old, screen, at: now) }
        self.screen = screen
        return (notice, wait(table, screen.manager, at: now))
    }

    private mutating func wait(_ table: SceneTable, _ manager: Screen.Manager?, at now: Int64) -> Wait {
        guard var handover else { return .none }
        if handover.lastChange != nil && table.scenes.contains(where: \.hasChanged) {
            handover.lastChange = now
        }
        // Most window managers set the focus last.
        let end = end(of: handover, manager, awaitsFocus: handover.hadFocus && !hasFocus)
        handover.isReread = end <= now && !handover.isReread
        self.handover = handover
        if end > now { return .until(end) }
        if handover.isReread { return .until(nil) }
        self.handover = nil
        return .over(
            .ofManager(
                manager.map { "\($0.title) took over; phases were read again" }
                    ?? "no window manager; every mapped window counts"))
    }

    private func end(of handover: Handover, _ manager: Screen.Manager?, awaitsFocus: Bool) -> Int64 {
        guard let lastChange = handover.lastChange else { return handover.since + delays.withoutManager }
        // Some window managers select SubstructureRedirect long before they examine the windows, and set the check
        // window after that. Others have none.
        let isAwaited =
            manager != nil && manager?.checkWindow == nil
            && (handover.predecessor.map { $0.checkWindow != nil } ?? true)
        let isAtRest = !awaitsFocus && !isAwaited
        // A window manager that starts at the last moment has time to settle. One that keeps crashing gains no time.
        return min(
            lastChange + (isAtRest ? delays.takeover : delays.withoutManager),
            handover.since + delays.withoutManager + delays.takeover)
    }

    /// Compares the window manager with the previous one, and begins a handover if it went away or another took over.
    private mutating func compare(_ old: Screen, _ new: Screen, at now: Int64) -> Notice? {
        // A starting window manager writes its own properties and those of the windows one by one.
        if handover?.lastChange != nil { handover?.lastChange = now }
        if let was = old.manager, new.manager == nil {
            begin(after: was, lastChange: nil, at: now)
            let freezes = delays.withoutManager > 0 ? "; phases are frozen" : ""
            return .ofManager("\(was.title) went away\(freezes)")
        }
        if let manager = new.manager, manager.isSuccessor(of: old.manager) {
            begin(after: old.manager, lastChange: now, at: now)
        } else if handover == nil, old.selectionOwner != 0, new.selectionOwner != old.selectionOwner {
            // Another client has taken WM_Sn from the window manager, which then releases the focus and all windows
            // (ICCCM 4.3).
            begin(after: old.manager, lastChange: nil, at: now)
        }
        return nil
    }

    private mutating func begin(after old: Screen.Manager?, lastChange: Int64?, at now: Int64) {
        // A window manager that ends may take the focus first.
        let hadFocus = hasFocus || lostFocus.map { now - $0 <= delays.latest } ?? false
        handover = Handover(
            since: handover?.since ?? now, lastChange: lastChange,
            predecessor: old ?? handover?.predecessor, hadFocus: handover?.hadFocus ?? hadFocus,
            isReread: handover?.isReread ?? false)
    }
}

extension Screen.Manager {
    /// Returns whether the window manager replaced `old`. A starting window manager has no check window yet; setting
    /// one does not make it a successor.
    fileprivate func isSuccessor(of old: Screen.Manager?) -> Bool {
        guard let old else { return true }
        return old.checkWindow != nil && checkWindow != old.checkWindow
    }

    fileprivate var title: String { name ?? "the window manager" }
}

extension Notice {
    fileprivate static func ofManager(_ text: String) -> Notice { Notice(name: "window-manager", text: text) }
}
