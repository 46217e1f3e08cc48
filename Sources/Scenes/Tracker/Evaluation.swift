/// Keeps the reading of each scene current. Evaluates only the windows that a change can affect.
struct Evaluation: Sendable {
    /// By slot: the window that was last evaluated, and the index of its scene, -1 for none.
    private var looked: [WindowID?] = []
    private var sceneOfSlot: [Int32] = []
    private var tree = TransientTree()
    /// The windows that are behind a tab if another window covers them.
    private(set) var concealed = ConcealedWindows()
    /// The slots of the windows that may belong to a screen locker.
    private(set) var lockerCandidates: Set<Int32> = []
    /// The limits on the phase of every scene.
    private(set) var limits: SessionLimits = []
    private(set) var activity = Activity(
        policy: .focus, chain: FocusChain(), isVisible: false, applications: [])
    private var screens: [Screen] = []
    /// The slots that a change can affect. The memory is reused.
    private var affected: [Int32] = []

    /// Evaluates a desktop. Adds the scenes that are new, gone or read differently to `SceneTable.changed`.
    ///
    /// - Parameters:
    ///   - wanted: The session limits that count.
    ///   - touched: The slots with facts that were read since the last call; nil for all slots.
    @inline(never)
    mutating func update(
        _ table: inout SceneTable, to desktop: Desktop, under policy: PhasePolicy,
        _ wanted: SessionLimits = [], touched: [Int32]?
    ) {
        while looked.count < desktop.windows.slotCount {
            looked.append(nil)
            sceneOfSlot.append(-1)
        }
        let activity = desktop.activity(under: policy)
        collectAffected(on: desktop, activity, touched: touched)
        concealed.update(affected, on: desktop)
        if concealed.isEmpty {
            look(on: desktop, activity, &table)
        } else {
            var desktop = desktop
            desktop.knownCovered = concealed.covered
            desktop.knownChain = activity.chain
            affected += concealed.slots
            look(on: desktop, activity, &table)
        }
        if !concealed.isEmpty || !table.tabs.isEmpty { updateTabs(&table, on: desktop) }
        affected.empty()
        limits = desktop.limits(among: wanted, hasLockerCandidates: !lockerCandidates.isEmpty)
    }

    private func updateTabs(_ table: inout SceneTable, on desktop: Desktop) {
        let changed = table.tabs.symmetricDifference(concealed.tabs)
        table.tabs = concealed.tabs
        for xid in changed {
            guard let scene = desktop.windows.slot(of: xid).flatMap(scene), table[scene].read.phase != nil
            else { continue }
            table.copyFacts(of: scene, from: desktop.windows)
        }
    }

    private mutating func look(on desktop: Desktop, _ activity: Activity, _ table: inout SceneTable) {
        if self.activity != activity { self.activity = activity }
        screens = desktop.screens
        var related: Set<UInt32> = []
        for slot in affected { identify(Int(slot), on: desktop, &table, related: &related) }
        // The relatives come first, so that they are linked: a window with a new dialog must not be read without it.
        if !related.isEmpty { look(atRelativesOf: related, on: desktop, activity, &table) }
        for slot in affected { look(at: Int(slot), on: desktop, activity, &table) }
    }

    /// Returns the scene of the window in a slot; nil for none.
    func scene(at slot: Int) -> Int32? { sceneOfSlot[slot] < 0 ? nil : sceneOfSlot[slot] }

    /// Forgets a scene whose index is freed.
    mutating func forget(_ row: Scene, _ scene: Int32) {
        if sceneOfSlot[Int(row.slot)] == scene { sceneOfSlot[Int(row.slot)] = -1 }
    }

    private mutating func collectAffected(on desktop: Desktop, _ activity: Activity, touched: [Int32]?) {
        guard let touched, let listed = newlyListed(on: desktop),
            self.activity.policy == activity.policy, self.activity.applications == activity.applications
        else {
            affected = Array(0..<Int32(looked.count))
            return
        }
        affected += touched
        for xid in listed { addAffected(xid, on: desktop) }
        if self.activity != activity {
            self.activity.chain.visit { addAffected($0, on: desktop) }
            activity.chain.visit { addAffected($0, on: desktop) }
        }
    }

    private mutating func addAffected(_ xid: UInt32, on desktop: Desktop) {
        if let slot = desktop.windows.slot(of: xid) { affected.append(Int32(slot)) }
    }

