/// A step of one scene to report.
struct Step: Sendable {
    let scene: Int
    /// The place of its group.
    let place: Int
    let application: Int
    let window: WindowID
    let from: ScenePhase?
    let to: ScenePhase?
    let cause: Cause
    /// The names of its group.
    let name: GroupName
    let held: Int64?

    var isFall: Bool { Step.isFall(from, to) }

    /// Returns whether a step is a fall. A closing scene falls, an opening scene rises.
    static func isFall(_ from: ScenePhase?, _ to: ScenePhase?) -> Bool {
        guard let to else { return true }
        return from.map { to < $0 } ?? false
    }

    /// Returns whether a step is reported before another: falls before rises, then by application, group and window.
    static func isReported(_ step: Step, before other: Step) -> Bool {
        if step.isFall != other.isFall { return step.isFall }
        if step.application != other.application { return step.application < other.application }
        if step.place != other.place { return step.place < other.place }
        return step.window < other.window
    }
}

/// Turns steps of scenes that belong together into changes of scenes, groups and applications.
struct Report {
    private var steps: [Step] = []
    /// The steps and the reported scenes of each group and application, by place.
    private var stepsOf: [Int: [Step]] = [:]
    private var members: [Int: [Int]] = [:]
    let now: Int64

    init(at now: Int64) { self.now = now }

    /// The scenes of the steps, with their phases before and after.
    var scenes: [(scene: Int, from: ScenePhase?, to: ScenePhase?)] {
        steps.map { ($0.scene, $0.from, $0.to) }
    }

    /// Commits the reading of a scene: as one step, or as a close and an open if its names changed.
    mutating func add(_ scene: Int, _ occasion: Occasion, in table: inout SceneTable) {
        let (old, new, since) = (table[scene].reported, table[scene].read, table[scene].since)
        if old == new { return }
        if old.phase != nil, table[scene].reportedPhase == table.capped(new), old.group == new.group {
            // Hidden for another reason, or limited by the cap: nothing to report.
            table[scene].reported = new
            return
        }
        let reason = occasion.cause(Cause(from: old, to: new))
        let held = old.phase.map { _ in now - since }
        // A scene with other names is another scene.
        let isRenamed = old.phase != nil && new.phase != nil && old.group != new.group
        if isRenamed { add(scene, .none, reason, held, in: &table) }
        add(scene, new, reason, isRenamed ? nil : held, in: &table)
    }

    /// Applies another cap to all scenes.
    mutating func add(cap: ScenePhase, _ cause: Cause, in table: inout SceneTable) {
        table.cap = cap
        for scene in table.scenes.indices {
            let (reported, since) = (table[scene].reported, table[scene].since)
            if table.capped(reported) == table[scene].reportedPhase { continue }
            add(scene, reported, cause, now - since, in: &table)
        }
    }

    /// Commits a given reading of a scene.
    mutating func add(
        _ scene: Int, _ reading: Reading, _ cause: Cause, _ held: Int64?, in table: inout SceneTable
    ) {
        let (old, from) = (table[scene].reported, table[scene].reportedPhase)
        table.setReported(scene, reading, at: now)
        let place = table[scene].place
        steps.append(
            Step(
                scene: scene, place: place, application: table.groups[place].application,
                window: table[scene].window, from: from, to: table[scene].reportedPhase, cause: cause,
                name: reading.phase == nil ? old.group : reading.group, held: held))
    }

    /// Returns the changes: the scenes of a group, then the group, and after all its groups the application. All falls
    /// come before all rises.
    ///
    /// - Parameter kind: The kind of a subject that appears: `opened` or `initial`.
    consuming func changes(_ kind: Change.Kind = .opened, of table: inout SceneTable) -> [Change] {
        steps.sort(by: Step.isReported)
        let rises = steps.firstIndex { !$0.isFall } ?? steps.endIndex
        for step in steps {
            stepsOf[step.place, default: []].append(step)
            stepsOf[step.application, default: []].append(step)
        }
        members = table.members(of: Set(stepsOf.keys))
        var changes: [Change] = []
        changes.reserveCapacity(4 * steps.count)
        add(steps[..<rises], isFall: true, kind, table, to: &changes)
        add(steps[rises...], isFall: false, kind, table, to: &changes)
        for step in steps {
            for place in [step.application, step.place] {
                table.groups.setReported(place, table.phase(of: members[place]), at: now)
            }
        }
        return changes
    }

