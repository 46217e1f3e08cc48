/// Turns steps of scenes that belong together into changes of scenes, groups and applications.
struct Report {
    /// A step of one scene, without references: a focus move takes one of the scene, its group and its application.
    private struct Step {
        let scene: Int
        let window: WindowID
        /// The place of its group, and that of its application.
        let place, application: Int
        let from, to: ScenePhase?
        let cause: Cause
        /// The time spent in `from`, in nanoseconds.
        let held: Int64

        var isFall: Bool { Change.isFall(from: from, to: to) }

        func isOf(_ place: Int) -> Bool { self.place == place || application == place }

        /// The order of steps: falls before rises, then by application, group and window.
        var rank: (Int, Int, Int, WindowID) { (isFall ? 0 : 1, application, place, window) }
    }

    private var steps: [Step] = []
    /// The steps of the scenes that end.
    private var ends: [Step] = []
    /// The kind of a subject that appears: `opened` or `initial`.
    private let kind: Change.Kind
    private let now: Int64

    init(_ kind: Change.Kind = .opened, at now: Int64) {
        (self.kind, self.now) = (kind, now)
    }

    /// Commits the reading of a scene: as one step, or as a close and an open if its names changed.
    mutating func add(_ scene: Int, _ occasion: Occasion, in table: inout SceneTable) {
        let (old, new) = (table[scene].reported, table[scene].read)
        if old == new { return }
        if old.phase != nil, table[scene].reportedPhase == table.capped(new), old.group == new.group {
            // Hidden for another reason, or limited by the cap: nothing to report.
            table[scene].reported = new
            return
        }
        let cause = occasion.cause(Cause(from: old, to: new))
        // A scene with other names is another scene.
        let isRenamed = old.phase != nil && new.phase != nil && old.group != new.group
        if isRenamed { add(scene, .none, cause, in: &table) }
        add(scene, new, cause, in: &table)
    }

    mutating func add(cap: ScenePhase, _ cause: Cause, in table: inout SceneTable) {
        table.cap = cap
        for scene in table.scenes.indices {
            let reported = table[scene].reported
            if table.capped(reported) != table[scene].reportedPhase {
                add(scene, reported, cause, in: &table)
            }
        }
    }

    /// Commits a given reading of a scene.
    mutating func add(_ scene: Int, _ reading: Reading, _ cause: Cause, in table: inout SceneTable) {
        let from = table[scene].reportedPhase
        let held = now - table[scene].since
        table.setReported(scene, reading, at: now)
        let place = table[scene].place
        steps.append(
            Step(
                scene: scene, window: table[scene].window, place: place,
                application: table.groups[place].application, from: from, to: table[scene].reportedPhase,
                cause: cause, held: held))
    }

    /// Passes on the changes: the scenes of a group, then the group, and after all its groups the application. All falls
    /// come before all rises.
    consuming func write(from table: inout SceneTable, _ take: (Change) -> Void) {
        steps.sort { $0.rank < $1.rank }
        ends = steps.filter { $0.to == nil }
        let members = table.members(of: steps.map(\.place) + steps.map(\.application))
        // The first of the steps of the same group or application in the same direction.
        var (groupStart, applicationStart) = (0, 0)
        for (index, step) in steps.enumerated() {
            take(change(of: step, table))
            let later = index + 1 < steps.count ? steps[index + 1] : nil
            let next = later?.isFall == step.isFall ? later : nil
            if next?.place != step.place {
                write(step.place, members, steps[groupStart...index], table, take)
                groupStart = index + 1
            }
            if next?.application != step.application {
                write(step.application, members, steps[applicationStart...index], table, take)
                applicationStart = index + 1
            }
        }
        for step in steps {
            for place in [step.application, step.place] {
                table.groups.setReported(place, table.phase(of: members[place]), at: now)
            }
            table[step.scene].noteTitle(from: step.from, to: step.to)
        }
    }

    /// Returns the changes in their order.
    consuming func changes(of table: inout SceneTable) -> [Change] {
        var changes: [Change] = []
        write(from: &table) { changes.append($0) }
        return changes
    }

    private func change(of step: Step, _ table: borrowing SceneTable) -> Change {
        let name = table.groups[step.place].id
        return Change(
            kind: kind(step.from, step.to), application: name.application, group: name.group,
            subject: .scene(table.scenes[step.scene].facts), from: step.from, to: step.to, cause: step.cause,
            held: step.from.map { _ in .nanoseconds(step.held) })
    }

    private func kind(_ from: ScenePhase?, _ to: ScenePhase?) -> Change.Kind {
        from == nil ? kind : to == nil ? .closed : .phase
    }

