/// The scenes, their groups and applications. A scene keeps its index until the update after its end was reported. A
/// copy is what a reader knows that fell behind.
package struct SceneTable: Sendable {
    var scenes: [TrackedScene] = []
    var groups = GroupTable()
    /// The reported limits on the phase of every scene.
    var limits: Set<SessionLimit> = []

    /// The reported scenes, in the order of their windows.
    var reported: [Int] { sorted(scenes.indices.filter { scenes[$0].reported != nil }) }

    /// The scenes whose judgement differs from the reported one.
    var differing: [Int] {
        sorted(scenes.indices.filter { scenes[$0].judged != scenes[$0].reported.judgement })
    }

    /// Returns scenes in the order of their windows.
    func sorted(_ scenes: [Int]) -> [Int] {
        if scenes.count < 2 { return scenes }
        // Neither the table nor a scene is copied for each comparison.
        let all = self.scenes
        return scenes.sorted { all[$0].facts.id < all[$1].facts.id }
    }

    /// Returns whether the facts of a scene are those of its window.
    func hasFacts(_ scene: Int, of windows: WindowTable, _ tabs: Tabs) -> Bool {
        let slot = scenes[scene].slot
        return scenes[scene].text === windows.texts[slot]
            && scenes[scene].facts.pid == windows.facts[slot].pid
            && scenes[scene].facts.desktop == windows.facts[slot].reportedDesktop
            && scenes[scene].facts.extent == windows.extent(slot, among: tabs)
    }

    mutating func take(_ rule: Rule) {
        let windows = rule.desktop.windows
        var evaluations = rule.evaluations
        for index in scenes.indices {
            let slot = scenes[index].slot
            if windows.facts[slot].id == scenes[index].window && !windows.facts[slot].isGone {
                scenes[index].take(evaluations[slot], windows.groups[slot])
                // Whoever remains is new.
                evaluations[slot].phase = nil
            } else {
                scenes[index].take(Evaluation(), .unknown)
            }
        }
        for slot in evaluations.indices where evaluations[slot].phase != nil {
            var scene = TrackedScene(windows.facts[slot].id, slot: slot)
            scene.take(evaluations[slot], windows.groups[slot])
            scenes.append(scene)
        }
    }

    /// Sets the reported judgement of a scene. A scene whose names change must end first.
    mutating func setReported(_ scene: Int, _ judgement: Judgement, at now: Int64) {
        let old = scenes[scene].reported
        let phase = capped(judgement)
        guard let phase else {
            scenes[scene].reported = nil
            return
        }
        let since = old?.phase == phase ? old?.since : nil
        let group = old?.group ?? groups.index(of: judgement.group)
        scenes[scene].reported = TrackedScene.Reported(
            judgement: judgement, phase: phase, since: since ?? now, group: group)
    }

    /// Returns the phase to report for a judgement: at most the one that the limits allow.
    func capped(_ judgement: Judgement) -> ScenePhase? { judgement.phase.map { min($0, limits.cap) } }

    mutating func dropPending() {
        for index in scenes.indices { scenes[index].forgetPending() }
    }

    /// Removes the scenes that have ended, in their judgement and in the report, before an update.
    mutating func freeEnded() {
        for index in scenes.indices { scenes[index].hasChanged = false }
        let hasEnded = scenes.indices.contains {
            scenes[$0].judged.phase == nil && scenes[$0].reported == nil
        }
        if hasEnded { scenes.removeAll { $0.judged.phase == nil && $0.reported == nil } }
    }
}
