/// One scene: what is read of it now, and what was reported of it last.
struct Scene: Sendable {
    let window: WindowID
    /// The slot of its window, which another window may have by now.
    let slot: Int32
    /// The rule's result now, with a cover at once.
    var evaluated = Reading.none
    /// `seen`, with a cover only after the occlusion delay; `Settler` compares it with `reported`.
    var read = Reading.none
    /// The committed reading, before the session's cap.
    var reported = Reading.none
    /// The phase in the last line: that of `reported`, or `SceneTable.cap` if less.
    var reportedPhase: ScenePhase?
    /// When it came into the phase that was reported.
    var since: Int64 = 0
    /// When it became active, or ceased to be; 0 before.
    var lastActive: Int64 = 0
    /// The index of its reported group in `GroupTable`; -1 before the first line.
    var place: Int32 = -1
    var facts = ImmediateFacts()
    var pending: Pending?
    /// When other windows came to cover it, as long as that does not count yet.
    var coveredSince: Int64?
    /// When a pending change that was more than a focus step went back. A focus step soon after has no shorter delay: a
    /// window that is unmapped and mapped again may lose the focus for a moment.
    var restored: Int64?
}

/// Facts of a scene that need not settle, and that its group and its application add up.
struct ImmediateFacts: Hashable, Sendable {
    /// 0 for no process.
    var pid: Int32 = 0
    /// -1 for all of them.
    var desktop: Int?
    /// What the process executes, where that is read.
    var process: String?
}

/// Facts of a scene that need not settle, and that nothing adds up. They are beside `Scene`, which is copied often.
struct SceneText: Sendable {
    var title: String?
    /// WM_WINDOW_ROLE.
    var role: String?
    var monitor: String?
    var desktopName: String?
    var extent = Change.Extent.window
}

/// The scenes, each at an index of its own until its end was reported, and what they add up to.
struct SceneTable: Sendable {
    private(set) var scenes: [Scene] = []
    private(set) var texts: [SceneText] = []
    var groups = GroupTable()
    /// The scenes that are read differently than at the last update; the memory is used again.
    var changed: [Int32] = []
    /// Those whose process, desktop or role is new since then, which by itself is no line, and those whose title is.
    private(set) var refreshed: [Int32] = []
    private(set) var retitled: [Int32] = []
    /// The greatest phase that any scene may have, whatever it is by itself.
    var cap = ScenePhase.active
    private var free: [Int32] = []
    /// Scenes that were reported to be gone; they keep their index until their last line is written.
    private var ended: [Int32] = []
    private var isUsed: [Bool] = []

    subscript(scene: Int32) -> Scene {
        _read { yield scenes[Int(scene)] }
        _modify { yield &scenes[Int(scene)] }
    }

    /// The scenes that are read or reported, in no order.
    var indices: some Sequence<Int32> {
        (0..<Int32(scenes.count)).lazy.filter { [isUsed] in isUsed[Int($0)] }
    }

    mutating func add(_ window: WindowID, slot: Int) -> Int32 {
        let scene = Scene(window: window, slot: Int32(slot))
        guard let index = free.popLast() else {
            scenes.append(scene)
            texts.append(SceneText())
            isUsed.append(true)
            return Int32(scenes.count - 1)
        }
        scenes[Int(index)] = scene
        isUsed[Int(index)] = true
        return index
    }

    /// Copies the facts of a scene that need not settle: title, role, process and desktop.
    mutating func copyFacts(of scene: Int32, from windows: WindowTable) {
        let index = Int(scene)
        let slot = Int(scenes[index].slot)
        let isReported = scenes[index].reportedPhase != nil
        // Field by field, without copies: it is asked with each change.
        let isRetitled = windows.texts[slot].title != texts[index].title
        let isElsewhere =
            windows.texts[slot].monitor != texts[index].monitor
            || windows.texts[slot].desktopName != texts[index].desktopName
        let isOther =
            isElsewhere || windows.texts[slot].role != texts[index].role
            || windows.extent(slot) != texts[index].extent
        // Batches share the texts, which a write would copy.
        if isRetitled || isOther { texts[index] = windows.sceneText(slot) }
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

    /// Takes a reading as what is reported. What it adds up to is not reported yet. A scene that gets other names must end before.
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

    /// The phase to tell for a reading: at most `cap`.
    func capped(_ reading: Reading) -> ScenePhase? { reading.phase.map { min($0, cap) } }

    /// Has the index of a scene freed before the next update, if by then it is neither read nor reported.
    mutating func endIfGone(_ scene: Int32) {
        let row = scenes[Int(scene)]
        if row.read.phase == nil && row.reported.phase == nil { ended.append(scene) }
    }

    /// Frees what ended, before an update.
    ///
    /// - Parameter forget: Called with each scene that is freed.
    mutating func freeEnded(_ forget: (Scene, Int32) -> Void) {
        changed.empty()
        refreshed.empty()
        retitled.empty()
        groups.freeEnded()
        if ended.isEmpty { return }
        for scene in ended where isUsed[Int(scene)] {
            let row = scenes[Int(scene)]
            guard row.read.phase == nil && row.reported.phase == nil else { continue }
            forget(row, scene)
            isUsed[Int(scene)] = false
            texts[Int(scene)] = SceneText()
            free.append(scene)
        }
        ended = []
    }
}

extension Array {
    /// Removes all elements. The memory of few is used again with the next change.
    @inlinable @inline(__always)
    package mutating func empty() {
        if isEmpty { return }
        // One by one costs less than what is general.
        if count <= 4 { while !isEmpty { removeLast() } } else { removeAll(keepingCapacity: capacity <= 64) }
    }
}