    /// Passes on the changes of a group or application, if its phase changes in the direction of these steps.
    private func write(
        _ place: Int, _ members: Members, _ run: ArraySlice<Step>, _ table: borrowing SceneTable,
        _ take: (Change) -> Void
    ) {
        let (from, to) = (table.groups[place].reported, table.phase(of: members[place]))
        let isFall = Change.isFall(from: from, to: to)
        guard from != to, run.first?.isFall == isFall else { return }
        let ended = ends.filter { $0.isOf(place) }
        // The scene that determined the old phase, or that determines the new one.
        let decisive = run.first { isFall && from != nil ? $0.from == from : $0.to == to } ?? run.last
        var change = table.change(
            of: place, members[place], ended: ended.map(\.scene),
            ended.map { table.groups[$0.place].id.group })
        change.kind = kind(from, to)
        change.from = from
        change.to = to
        change.cause = decisive?.cause ?? .resync
        if from != nil { change.held = .nanoseconds(now - table.groups[place].since) }
        // An application that ends passes through the background, so cleanup for that phase also runs at the end. An
        // application whose scenes were only renamed does not end.
        guard let from, to == nil, change.level == .application, change.cause != .regroup, from != .background
        else { return take(change) }
        var end = change
        change.kind = .phase
        change.to = .background
        (end.from, end.held) = (.background, .zero)
        take(change)
        take(end)
    }
}

/// The reported scenes of some groups and applications.
struct Members {
    /// The index in `lists`, by place; -1 for places that were not asked for.
    private var indices: [Int]
    private var lists: [[Int]] = []

    fileprivate init(of places: [Int], in table: SceneTable) {
        indices = Array(repeating: -1, count: table.groups.count)
        for place in places where indices[place] < 0 {
            indices[place] = lists.count
            lists.append([])
        }
        // Scenes are not copied: this runs for all of them at each change.
        for index in table.scenes.indices where table.scenes[index].reportedPhase != nil {
            let place = table.scenes[index].place
            add(index, to: place)
            add(index, to: table.groups[place].application)
        }
    }

    private mutating func add(_ scene: Int, to place: Int) {
        if indices[place] >= 0 { lists[indices[place]].append(scene) }
    }

    subscript(place: Int) -> [Int] { indices[place] < 0 ? [] : lists[indices[place]] }
}

extension Change {
    /// Whether the phase falls. What closes falls, what opens rises.
    fileprivate static func isFall(from: ScenePhase?, to: ScenePhase?) -> Bool {
        guard let to else { return true }
        return from.map { to < $0 } ?? false
    }
}

extension SceneTable {
    func members(of places: [Int]) -> Members { Members(of: places, in: self) }

    /// Returns the greatest phase of reported scenes; nil if there are none.
    func phase(of members: [Int]) -> ScenePhase? {
        members.lazy.compactMap { scenes[$0].reportedPhase }.max()
    }

    /// Returns a reported scene as a change that leaves it in its phase.
    func change(of scene: Int, _ kind: Change.Kind, _ cause: Cause, held: Duration?) -> Change {
        let (name, phase) = (self[scene].reported.group, self[scene].reportedPhase)
        return Change(
            kind: kind, application: name.application, group: name.group,
            subject: .scene(self[scene].facts), from: phase, to: phase, cause: cause, held: held)
    }

    /// Returns a group or an application with the totals of its scenes, as a change that leaves it in its phase. A subject
    /// without scenes has the facts of those that left it, which are named with their groups.
    func change(
        of place: Int, _ members: [Int], ended: [Int] = [], _ formerGroups: [String?] = []
    ) -> Change {
        let id = groups[place].id
        let sources = members.isEmpty ? ended : members
        func count(_ phase: ScenePhase) -> Int { members.count { scenes[$0].reportedPhase == phase } }
        let names = members.map { scenes[$0].reported.group.group } + formerGroups.compactMap(\.self)
        let totals = Change.Members(
            counts: Change.Counts(
                active: count(.active), inactive: count(.inactive), background: count(.background)),
            pids: sources.compactMap { scenes[$0].facts.pid }.ascending, groups: names.ascending,
            desktops: sources.compactMap { scenes[$0].facts.desktop }.ascending,
            processes: sources.compactMap { scenes[$0].facts.process }.ascending)
        return Change(
            kind: .facts, application: id.application, group: id.group,
            subject: id.group == nil ? .application(totals) : .group(totals), from: groups[place].reported,
            to: groups[place].reported, cause: .desktop)
    }
}

extension Array where Element: Comparable {
    /// The distinct elements, ascending.
    fileprivate var ascending: [Element] {
        if count < 2 { return self }
        return sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}

extension Change {
    /// This change, or two changes through inactive if it leads from active to background or back.
    var steps: [Change] {
        guard from == .active && to == .background || from == .background && to == .active else {
            return [self]
        }
        var (first, second) = (self, self)
        first.to = .inactive
        second.from = .inactive
        second.held = .zero
        return [first, second]
    }
}

/// The occasion of a commit, which may determine the cause of a change better than the two readings.
enum Occasion: Sendable {
    case start
    /// A change on the display.
    case change
    /// New options, under which covers no longer count: no window has uncovered the covered scenes.
    case uncovering
    case takeover

    func cause(_ cause: Cause) -> Cause {
        switch self {
        case .start: .start
        case .change: cause
        case .uncovering: cause == .uncovered ? .resync : cause
        case .takeover: cause == .open || cause == .close || cause == .regroup ? cause : .windowManager
        }
    }
}
