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

    /// Takes in what is seen.
    ///
    /// - Parameter touched: The windows of which anything was read since the last call; nil for all of them.
    /// - Returns: The scenes that are new, gone or read differently, each once.
    mutating func update(
        to desktop: Desktop, under policy: PhasePolicy, touched: Set<UInt32>?
    ) -> [WindowID] {
        let activity = Activity(policy, on: desktop)
        defer {
            self.activity = activity
            screens = desktop.screens
        }
        guard var affected = touched, let known = self.activity, let listed = newlyListed(on: desktop),
            known.policy == policy, known.applications == activity.applications
        else {
            return recompute(
                Set(desktop.windows.keys).union(ids.keys).union(families.members), on: desktop, activity)
        }
        if known != activity {
            for windows in [known.focused, known.awaited, activity.focused, activity.awaited] {
                affected.formUnion(windows)
            }
        }
        affected.formUnion(listed)
        affected.formUnion(concealed)
        return affected.isEmpty ? [] : recompute(affected, on: desktop, activity)
    }

    /// The windows that came to a client list or left it; nil if more than lists is new of a screen, so that
    /// every window may be concerned.
    private func newlyListed(on desktop: Desktop) -> Set<UInt32>? {
        guard screens.count == desktop.screens.count else { return nil }
        var listed: Set<UInt32> = []
        for (old, new) in zip(screens, desktop.screens) where old != new {
            guard old.isRuledAlike(new), (old.clients == nil) == (new.clients == nil) else { return nil }
            if old.clients != new.clients {
                listed.formUnion((new.clients ?? []).changes(since: old.clients ?? []))
            }
        }
        return listed
    }

    private mutating func recompute(
        _ affected: Set<UInt32>, on desktop: Desktop, _ activity: Activity
    ) -> [WindowID] {
        var changed: [WindowID] = []
        let families = families.update(affected, on: desktop)
        for xid in families.alone {
            let window = desktop.windows[xid]
            let reading = window.flatMap { desktop.scene(of: $0, activity) }
            if let id = ids[xid], id != reading?.id { remove(id, &changed) }
            if let reading { add(reading, &changed) }
            note(xid, isConcealed: window?.isConcealed == true)
        }
        if families.related.isEmpty { return changed }
        let seen = families.related.compactMap { desktop.windows[$0] }
        let scenes = desktop.scenes(of: seen, activity)
        for xid in families.related {
            if let id = ids[xid], scenes[id] == nil { remove(id, &changed) }
            note(xid, isConcealed: desktop.windows[xid]?.isConcealed == true)
        }
        for reading in scenes.values { add(reading, &changed) }
        return changed
    }

    private mutating func add(_ reading: SceneReading, _ changed: inout [WindowID]) {
        let id = reading.id
        guard readings[id] != reading else { return }
        readings[id] = reading
        ids[id.xid] = id
        if reading.awaitsFocus || !awaiting.isEmpty { note(id, awaitsFocus: reading.awaitsFocus) }
        changed.append(id)
    }

    private mutating func remove(_ id: WindowID, _ changed: inout [WindowID]) {
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
