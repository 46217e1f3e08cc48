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
