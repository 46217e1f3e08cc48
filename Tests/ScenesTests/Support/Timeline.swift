@testable import Scenes

/// A desktop with a clock, watched by a tracker the way `PhaseWatcher` does it.
///
/// A window is called by a name that also tells its WM_CLASS: `editor.2` is another window of the instance
/// `editor` of the class `Editor`, and `editor/find` one of its instance `find`. Times are in milliseconds.
struct Timeline {
    private(set) var desktop = Desktop.managed()
    var tracker: SceneTracker
    /// Far from zero, since the clock of a machine is.
    private(set) var now: Int64 = 86_400_000_000_000
    /// When the tracker wants to be called though nothing was seen.
    private(set) var wake: Int64?
    /// How often the tracker wanted everything to be read anew.
    private(set) var fullReads = 0
    /// What the last look found new that no line tells.
    private(set) var refreshed: [Change] = []
    /// All that was reported.
    private(set) var events: [Event] = []
    /// What was reported of the windows that were there at the start.
    private(set) var started: [String] = []
    /// What the tracker saw last.
    private var seen: Desktop?
    var names = WindowNames()
    let levels: Set<Change.Level>

    /// - Parameters:
    ///   - names: The windows that are there at the start.
    ///   - arrange: What else is special about that start.
    init(
        _ names: String..., focus: String? = nil, levels: Set<Change.Level> = [.scene],
        policy: PhasePolicy = .focus, isStepwise: Bool = false, settle: Int = 100,
        states: Set<SessionState> = Set(SessionState.allCases), occlusion: Int? = nil,
        arrange: (inout Timeline) -> Void = { _ in }
    ) {
        self.levels = levels
        tracker = SceneTracker(
            policy: policy, isStepwise: isStepwise,
            delays: Delays(settle: .milliseconds(settle), occlusion: occlusion.map { .milliseconds($0) }),
            states: states)
        for name in names { desktop.add(self.names.create(name)) }
        desktop.screens[0].activeWindow = focus.map { self.names[$0] } ?? 0
        arrange(&self)
        started = look()
    }

    /// Changes the desktop without a look at it.
    mutating func arrange(_ edit: (inout Desktop) -> Void) {
        edit(&desktop)
    }

    /// Changes the desktop, as one thing to see, and returns what is reported at once.
    @discardableResult
    mutating func change(_ edit: (inout Desktop) -> Void) -> [String] {
        edit(&desktop)
        return look()
    }

    /// Lets time go by while nothing happens, and returns what is reported meanwhile.
    @discardableResult
    mutating func wait(_ milliseconds: Int) -> [String] {
        let end = now + Int64(milliseconds) * 1_000_000
        var lines: [String] = []
        while let moment = wake, moment <= end {
            now = max(now, moment)
            lines += look()
        }
        now = end
        return lines
    }

    /// Has the tracker look at everything once more.
    mutating func lookAtAll() -> [String] {
        seen = nil
        return look()
    }

    /// Has the tracker look once more, at what has changed since the last time.
    mutating func look() -> [String] {
        let reported = events.count
        var touched = seen.map(desktop.touched)
        let concerned = desktop.judge()
        touched? += concerned
        var update = tracker.update(to: &desktop, after: .windows(touched), at: now)
        seen = desktop
        if update.wantsFullRead {
            fullReads += 1
            events += update.batch
            update = tracker.update(to: &desktop, at: now)
        }
        wake = update.next
        refreshed = update.batch.refreshed
        events += update.batch
        return words(for: Array(events[reported...]))
    }

    func words(for events: [Event]) -> [String] {
        events.compactMap { names.words(for: $0, levels: levels) }
    }

    /// The changes reported so far of one level.
    func changes(_ level: Change.Level) -> [Change] {
        events.compactMap {
            guard case .change(let change) = $0, change.level == level else { return nil }
            return change
        }
    }
}
