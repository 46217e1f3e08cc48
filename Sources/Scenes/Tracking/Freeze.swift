/// Holds every phase while the window manager changes: what it leaves on the display is not true, and what
/// the next one does with the windows while it starts is not meant.
struct Freeze: Sendable {
    private enum Stage: Sendable {
        case none
        /// Nobody manages a screen that was managed.
        case orphaned
        /// Another one manages; `lastChange` is when anything was last read differently.
        case settling(lastChange: Duration)
    }

    private let delays: Delays
    private var stage = Stage.none
    private var until = Duration.zero
    private var managers: [Screen.Manager?]
    /// The screens that another one manages than before, or nobody.
    private var changed: Set<Int> = []

    init(delays: Delays, managers: [Screen.Manager?]) {
        self.delays = delays
        self.managers = managers
    }

    var isFrozen: Bool {
        if case .none = stage { false } else { true }
    }

    /// When phases are free again if nothing more happens.
    var end: Duration? {
        switch stage {
        case .none: nil
        case .orphaned: until
        case .settling(let lastChange): min(lastChange + delays.takeover, until)
        }
    }

    /// Compares the window managers with those seen before, and freezes when one has died or taken over.
    mutating func note(_ screens: [Screen], at now: Duration) -> [Notice] {
        let old = managers
        managers = screens.map(\.manager)
        var notices: [Notice] = []
        for (screen, (was, manager)) in zip(old, managers).enumerated() {
            if let was, manager == nil {
                changed.insert(screen)
                stage = .orphaned
                until = now + delays.withoutManager
                notices.append(.managerWentAway(was, isFrozen: delays.withoutManager > .zero))
            } else if let manager, manager.isSuccessor(of: was) {
                changed.insert(screen)
                stage = .settling(lastChange: now)
                until = now + delays.withoutManager
            }
        }
        return notices
    }

    mutating func noteChange(at now: Duration) {
        if case .settling = stage { stage = .settling(lastChange: now) }
    }

    /// Ends the freeze and says under what rule phases are read from here on.
    mutating func thaw() -> [Notice] {
        defer { changed = [] }
        stage = .none
        return changed.sorted().map { managers[$0].map(Notice.managerTookOver) ?? .noManager }
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
    fileprivate static let managerName = "window-manager"

    fileprivate static func managerWentAway(_ manager: Screen.Manager, isFrozen: Bool) -> Notice {
        Notice(
            name: managerName, text: "\(manager.title) went away" + (isFrozen ? "; phases are frozen" : ""))
    }

    fileprivate static func managerTookOver(_ manager: Screen.Manager) -> Notice {
        Notice(name: managerName, text: "\(manager.title) took over; phases were read again")
    }

    fileprivate static let noManager = Notice(
        name: managerName, text: "no window manager; every mapped window counts")
}
