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
            if windows.facts[slot].id == scenes[index].window {
                scenes[index].take(evaluations[slot], windows)
                // Whoever remains is new.
                evaluations[slot].phase = nil
            } else {
                scenes[index].take(Evaluation(), windows)
            }
        }
        for slot in evaluations.indices where evaluations[slot].phase != nil {
            var scene = TrackedScene(windows.facts[slot].id, slot: slot)
            scene.take(evaluations[slot], windows)
            scenes.append(scene)
        }
    }

    /// Sets the reported judgement of a scene that enters another phase. A scene whose names change must end first.
    mutating func setReported(_ scene: Int, _ judgement: Judgement, at now: Int64) {
        guard let phase = capped(judgement) else {
            scenes[scene].reported = nil
            return
        }
        let group = scenes[scene].reported?.group ?? groups.index(of: judgement.group)
        scenes[scene].reported = TrackedScene.Reported(
            judgement: judgement, phase: phase, since: now, group: group)
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

/// The reported scenes of some groups and applications.
struct Members {
    /// The index in `lists`, by the index in `GroupTable`; -1 for groups that were not asked for.
    private var positions: [Int]
    private var lists: [[Int]] = []

    init(of groups: [Int], in table: SceneTable) {
        positions = Array(repeating: -1, count: table.groups.count)
        for group in groups where positions[group] < 0 {
            positions[group] = lists.count
            lists.append([])
        }
        // Scenes are not copied: this runs for all of them at each change.
        for scene in table.scenes.indices {
            guard let group = table.scenes[scene].reported?.group else { continue }
            add(scene, to: group)
            add(scene, to: table.groups[group].application)
        }
    }

    private mutating func add(_ scene: Int, to group: Int) {
        if positions[group] >= 0 { lists[positions[group]].append(scene) }
    }

    subscript(group: Int) -> [Int] { positions[group] < 0 ? [] : lists[positions[group]] }
}

/// Adds up groups and applications.
extension SceneTable {
    /// Returns the greatest phase of reported scenes; nil if there are none.
    func phase(of members: [Int]) -> ScenePhase? {
        var greatest: ScenePhase?
        for scene in members {
            guard let phase = scenes[scene].reported?.phase else { continue }
            greatest = max(greatest ?? phase, phase)
        }
        return greatest
    }

    /// Returns a reported scene as a change that leaves it in its phase.
    func change(of scene: Int, _ kind: Change.Kind, _ cause: Cause, held: Duration?) -> Change {
        let name = scenes[scene].reported.judgement.group
        let phase = scenes[scene].reported?.phase
        return Change(
            kind: kind, application: name.application, group: name.group,
            subject: .scene(scenes[scene].facts), from: phase, to: phase, cause: cause, held: held)
    }

    /// Returns a group or an application with the totals of its scenes, as a change that leaves it in its phase. A subject
    /// without scenes has the facts of those that left it, which are named with their groups.
    func change(
        of group: Int, _ members: [Int], ended: [Int] = [], _ formerGroups: [String?] = []
    ) -> Change {
        let id = groups[group].id
        let sources = members.isEmpty ? ended : members
        var counts = Change.Counts()
        for scene in members {
            switch scenes[scene].reported?.phase {
            case .active?: counts.active += 1
            case .inactive?: counts.inactive += 1
            case .background?: counts.background += 1
            case nil: break
            }
        }
        let names =
            members.map { scenes[$0].reported.judgement.group.group } + formerGroups.compactMap(\.self)
        let totals = Change.Members(
            counts: counts, pids: sources.compactMap { scenes[$0].facts.pid }.ascending,
            groups: names.ascending,
            desktops: sources.compactMap { scenes[$0].facts.desktop }.ascending,
            processes: sources.compactMap { scenes[$0].facts.process }.ascending)
        return Change(
            kind: .facts, application: id.application, group: id.group,
            subject: id.group == nil ? .application(totals) : .group(totals), from: groups[group].reported,
            to: groups[group].reported, cause: .desktop)
    }
}

extension Array where Element: Comparable {
    /// The distinct elements, ascending.
    fileprivate var ascending: [Element] {
        if count < 2 { return self }
        return sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
