/// Determines when pending changes are due: changes that one action of the user caused settle together.
///
/// Times are nanoseconds since an arbitrary fixed moment.
struct Settler: Sendable {
    /// Changes that settle together.
    struct Batch {
        var scenes: [Int32]
        var due: Int64
    }

    /// What is known of the pending changes besides their readings.
    struct Circumstances {
        /// Whether the focus is known to be about to move to another window.
        let awaitsFocus: Bool
        /// The scenes whose changes need not settle.
        let conclusive: Set<Int32>
    }

    let delays: Delays
    /// Whether the active phase follows the focus: one window becomes active when another ceases to be.
    let couplesFocus: Bool

    /// Compares the reading of a scene with the reported one.
    func compare(_ scene: inout Scene, at now: Int64) {
        guard scene.reported != scene.read else {
            if scene.pending != nil && !scene.isFocusOnly { scene.restored = now }
            if scene.read.phase == nil { scene.restored = nil }
            scene.pending = nil
            return
        }
        let isRestless = scene.restored.map { now - $0 < delays.settle } ?? false
        let isFocusStep = scene.reported.differsInFocusOnly(from: scene.read) && !isRestless
        if scene.pending == nil {
            scene.isFocusOnly = isFocusStep
        } else if scene.pending?.value != scene.read && !isFocusStep {
            scene.isFocusOnly = false
        }
        Pending.note(scene.read, in: &scene.pending, at: now)
    }

    /// Groups pending changes into batches.
    ///
    /// All scenes that gain or lose the focus belong together, so a rising window waits for the one that it replaces.
    /// All scenes of one application belong together, so the application does not leave its phase for a moment.
    func batches(
        of pending: [Int32], in table: SceneTable, _ windows: WindowTable, _ circumstances: Circumstances
    ) -> [Batch] {
        var batches: [Batch] = []
        let conclusive = pending.filter(circumstances.conclusive.contains)
        if !conclusive.isEmpty { batches.append(Batch(scenes: conclusive, due: 0)) }
        let others = pending.filter { !circumstances.conclusive.contains($0) }
        let focus = others.filter { couplesFocus && table.movesFocus($0) }
        var sets = others.filter { !couplesFocus || !table.movesFocus($0) }.map { [$0] }
        if let due = dueAsFocusMove(focus, in: table) {
            batches.append(Batch(scenes: focus, due: due))
        } else if !focus.isEmpty {
            sets.insert(focus, at: 0)
        }
        let rest = table.merged(sets, windows.names).map { scenes in
            Batch(scenes: scenes, due: due(scenes, in: table, windows, circumstances.awaitsFocus))
        }
        return batches + merged(rest)
    }

    /// Returns when changes are due that only move the focus from one window to another; nil for any other changes.
    func dueAsFocusMove(_ scenes: [Int32], in table: SceneTable) -> Int64? {
        guard couplesFocus else { return nil }
        var (rises, falls) = (false, false)
        var (lastChange, firstSign) = (Int64.min, Int64.max)
        for scene in scenes {
            guard let change = table[scene].pending, table[scene].isFocusOnly else { return nil }
            if change.value.phase == .active { rises = true } else { falls = true }
            lastChange = max(lastChange, change.changed)
            firstSign = min(firstSign, change.firstSign)
        }
        return rises && falls ? min(lastChange + delays.focusMove, firstSign + delays.latest) : nil
    }

    /// Returns when the changes of related applications are due.
    private func due(_ scenes: [Int32], in table: SceneTable, _ windows: WindowTable, _ awaitsFocus: Bool)
        -> Int64
    {
        let changes = scenes.compactMap { table[$0].pending }
        let latest = (changes.lazy.map(\.firstSign).min() ?? 0) + delays.latest
        // The focus was lost, and no window has taken it yet.
        let isBlur =
            scenes.contains { table[$0].isFocusOnly } && !changes.contains { $0.value.phase == .active }
        // While a window is being restored, it may be hidden for several reasons in turn, of which the first one
        // counts: openbox moves an iconified window in from below the screen.
        let isSilent = scenes.allSatisfy { table[$0].reported.staysHidden(in: table[$0].read) }
        let waits =
            isSilent || awaitsFocus && isBlur || scenes.contains { table.opensUnfinished($0, windows) }
        return waits ? latest : min((changes.lazy.map(\.changed).max() ?? 0) + delays.settle, latest)
    }

    /// Merges batches that are due at nearly the same time. One action of the user may cause several, a few
    /// milliseconds apart, and their changes can be ordered only together.
    private func merged(_ batches: [Batch]) -> [Batch] {
        var merged: [Batch] = []
        var first: Int64 = 0
        for batch in batches.sorted(by: { $0.due < $1.due }) {
            if merged.isEmpty || batch.due > first + delays.batch {
                first = batch.due
                merged.append(batch)
            } else {
                merged[merged.count - 1].scenes += batch.scenes
                merged[merged.count - 1].due = batch.due
            }
        }
        return merged
    }
}

extension SceneTable {
    /// The scenes with a pending change.
    var pending: [Int32] { scenes.indices.lazy.filter { scenes[$0].pending != nil }.map(Int32.init) }

    /// Merges sets of scenes that belong together if a change of both leaves or enters the same application.
    fileprivate func merged(_ sets: [[Int32]], _ names: GroupNames) -> [[Int32]] {
        var merged: [[Int32]] = []
        var places: [GroupName: Int] = [:]
        for scenes in sets {
            let involved = scenes.flatMap { applications(of: $0, names) }
            let known = Set(involved.compactMap { places[$0] })
            let place = known.min() ?? merged.count
            if place == merged.count { merged.append([]) }
            for other in known where other != place {
                merged[place] += merged[other]
                merged[other] = []
                for (name, former) in places where former == other { places[name] = place }
            }
            for name in involved { places[name] = place }
            merged[place] += scenes
        }
        return merged.filter { !$0.isEmpty }
    }

    fileprivate func movesFocus(_ scene: Int32) -> Bool {
        self[scene].reported.phase == .active || self[scene].read.phase == .active
    }

    /// Returns whether a scene opens in a temporary state. In GNOME Shell's overview, a window is listed up to 0.4 s
    /// before it is mapped, with the state Normal; a window that starts iconic does not have this state.
    fileprivate func opensUnfinished(_ scene: Int32, _ windows: WindowTable) -> Bool {
        self[scene].reported.phase == nil && self[scene].read.hiding == .unmapped
            && windows.facts[Int(self[scene].slot)].state == .normal
    }

    /// Returns the reported and the current application of a scene.
    private func applications(of scene: Int32, _ names: GroupNames) -> [GroupName] {
        [self[scene].reported, self[scene].read].filter { $0.phase != nil }.map {
            names.applicationName(of: $0.group)
        }
    }
}
