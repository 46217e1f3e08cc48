/// Turns steps of scenes that belong together into changes of scenes, groups and applications.
struct Report {
    private struct Step {
        let scene: Int
        let window: WindowID
        /// The place of its group.
        let place: Int
        let application: Int
        let line: Change

        var isFall: Bool { line.isFall }

        /// The order of steps: falls before rises, then by application, group and window.
        var rank: (Int, Int, Int, WindowID) { (isFall ? 0 : 1, application, place, window) }
    }

    private var steps: [Step] = []
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
        let (old, from) = (table[scene].reported, table[scene].reportedPhase)
        let held = from.map { _ in Duration.nanoseconds(now - table[scene].since) }
        table.setReported(scene, reading, at: now)
        let name = reading.phase == nil ? old.group : reading.group
        var line = Change(
            kind: kind, application: name.application, group: name.group,
            subject: .scene(table[scene].facts), cause: cause, held: held)
        line.setPhases(from, table[scene].reportedPhase, appearing: kind)
        let place = table[scene].place
        steps.append(
            Step(
                scene: scene, window: table[scene].window, place: place,
                application: table.groups[place].application, line: line))
    }

    /// Returns the changes: the scenes of a group, then the group, and after all its groups the application. All falls
    /// come before all rises.
    consuming func changes(of table: inout SceneTable) -> [Change] {
        steps.sort { $0.rank < $1.rank }
        var stepsOf: [Int: [Step]] = [:]
        for step in steps {
            stepsOf[step.place, default: []].append(step)
            stepsOf[step.application, default: []].append(step)
        }
        let members = table.members(of: Set(stepsOf.keys))
        var changes: [Change] = []
        for (index, step) in steps.enumerated() {
            changes.append(step.line)
            let next = index + 1 < steps.count ? steps[index + 1] : nil
            for place in [step.place, step.application] {
                if let next, next.isFall == step.isFall, next.place == place || next.application == place {
                    continue
                }
                changes += lines(
                    of: place, members[place] ?? [], stepsOf[place] ?? [], isFall: step.isFall, table)
            }
        }
        for step in steps {
            for place in [step.application, step.place] {
                table.groups.setReported(place, table.phase(of: members[place]), at: now)
            }
            table[step.scene].noteTitle(in: step.line)
        }
        return changes
    }

    /// Returns the changes of a group or application, if its phase changes in this direction.
    private func lines(
        of place: Int, _ members: [Int], _ steps: [Step], isFall: Bool, _ table: borrowing SceneTable
    ) -> [Change] {
        let (from, to) = (table.groups[place].reported, table.phase(of: members))
        var line = table.change(of: place, members, ended: steps.map(\.line))
        line.setPhases(from, to, appearing: kind)
        guard from != to, line.isFall == isFall else { return [] }
        // The scene that determined the old phase, or that determines the new one.
        let run = steps.lazy.filter { $0.isFall == isFall }.map(\.line)
        let decisive = run.first { isFall && from != nil ? $0.from == from : $0.to == to } ?? run.last
        line.cause = decisive?.cause ?? .resync
        if from != nil { line.held = .nanoseconds(now - table.groups[place].since) }
        // An application that ends passes through the background, so cleanup for that phase also runs at the end. An
        // application whose scenes were only renamed does not end.
        guard let from, to == nil, line.level == .application, line.cause != .regroup, from != .background
        else { return [line] }
        var end = line
        line.setPhases(from, .background, appearing: kind)
        (end.from, end.held) = (.background, .zero)
        return [line, end]
    }
}

extension Change {
    /// Whether the phase falls. What closes falls, what opens rises.
    fileprivate var isFall: Bool {
        guard let to else { return true }
        return from.map { to < $0 } ?? false
    }

    fileprivate mutating func setPhases(_ from: ScenePhase?, _ to: ScenePhase?, appearing kind: Kind) {
        (self.kind, self.from, self.to) = (from == nil ? kind : to == nil ? .closed : .phase, from, to)
    }
}

extension SceneTable {
    /// Returns the reported scenes of groups and applications, by place.
    func members(of places: Set<Int>) -> [Int: [Int]] {
        var members: [Int: [Int]] = [:]
        var isWanted = Array(repeating: false, count: groups.count)
        for place in places { isWanted[place] = true }
        // Scenes are not copied: this runs for all of them at each change.
        for index in scenes.indices where scenes[index].reportedPhase != nil {
            let place = scenes[index].place
            if isWanted[place] { members[place, default: []].append(index) }
            let application = groups[place].application
            if isWanted[application] { members[application, default: []].append(index) }
        }
        return members
    }

    /// Returns the greatest phase of reported scenes; nil if there are none.
    func phase(of members: [Int]?) -> ScenePhase? {
        members?.lazy.compactMap { scenes[$0].reportedPhase }.max()
    }

    /// Returns a reported scene as a change that leaves it in its phase.
    func change(of scene: Int, _ kind: Change.Kind, _ cause: Cause, held: Duration?) -> Change {
        let (name, phase) = (self[scene].reported.group, self[scene].reportedPhase)
        return Change(
            kind: kind, application: name.application, group: name.group,
            subject: .scene(self[scene].facts), from: phase, to: phase, cause: cause, held: held)
    }

    /// Returns a group or an application with the totals of its scenes, as a change that leaves it in its phase. A subject
    /// without scenes has the facts of those that left it.
    func change(of place: Int, _ members: [Int], ended: [Change] = []) -> Change {
        let id = groups[place].id
        let totals = Change.Members(
            of: members.isEmpty ? ended.compactMap(\.scene) : members.map { scenes[$0].facts },
            phases: members.compactMap { scenes[$0].reportedPhase },
            groups: members.map { scenes[$0].reported.group.group } + ended.compactMap(\.group))
        return Change(
            kind: .facts, application: id.application, group: id.group,
            subject: id.group == nil ? .application(totals) : .group(totals), from: groups[place].reported,
            to: groups[place].reported, cause: .desktop)
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