    private func add(
        _ section: ArraySlice<Step>, isFall: Bool, _ kind: Change.Kind, _ table: borrowing SceneTable,
        to changes: inout [Change]
    ) {
        var (group, application) = (section.startIndex, section.startIndex)
        for (index, step) in zip(section.indices, section) {
            changes.append(
                Change(
                    kind: step.from == nil ? kind : step.to == nil ? .closed : .phase,
                    application: step.name.application, group: step.name.group,
                    subject: .scene(table[step.scene].facts), from: step.from, to: step.to,
                    cause: step.cause, held: step.held.map { .nanoseconds($0) }))
            let next = index + 1
            if next == section.endIndex || section[next].place != step.place {
                add(step.place, after: section[group..<next], isFall, kind, table, to: &changes)
                group = next
            }
            if next == section.endIndex || section[next].application != step.application {
                add(
                    step.application, after: section[application..<next], isFall, kind, table, to: &changes)
                application = next
            }
        }
    }

    /// Adds the changes of a group or application, if its phase changes in this direction.
    ///
    /// - Parameter run: The steps of its scenes.
    private func add(
        _ place: Int, after run: ArraySlice<Step>, _ isFall: Bool, _ kind: Change.Kind,
        _ table: borrowing SceneTable, to changes: inout [Change]
    ) {
        let (from, to) = (table.groups[place].reported, table.phase(of: members[place]))
        guard from != to, Step.isFall(from, to) == isFall else { return }
        // The scene that determined the old phase, or that determines the new one.
        let decisive = run.first { isFall && from != nil ? $0.from == from : $0.to == to }
        var line = table.change(of: place, members[place] ?? [], stepsOf[place] ?? [])
        (line.kind, line.from, line.to) = (from == nil ? kind : to == nil ? .closed : .phase, from, to)
        line.cause = (decisive ?? run.last)?.cause ?? .resync
        if from != nil { line.held = .nanoseconds(now - table.groups[place].since) }
        // An application that ends passes through the background, so cleanup for that phase also runs at the end. An
        // application whose scenes were only renamed does not end.
        guard let from, to == nil, line.level == .application, line.cause != .regroup, from != .background
        else { return changes.append(line) }
        (line.kind, line.to) = (.phase, .background)
        changes.append(line)
        (line.kind, line.from, line.to, line.held) = (.closed, .background, nil, .zero)
        changes.append(line)
    }
}

extension SceneTable {
    /// Returns the reported scenes of groups and applications, by place.
    func members(of places: Set<Int>) -> [Int: [Int]] {
        var members: [Int: [Int]] = [:]
        // Scenes are not copied: this runs for all of them at each change.
        for index in scenes.indices where scenes[index].reportedPhase != nil {
            let place = scenes[index].place
            if places.contains(place) { members[place, default: []].append(index) }
            let application = groups[place].application
            if places.contains(application) { members[application, default: []].append(index) }
        }
        return members
    }

    /// Returns the greatest phase of reported scenes; nil if there are none.
    func phase(of members: [Int]?) -> ScenePhase? {
        var phase: ScenePhase?
        for index in members ?? [] {
            phase = max(phase ?? .background, scenes[index].reportedPhase ?? .background)
        }
        return phase
    }

    /// Returns a reported scene as a change that leaves it in its phase.
    func change(
        of scene: Int, _ kind: Change.Kind, _ cause: Cause, held: Duration?
    ) -> Change {
        let (name, phase) = (self[scene].reported.group, self[scene].reportedPhase)
        return Change(
            kind: kind, application: name.application, group: name.group,
            subject: .scene(self[scene].facts), from: phase, to: phase, cause: cause, held: held)
    }

    /// Returns a group or an application with the totals of its scenes, as a change that is still without phases.
    ///
    /// - Parameter ended: The steps of its scenes. A subject without scenes has the facts of those that left it.
    func change(of place: Int, _ members: [Int], _ ended: [Step] = []) -> Change {
        let id = groups[place].id
        let totals = Change.Members(
            of: members.isEmpty ? ended.map { self[$0.scene].facts } : members.map { scenes[$0].facts },
            phases: members.compactMap { scenes[$0].reportedPhase },
            groups: members.map { scenes[$0].reported.group.group } + ended.map(\.name.group))
        return Change(
            kind: .facts, application: id.application, group: id.group,
            subject: id.group == nil ? .application(totals) : .group(totals), cause: .desktop)
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

/// The occasion of a commit, which may determine the cause of a change more precisely than the two readings.
enum Occasion: Sendable {
    case start
    /// A change on the display.
    case change
    /// New options, under which covers no longer count: no window has uncovered the covered scenes.
    case uncovering
    case takeover

    /// - Parameter cause: The cause that follows from the two readings.
    func cause(_ cause: Cause) -> Cause {
        switch self {
        case .start: .start
        case .change: cause
        case .uncovering: cause == .uncovered ? .resync : cause
        case .takeover: cause == .open || cause == .close || cause == .regroup ? cause : .windowManager
        }
    }
}
