/// The scenes of a display, kept current with work for those windows only that a change can concern.
struct SceneIndex: Sendable {
    private(set) var readings: [WindowID: SceneReading] = [:]
    /// The scenes that the focus was given to and that cannot be seen yet.
    private(set) var awaiting: Set<WindowID> = []
    /// The scenes whose main window has a number.
    private var ids: [UInt32: WindowID] = [:]
    private var families = Families()
    /// The windows about which other windows have a say.
    private var concealed: Set<UInt32> = []
    private var activity: Activity?
    private var screens: [Screen] = []
    /// The windows that a change can concern, and the scenes that it did; their memory is used again.
    private var affected: [UInt32] = []
    private var changed: [WindowID] = []

    /// Takes in what is seen.
    ///
    /// - Parameter touched: The windows of which anything was read since the last call; nil for all of them.
    /// - Returns: The scenes that are new, gone or read differently, ascending. One may come twice.
    mutating func update(
        to desktop: Desktop, under policy: PhasePolicy, touched: Set<UInt32>?
    ) -> [WindowID] {
        let activity = Activity(policy, on: desktop)
        noteAffected(on: desktop, activity, touched: touched)
        self.activity = activity
        screens = desktop.screens
        changed.empty()
        recompute(on: desktop, activity)
        affected.empty()
        changed.sort()
        return changed
    }

    private mutating func noteAffected(on desktop: Desktop, _ activity: Activity, touched: Set<UInt32>?) {
        guard let touched, let known = self.activity, let listed = newlyListed(on: desktop),
            known.policy == activity.policy, known.applications == activity.applications
        else {
            affected += Set(desktop.windows.keys).union(ids.keys).union(families.members)
            return
        }
        if known != activity {
            affected += known.focused
            affected += known.awaited
            affected += activity.focused
            affected += activity.awaited
        }
        affected += touched
        affected += listed
        affected += concealed
    }

    /// The windows that came to a client list or left it; nil if more than lists is new of a screen, so that
    /// every window may be concerned.
    private func newlyListed(on desktop: Desktop) -> [UInt32]? {
        guard screens.count == desktop.screens.count else { return nil }
        var listed: [UInt32] = []
        for (old, new) in zip(screens, desktop.screens) where old != new {
            guard old.isRuledAlike(new), (old.clients == nil) == (new.clients == nil) else { return nil }
            if old.clients != new.clients {
                listed += (new.clients ?? []).changes(since: old.clients ?? [])
            }
        }
        return listed
    }

    /// Looks at what is affected. A window that is so twice is found unchanged the second time.
    private mutating func recompute(on desktop: Desktop, _ activity: Activity) {
        var named: Set<UInt32> = []
        for xid in affected {
            guard families.isAlone(xid, on: desktop) else {
                named.insert(xid)
                continue
            }
            let window = desktop.windows[xid]
            let reading = window.flatMap { desktop.scene(of: $0, activity) }
            if let id = ids[xid], id != reading?.id { remove(id) }
            if let reading { add(reading) }
            note(xid, isConcealed: window?.isConcealed == true)
        }
        if !named.isEmpty { recompute(families.relatives(of: named, on: desktop), on: desktop, activity) }
    }

    private mutating func recompute(_ related: Set<UInt32>, on desktop: Desktop, _ activity: Activity) {
        let scenes = desktop.scenes(of: related.compactMap { desktop.windows[$0] }, activity)
        for xid in related {
            if let id = ids[xid], scenes[id] == nil { remove(id) }
            note(xid, isConcealed: desktop.windows[xid]?.isConcealed == true)
        }
        for reading in scenes.values { add(reading) }
    }

    private mutating func add(_ reading: SceneReading) {
        let id = reading.id
        guard readings[id] != reading else { return }
        readings[id] = reading
        ids[id.xid] = id
        if reading.awaitsFocus || !awaiting.isEmpty { note(id, awaitsFocus: reading.awaitsFocus) }
        changed.append(id)
    }

    private mutating func remove(_ id: WindowID) {
        readings[id] = nil
        ids[id.xid] = nil
        awaiting.remove(id)
        changed.append(id)
    }

    private mutating func note(_ id: WindowID, awaitsFocus: Bool) {
        if awaitsFocus { awaiting.insert(id) } else { awaiting.remove(id) }
    }

    private mutating func note(_ xid: UInt32, isConcealed: Bool) {
        if isConcealed { concealed.insert(xid) } else if !concealed.isEmpty { concealed.remove(xid) }
    }
}

extension SeenWindow {
    /// Whether it may be behind a tab, which its neighbours tell.
    fileprivate var isConcealed: Bool { mapState == .viewable && states.contains(.hidden) }
}

extension Screen {
    /// Whether all that the rule takes from a screen is the same, the list of clients and the focus aside. While
    /// the desktop is shown, windows have a say about each other.
    fileprivate func isRuledAlike(_ other: Screen) -> Bool {
        !other.isShowingDesktop && isShowingDesktop == other.isShowingDesktop && bounds == other.bounds
            && manager == other.manager && wasRewritten == other.wasRewritten
            && currentDesktop == other.currentDesktop && isOwnCompositor == other.isOwnCompositor
    }
}
