/// Holds every phase while the window manager is replaced: the old one leaves stale properties, and the next one moves
/// windows while it starts.
struct ManagerHandover: Sendable {
    private enum Stage: Equatable, Sendable {
        /// A screen lost its window manager, or another client has taken WM_Sn from the window manager.
        case orphaned
        /// Another window manager is running; `lastChange` is when any reading last changed.
        case settling(lastChange: Int64)
    }

    /// The state of the hold.
    enum Hold: Sendable {
        case none
        /// A hold until this time, if nothing else changes; nil after that time, until everything has been read
        /// again.
        case until(Int64?)
        /// The end of the hold. The notices report how phases are read from now on.
        case over([Notice])
    }

    var delays: Delays
    /// nil while no handover is going on.
    private var stage: Stage?
    private var since: Int64 = 0
    private var screens: [Screen] = []
    /// The screens whose window manager was replaced or went away.
    private var changed: Set<Int> = []
    /// A scene was active before the handover, and none is active yet: most window managers set the focus last.
    private var awaitsFocus = false
    /// Whether a full read was requested because the time has passed.
    private var isReread = false
    /// The window managers before the handover, by screen.
    private var predecessors: [Int: Screen.Manager] = [:]

    var isHolding: Bool { stage != nil }

    init(delays: Delays) { self.delays = delays }

    /// Returns the notices about window managers to report immediately, and the state of the hold.
    mutating func update(
        to screens: [Screen], _ table: SceneTable, at now: Int64
    ) -> (notices: [Notice], hold: Hold) {
        let notices = compare(screens, at: now)
        return (notices, stage == nil ? .none : hold(table, at: now))
    }

    private mutating func hold(_ table: SceneTable, at now: Int64) -> Hold {
        if !table.changed.isEmpty { restart(at: now) }
        awaitsFocus =
            table.indices.contains { table[$0].reported.phase == .active }
            && !table.indices.contains { table[$0].read.phase == .active }
        if let end, end > now {
            isReread = false
            return .until(end)
        }
        isReread.toggle()
        return isReread ? .until(nil) : .over(finish())
    }

    /// When the hold ends if nothing else changes.
    private var end: Int64? {
        switch stage {
        case nil: nil
        case .orphaned: since + delays.withoutManager
        // A window manager that starts at the last moment has time to settle. One that keeps crashing gains no time.
        case .settling(let lastChange):
            min(
                lastChange + (isAtRest ? delays.takeover : delays.withoutManager),
                since + delays.withoutManager + delays.takeover)
        }
    }

    private var isAtRest: Bool { !awaitsFocus && !changed.contains(where: isAwaited) }

    /// Returns whether the window manager of a screen has yet to set its check window. Some select SubstructureRedirect
    /// long before they examine the windows, and set the check window after that. Others have none.
    private func isAwaited(_ screen: Int) -> Bool {
        guard let manager = screens[screen].manager, manager.checkWindow == nil else { return false }
        return predecessors[screen].map { $0.checkWindow != nil } ?? true
    }

    /// Compares the window managers with the previous ones, and begins a hold if one went away or took over.
    private mutating func compare(_ screens: [Screen], at now: Int64) -> [Notice] {
        let old = self.screens
        // Assigned even if equal: arrays that share their memory need not be compared element by element.
        self.screens = screens
        if old == screens { return [] }
        // A starting window manager writes its own properties and those of the windows one by one.
        restart(at: now)
        var notices: [Notice] = []
        for (screen, (before, after)) in zip(old, screens).enumerated() {
            let (was, manager) = (before.manager, after.manager)
            if let was, manager == nil {
                let freezes = delays.withoutManager > 0 ? "; phases are frozen" : ""
                notices.append(.ofManager("\(was.title) went away\(freezes)"))
                begin(.orphaned, at: now)
            } else if let manager, manager.isSuccessor(of: was) {
                begin(.settling(lastChange: now), at: now)
            } else if stage == nil, before.selectionOwner != 0, after.selectionOwner != before.selectionOwner
            {
                // Another client has taken WM_Sn from the window manager, which then releases the focus and all windows
                // (ICCCM 4.3).
                begin(.orphaned, at: now)
            } else {
                continue
            }
            changed.insert(screen)
            if let was { predecessors[screen] = was }
        }
        return notices
    }

    private mutating func begin(_ stage: Stage, at now: Int64) {
        if self.stage == nil { since = now }
        self.stage = stage
    }

    private mutating func restart(at now: Int64) {
        if case .settling? = stage { stage = .settling(lastChange: now) }
    }

    private mutating func finish() -> [Notice] {
        defer { (stage, changed, predecessors) = (nil, [], [:]) }
        return changed.sorted().map { screen in
            guard let manager = screens[screen].manager else {
                return .ofManager("no window manager; every mapped window counts")
            }
            return .ofManager("\(manager.title) took over; phases were read again")
        }
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