    /// Returns the windows that were added to a client list or removed from it; nil if other facts of a screen changed,
    /// which may affect every window.
    private func newlyListed(on desktop: Desktop) -> [UInt32]? {
        // The arrays share their memory while nothing changes.
        if screens == desktop.screens { return [] }
        guard screens.count == desktop.screens.count else { return nil }
        var listed: [UInt32] = []
        for index in screens.indices where screens[index] != desktop.screens[index] {
            guard let changes = screens[index].listChanges(to: desktop.screens[index]) else { return nil }
            listed += changes
        }
        return listed
    }

    /// Ends the scene of a window that is gone from its slot. Adds windows that are dialogs or have dialogs to
    /// `related`.
    private mutating func identify(
        _ slot: Int, on desktop: Desktop, _ table: inout SceneTable, related: inout Set<UInt32>
    ) {
        let (id, isGone) = (desktop.windows.facts[slot].id, desktop.windows.facts[slot].isGone)
        if let old = looked[slot], isGone || id != old {
            setReading(.none, at: slot, on: desktop, &table)
            sceneOfSlot[slot] = -1
            lockerCandidates.remove(Int32(slot))
            if tree.isLinked(old.xid) { related.insert(old.xid) }
        }
        looked[slot] = isGone ? nil : id
        if isGone { return }
        if desktop.windows.facts[slot].transientFor != nil || tree.isLinked(id.xid) { related.insert(id.xid) }
    }

    /// Evaluates a window without links to others. A second evaluation of the same window finds it unchanged.
    private mutating func look(
        at slot: Int, on desktop: Desktop, _ activity: Activity, _ table: inout SceneTable
    ) {
        let window = desktop.windows.facts[slot]
        if window.isGone || window.transientFor != nil || tree.isLinked(window.id.xid) { return }
        setReading(desktop.reading(of: window, activity), at: slot, on: desktop, &table)
    }

    /// Evaluates windows that are dialogs or have dialogs, and all windows that are linked to them.
    private mutating func look(
        atRelativesOf windows: Set<UInt32>, on desktop: Desktop, _ activity: Activity,
        _ table: inout SceneTable
    ) {
        let slots = tree.relatives(of: windows, on: desktop).compactMap { desktop.windows.slot(of: $0) }
        let scenes = desktop.scenes(of: slots, activity)
        for slot in slots {
            setReading(scenes[slot] ?? .none, at: slot, on: desktop, &table)
        }
    }

    private mutating func setReading(
        _ reading: Reading, at slot: Int, on desktop: Desktop, _ table: inout SceneTable
    ) {
        let window = desktop.windows.facts[slot]
        if desktop.mayBeLocker(window) {
            lockerCandidates.insert(Int32(slot))
        } else if !lockerCandidates.isEmpty {
            lockerCandidates.remove(Int32(slot))
        }
        if sceneOfSlot[slot] < 0 {
            if reading.phase == nil { return }
            sceneOfSlot[slot] = table.add(window.id, slot: slot)
            table.copyFacts(of: sceneOfSlot[slot], from: desktop.windows)
        }
        let scene = sceneOfSlot[slot]
        if table[scene].evaluated == reading { return }
        table[scene].evaluated = reading
        let isBelieved = reading.isCovered && table[scene].read.hiding == .covered
        table[scene].read = isBelieved ? reading.covered : reading.uncovered
        table.changed.append(scene)
    }
}

extension Screen {
    /// Returns the windows that were added to the client list or removed from it; nil if other input of the rule
    /// changed.
    fileprivate func listChanges(to new: Screen) -> [UInt32]? {
        guard hasSameRuleInput(as: new), (clients == nil) == (new.clients == nil) else { return nil }
        return clients == new.clients ? [] : (new.clients ?? []).changes(since: clients ?? [])
    }

    /// Returns whether the rule has the same input from both screens, except for client list and focus. Returns false
    /// while the desktop is shown, because the stacking order counts then.
    package func hasSameRuleInput(as other: Screen) -> Bool {
        !other.isShowingDesktop && isShowingDesktop == other.isShowingDesktop && bounds == other.bounds
            && manager == other.manager && wasRewritten == other.wasRewritten
            && currentDesktop == other.currentDesktop && isOwnCompositor == other.isOwnCompositor
            && isComposited == other.isComposited && monitors == other.monitors
    }
}
