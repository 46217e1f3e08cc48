/// A scene: its current reading and its last reported state.
struct Scene: Sendable {
    let window: WindowID
    /// The slot of the window. Another window may have the slot by now.
    let slot: Int32
    /// The current result of the rule. It includes a cover immediately.
    var evaluated = Reading.none
    /// `evaluated`, with a cover only after the occlusion delay. `Settler` compares it with `reported`.
    var read = Reading.none
    /// The committed reading, before the session's cap is applied.
    var reported = Reading.none
    /// The phase in the last line: the phase of `reported`, or `SceneTable.cap` if that is less.
    var reportedPhase: ScenePhase?
    /// When the scene entered the reported phase.
    var since: Int64 = 0
    /// When the scene last became active or ceased to be active; 0 for never.
    var lastActive: Int64 = 0
    /// The index of its reported group in `GroupTable`; -1 before the first line.
    var place: Int32 = -1
    var facts = ImmediateFacts()
    var pending: Pending?
    /// When other windows began to cover the scene; nil unless a cover is waiting to count.
    var coveredSince: Int64?
    /// When a pending change other than a focus step was reverted. A focus step soon afterwards gets no shorter delay:
    /// a window that is unmapped and mapped again may lose the focus for a moment.
    var restored: Int64?
}

/// The facts of a scene that need not settle and that its group and application aggregate.
struct ImmediateFacts: Hashable, Sendable {
    /// 0 for no process.
    var pid: Int32 = 0
    /// -1 for all desktops.
    var desktop: Int?
    /// The executable of the process, if it is read.
    var process: String?
}

/// The facts of a scene that need not settle and that are not aggregated. They are stored outside `Scene`, which is
/// copied often.
struct SceneText: Sendable {
    var title: String?
    /// WM_WINDOW_ROLE.
    var role: String?
    var monitor: String?
    var desktopName: String?
    var extent = Change.Extent.window
}

/// The scenes and their totals. A scene keeps its index until its end has been reported.
struct SceneTable: Sendable {
    private(set) var scenes: [Scene] = []
    private(set) var texts: [SceneText] = []
    var groups = GroupTable()
    /// The scenes whose reading has changed since the last update. The memory is reused.
    var changed: [Int32] = []
    /// The scenes with a new fact since the last update, such as process, desktop or role. No line reports these facts.
    private(set) var refreshed: [Int32] = []
    /// The scenes with a new title since the last update.
    private(set) var retitled: [Int32] = []
    /// The windows that are tabs.
    var tabs: Set<UInt32> = []
    /// The greatest phase that any scene may have.
    var cap = ScenePhase.active
    private var free: [Int32] = []
    /// The scene of the last window in each slot of the window table; -1 for none.
    private var sceneOfSlot: [Int32] = []
    /// The scenes whose end was reported. They keep their index until their last line is written.
    private var ended: [Int32] = []
    private var isUsed: [Bool] = []

    subscript(scene: Int32) -> Scene {
        _read { yield scenes[Int(scene)] }
        _modify { yield &scenes[Int(scene)] }
    }

    /// The scenes that are read or reported, in no order.
    var indices: [Int32] { (0..<Int32(scenes.count)).filter { isUsed[Int($0)] } }

    /// Returns the index of the scene of the window in a slot; nil if it has none.
    func scene(of window: WindowID, at slot: Int) -> Int32? {
        guard slot < sceneOfSlot.count, sceneOfSlot[slot] >= 0 else { return nil }
        return scenes[Int(sceneOfSlot[slot])].window == window ? sceneOfSlot[slot] : nil
    }

    mutating func add(_ window: WindowID, slot: Int) -> Int32 {
        let scene = Scene(window: window, slot: Int32(slot))
        let index = free.popLast() ?? Int32(scenes.count)
        if Int(index) == scenes.count {
            scenes.append(scene)
            texts.append(SceneText())
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

    /// Copies the facts of a scene that need not settle, such as title, role, process and desktop.
    mutating func copyFacts(of scene: Int32, from windows: WindowTable) {
        let index = Int(scene)
        let slot = Int(scenes[index].slot)
        let isReported = scenes[index].reportedPhase != nil
        // Compares field by field, without copies: this runs for each change.
        let isRetitled = windows.texts[slot].title != texts[index].title
        let isElsewhere =
            windows.texts[slot].monitor != texts[index].monitor
            || windows.texts[slot].desktopName != texts[index].desktopName
        let extent = windows.extent(slot, among: tabs)
        let isOther =
            isElsewhere || windows.texts[slot].role != texts[index].role || extent != texts[index].extent
        // Batches share the texts; a write copies them.
        if isRetitled || isOther { texts[index] = windows.sceneText(slot, extent) }
        if isRetitled && isReported { retitled.append(scene) }
        let (old, new) = (scenes[index].facts, windows.facts(inSlot: slot))
        if old == new && !isOther { return }
        scenes[index].facts = new
        guard isReported else { return }
        refreshed.append(scene)
        let place = scenes[index].place
        groups[groups[place].application].replace(old, with: new)
        groups[place].replace(old, with: new)
    }

    /// Sets the reported reading of a scene. The totals of its group and application are not reported yet. A scene
    /// whose names change must end first.
    ///
    /// - Returns: The place of its group.
    mutating func setReported(_ scene: Int32, _ reading: Reading, in names: GroupNames, at now: Int64)
        -> Int32
    {
        let index = Int(scene)
        let (old, new) = (scenes[index].reportedPhase, capped(reading))
        if old == nil { scenes[index].place = groups.place(of: reading.group, in: names) }
        let (place, facts) = (scenes[index].place, scenes[index].facts)
        groups[groups[place].application].replace(old, with: new, facts)
        groups[place].replace(old, with: new, facts)
        scenes[index].reported = reading
        scenes[index].reportedPhase = new
        if old != new { scenes[index].since = now }
        if old == .active || new == .active { scenes[index].lastActive = now }
        return place
    }

    /// Returns the phase to report for a reading: at most `cap`.
    func capped(_ reading: Reading) -> ScenePhase? { reading.phase.map { min($0, cap) } }

    /// Schedules the index of a scene to be freed before the next update, if the scene is then neither read nor
    /// reported.
    mutating func endIfGone(_ scene: Int32) {
        let row = scenes[Int(scene)]
        if row.read.phase == nil && row.reported.phase == nil { ended.append(scene) }
    }

    /// Forgets all pending changes.
    mutating func dropPending() {
        for index in scenes.indices { (scenes[index].pending, scenes[index].restored) = (nil, nil) }
    }

    /// Clears the lists of changes and frees the ended scenes, before an update.
    mutating func freeEnded() {
        changed.empty()
        refreshed.empty()
        retitled.empty()
        groups.freeEnded()
        if ended.isEmpty { return }
        for scene in ended where isUsed[Int(scene)] {
            let row = scenes[Int(scene)]
            guard row.read.phase == nil && row.reported.phase == nil else { continue }
            if sceneOfSlot[Int(row.slot)] == scene { sceneOfSlot[Int(row.slot)] = -1 }
            isUsed[Int(scene)] = false
            texts[Int(scene)] = SceneText()
            free.append(scene)
        }
        ended = []
    }
}

extension Array {
    /// Removes all elements. Keeps a small capacity for the next change.
    @inlinable @inline(__always)
    package mutating func empty() {
        if isEmpty { return }
        // Removing a few elements one by one costs less than the general method.
        if count <= 4 { while !isEmpty { removeLast() } } else { removeAll(keepingCapacity: capacity <= 64) }
    }
}
