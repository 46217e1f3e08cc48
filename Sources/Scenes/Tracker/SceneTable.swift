/// The scenes, their groups and applications. A scene keeps its index until its end has been reported.
struct SceneTable: Sendable {
    private(set) var scenes: [Scene] = []
    var groups = GroupTable()
    /// The scenes whose reading has changed since the last update.
    var changed: [Int32] = []
    /// The windows that are tabs.
    var tabs: Set<UInt32> = []
    /// The greatest phase that any scene may have.
    var cap = ScenePhase.active
    /// The facts of scenes that have not settled. Few scenes have any.
    private(set) var pendingFacts: [Int32: Pending<SettlingFacts>] = [:]
    private var free: [Int32] = []
    /// The scene of the last window in each slot of the window table; -1 for none.
    private var sceneOfSlot: [Int32] = []
    private var isUsed: [Bool] = []

    subscript(scene: Int32) -> Scene {
        _read { yield scenes[Int(scene)] }
        _modify { yield &scenes[Int(scene)] }
    }

    /// The scenes that are read or reported, in no order.
    var indices: [Int32] { (0..<Int32(scenes.count)).filter { isUsed[Int($0)] } }

    /// The reported scenes, in the order of their windows.
    var reported: [Int32] {
        indices.filter { self[$0].reportedPhase != nil }.sorted { self[$0].window < self[$1].window }
    }

    /// Returns the index of the scene of the window in a slot; nil if it has none.
    func scene(of window: WindowID, at slot: Int) -> Int32? {
        guard slot < sceneOfSlot.count, sceneOfSlot[slot] >= 0 else { return nil }
        return scenes[Int(sceneOfSlot[slot])].window == window ? sceneOfSlot[slot] : nil
    }

    mutating func add(_ window: WindowID, slot: Int) -> Int32 {
        let scene = Scene(window, slot: slot)
        let index = free.popLast() ?? Int32(scenes.count)
        if Int(index) == scenes.count {
            scenes.append(scene)
            isUsed.append(true)
        } else {
            scenes[Int(index)] = scene
            isUsed[Int(index)] = true
        }
        while sceneOfSlot.count <= slot { sceneOfSlot.append(-1) }
        sceneOfSlot[slot] = index
        return index
    }

    /// Records the reading of a scene.
    mutating func read(_ reading: Reading, of scene: Int32) {
        let index = Int(scene)
        if scenes[index].evaluated == reading { return }
        scenes[index].evaluated = reading
        let isBelieved = reading.isCovered && scenes[index].read.hiding == .covered
        scenes[index].read = isBelieved ? reading.covered : reading.uncovered
        changed.append(scene)
    }

    /// Returns whether the facts of a scene are those of its window. Compares without copies: this runs for each scene at
    /// each change.
    func hasCurrentFacts(_ index: Int, _ windows: WindowTable) -> Bool {
        let slot = Int(scenes[index].slot)
        return scenes[index].facts.title == windows.texts[slot].title
            && scenes[index].facts.pid == windows.facts[slot].pid
            && scenes[index].facts.desktop == windows.facts[slot].reportedDesktop
            && scenes[index].facts.process == windows.texts[slot].executable
            && scenes[index].facts.role == windows.texts[slot].role
            && scenes[index].facts.monitor == windows.texts[slot].monitor
            && scenes[index].facts.desktopName == windows.texts[slot].desktopName
            && scenes[index].facts.extent == windows.extent(slot, among: tabs)
    }

    /// Updates the facts of a scene. Facts that a window manager may change for a moment settle as phases do.
    ///
    /// - Returns: Whether the title changed, and whether any other fact did.
    mutating func update(_ scene: Int32, _ new: Change.SceneFacts, _ delays: Delays, at now: Int64) -> (
        title: Bool, others: Bool
    ) {
        let old = self[scene].facts
        (self[scene].facts.title, self[scene].facts.pid) = (new.title, new.pid)
        self[scene].facts.process = new.process
        var isOther = old.pid != new.pid || old.process != new.process
        // Places that are read from now on, or no longer, do not flicker.
        if (old.monitor == nil) != (new.monitor == nil)
            || (old.desktopName == nil) != (new.desktopName == nil)
        {
            isOther = true
            (self[scene].facts.monitor, self[scene].facts.desktopName) = (new.monitor, new.desktopName)
        }
        if self[scene].facts.settling == new.settling {
            pendingFacts[scene] = nil
            return (old.title != new.title, isOther)
        }
        Pending.note(new.settling, in: &pendingFacts[scene], at: now)
        if self[scene].reportedPhase != nil, let due = pendingFacts[scene]?.due(delays), due > now {
            return (old.title != new.title, isOther)
        }
        self[scene].facts.settling = new.settling
        pendingFacts[scene] = nil
        return (old.title != new.title, true)
    }

    /// Sets the reported reading of a scene. A scene whose names change must end first.
    mutating func setReported(_ scene: Int32, _ reading: Reading, in names: GroupNames, at now: Int64) {
        let index = Int(scene)
        let (old, new) = (scenes[index].reportedPhase, capped(reading))
        if old == nil { scenes[index].place = groups.place(of: reading.group, in: names) }
        scenes[index].reported = reading
        scenes[index].reportedPhase = new
        if old != new { scenes[index].since = now }
        if old == .active || new == .active { scenes[index].lastActive = now }
    }

    /// Returns the phase to report for a reading: at most `cap`.
    func capped(_ reading: Reading) -> ScenePhase? { reading.phase.map { min($0, cap) } }

    /// Forgets all pending changes of phases.
    mutating func dropPending() {
        for index in scenes.indices { (scenes[index].pending, scenes[index].restored) = (nil, nil) }
    }

    /// Frees the scenes that are neither read nor reported, before an update.
    mutating func freeEnded() {
        changed = []
        groups.freeEnded()
        for index in scenes.indices
        where isUsed[index] && scenes[index].read.phase == nil && scenes[index].reported.phase == nil {
            let slot = Int(scenes[index].slot)
            if sceneOfSlot[slot] == Int32(index) { sceneOfSlot[slot] = -1 }
            isUsed[index] = false
            scenes[index] = Scene(scenes[index].window, slot: slot)
            pendingFacts[Int32(index)] = nil
            free.append(Int32(index))
        }
    }
}
