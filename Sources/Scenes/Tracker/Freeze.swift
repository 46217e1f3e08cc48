/// Holds every phase while the window manager is replaced: the old one leaves stale properties, and the next
/// one moves windows while it starts.
struct Freeze: Sendable {
    private enum Stage: Equatable, Sendable {
        /// A screen lost its manager, or another client has taken WM_Sn from it.
        case orphaned
        /// Another one manages; `lastChange` is when anything was last read differently.
        case settling(lastChange: Int64)
    }

    /// What holds the phases.
    enum Hold: Sendable {
        case none
        /// A freeze, until that time if nothing more happens; nil once it has come, until everything has been read anew.
        case until(Int64?)
        /// Nothing any longer; the notices say under what rule phases are read from here on.
        case over([Notice])
    }

    var delays: Delays
    /// nil while phases are free.
    private var stage: Stage?
    private var since: Int64 = 0
    private var screens: [Screen] = []
    /// The screens whose manager changed or went away.
    private var changed: Set<Int> = []
    /// Somebody had the focus before the freeze, and nobody has it yet: most managers give it last.
    private var awaitsFocus = false
    /// Everything was asked to be read anew, since the time is over.
    private var isReread = false
    /// The managers before the freeze.
    private var predecessors: [Int: Screen.Manager] = [:]

    var isHolding: Bool { stage != nil }

    init(delays: Delays) { self.delays = delays }

    /// Returns what is to be reported of the window managers at once, and whether phases are held.
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
        return isReread ? .until(nil) : .over(thaw())
    }

    /// When phases are free again if nothing more happens.
    private var end: Int64? {
        switch stage {
        case nil: nil
        case .orphaned: since + delays.withoutManager
        // A manager that comes at the last moment has its time to settle, one that keeps crashing has not.
        case .settling(let lastChange):
            min(
                lastChange + (isAtRest ? delays.takeover : delays.withoutManager),
                since + delays.withoutManager + delays.takeover)
        }
    }

    private var isAtRest: Bool { !awaitsFocus && !changed.contains(where: isAwaited) }

    /// Whether the manager of a screen has still to say that it is there. Some hold the root window long
    /// before they look at the windows; the check window comes after that, but not all managers have one.
    private func isAwaited(_ screen: Int) -> Bool {
        guard let manager = screens[screen].manager, manager.checkWindow == nil else { return false }
        return predecessors[screen].map { $0.checkWindow != nil } ?? true
    }

    /// Compares the window managers with those seen before, and freezes when one has died or taken over.
    private mutating func compare(_ screens: [Screen], at now: Int64) -> [Notice] {
        let old = self.screens
        // Also where they are equal: arrays that share their memory need not be compared element by element.
        self.screens = screens
        if old == screens { return [] }
        // One that starts writes what it says of itself and of the windows bit by bit.
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
                // Another one has taken WM_Sn from the manager, which then gives back the focus and all windows (ICCCM 4.3).
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

    private mutating func thaw() -> [Notice] {
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
    /// A manager that starts has no check window yet, so getting one makes it no other.
    fileprivate func isSuccessor(of old: Screen.Manager?) -> Bool {
        guard let old else { return true }
        return old.checkWindow != nil && checkWindow != old.checkWindow
    }

    fileprivate var title: String { name ?? "the window manager" }
}

extension Notice {
    fileprivate static func ofManager(_ text: String) -> Notice { Notice(name: "window-manager", text: text) }
}
