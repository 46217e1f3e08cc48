import Testing

@testable import Scenes

/// A desktop with a clock, watched by a tracker as in `PhaseWatcher`.
///
/// The name of a window determines its WM_CLASS: `editor.2` is another window of the instance `editor` of the class
/// `Editor`, and `editor/find` is a window of its instance `find`. Durations are in milliseconds.
struct Timeline {
    private(set) var desktop = Desktop.managed()
    var tracker: SceneTracker
    /// The time in nanoseconds. It is far from zero, like the clock of a machine.
    private(set) var now: Int64 = 86_400_000_000_000
    /// The time at which the tracker requests an update even without changes; nil for never.
    private(set) var wake: Int64?
    /// The number of full reads that the tracker has requested.
    private(set) var fullReads = 0
    /// The changes of the kind `facts` in the last update.
    private(set) var refreshed: [Change] = []
    /// Whether the active scene changed in the last update.
    private(set) var hasNewFocus = false
    /// All reported events.
    private(set) var events: [Event] = []
    /// The lines that were reported at the start.
    private(set) var started: [String] = []
    /// The desktop at the last update of the tracker.
    var names = WindowNames()
    let levels: Set<Change.Level>
    /// A reported change may make another one due immediately, but only a few times in a row.
    static let mostLooksInARow = 3

    /// - Parameters:
    ///   - names: The windows at the start.
    ///   - arrange: Makes other changes before the start.
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
        desktop.screen.activeWindow = focus.map { self.names[$0] } ?? 0
        arrange(&self)
        started = look()
    }

    /// Changes the desktop without updating the tracker.
    mutating func arrange(_ edit: (inout Desktop) -> Void) {
        edit(&desktop)
    }

    /// Changes the desktop, updates the tracker once, and returns the lines that are reported immediately.
    @discardableResult
    mutating func change(_ edit: (inout Desktop) -> Void) -> [String] {
        edit(&desktop)
        return look()
    }

    /// Advances the clock without changes, and returns the lines that are reported meanwhile.
    @discardableResult
    mutating func wait(_ milliseconds: Int) -> [String] {
        let end = now + Int64(milliseconds) * 1_000_000
        var lines: [String] = []
        var looksInARow = 0
        while let moment = wake, moment <= end {
            looksInARow = moment <= now ? looksInARow + 1 : 0
            if looksInARow > Self.mostLooksInARow {
                Issue.record("it wants to look again and again")
                break
            }
            now = max(now, moment)
            lines += look(hasRead: false)
        }
        now = end
        return lines
    }

    /// Advances the clock without updating the tracker.
    mutating func sleep(_ milliseconds: Int) { now += Int64(milliseconds) * 1_000_000 }

    /// Advances the clock, and returns the lines that are reported in the last millisecond: there must be none before.
    mutating func exactly(_ milliseconds: Int) -> [String] {
        #expect(wait(milliseconds - 1) == [])
        return wait(1)
    }

    /// Updates the tracker.
    ///
    /// - Parameter hasRead: Whether the desktop was read, and not only time has passed.
    mutating func look(hasRead: Bool = true) -> [String] {
        let reported = events.count
        var update = tracker.update(to: desktop, hasRead: hasRead, at: now)
        if update.wantsFullRead {
            fullReads += 1
            take(update)
            update = tracker.update(to: desktop, at: now)
        }
        wake = update.next
        take(update)
        return words(for: Array(events[reported...]))
    }

    private mutating func take(_ update: SceneTracker.Update) {
        hasNewFocus = update.hasNewFocus
        refreshed = update.events.compactMap(\.change).filter { $0.kind == .facts }
        events += update.events.filter { $0.change?.kind != .facts }
    }

    func words(for events: [Event]) -> [String] {
        events.compactMap { names.words(for: $0, levels: levels) }
    }

    /// Returns the changes of one level that were reported so far.
    func changes(_ level: Change.Level) -> [Change] {
        events.compactMap(\.change).filter { $0.level == level }
    }
}

/// The death of a window manager and the start of the next one.
extension Timeline {
    /// Kills the window manager as SIGKILL does: every window is mapped, and the properties of the root window stay.
    @discardableResult
    mutating func killManager() -> [String] {
        change { desktop in
            desktop.screen.manager = nil
            desktop.screen.wasRewritten = false
            desktop.inputFocus = .underPointer(nil)
            for window in desktop.windows.windows {
                desktop.edit(window.id.xid) { $0.mapState = .viewable }
            }
        }
    }

    /// Starts another window manager. It focuses a window of its own and unmaps the iconic windows again.
    @discardableResult
    mutating func startManager(_ name: String = "openbox", check: UInt32 = 0x400_0020) -> [String] {
        change { desktop in
            desktop.screen.manager = Screen.Manager(checkWindow: check, client: 0x400_0000, name: name)
            desktop.inputFocus = .elsewhere(client: 0)
            for window in desktop.windows.windows where window.state == .iconic {
                desktop.edit(window.id.xid) { $0.mapState = .unmapped }
            }
        }
    }
}
