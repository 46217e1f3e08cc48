/// Turns transitions of scenes that belong together into changes of scenes, groups and applications.
struct Commit {
    /// A transition of one scene, without references: a focus move takes one of the scene, its group and its application.
    private struct Transition {
        let scene: Int
        let window: WindowID
        /// The indices of its group and of its application in `GroupTable`.
        let group, application: Int
        let from, to: ScenePhase?
        let cause: Cause
        /// The time spent in `from`, in nanoseconds; nil without `from`.
        let held: Int64?

        var isFall: Bool { Change.isFall(from: from, to: to) }

        func isOf(_ subject: Int) -> Bool { group == subject || application == subject }

        /// The order of transitions: falls before rises, then by application, group and window.
        var rank: (Int, Int, Int, WindowID) { (isFall ? 0 : 1, application, group, window) }
    }

    private var transitions: [Transition] = []
    /// The transitions of the scenes that end.
    private var ends: [Transition] = []
    private var changes: [Change] = []
    /// The kind of a subject that appears: `opened` or `initial`.
    private let kind: Change.Kind
    private let now: Int64

    init(_ kind: Change.Kind = .opened, at now: Int64) {
        self.kind = kind
        self.now = now
    }

    /// Commits the judgement of a scene: as one transition, or as a close and an open if its names changed.
    mutating func add(_ scene: Int, _ occasion: Occasion, in table: inout SceneTable) {
        let old = table.scenes[scene].reported.judgement
        let new = table.scenes[scene].judged
        if old == new { return }
        if old.phase != nil, table.scenes[scene].reported?.phase == table.capped(new), old.group == new.group
        {
            // Hidden for another reason, or limited by the session: nothing to report.
            table.scenes[scene].reported?.judgement = new
            return
        }
        let cause = occasion.cause(Cause(from: old, to: new))
        // A scene with other names is another scene.
        let isRenamed = old.phase != nil && new.phase != nil && old.group != new.group
        if isRenamed { add(scene, .none, cause, in: &table) }
        add(scene, new, cause, in: &table)
    }

    /// Applies the limits of the session to all scenes.
    mutating func add(_ limits: Set<SessionLimit>, _ cause: Cause, in table: inout SceneTable) {
        table.limits = limits
        for scene in table.scenes.indices {
            guard let reported = table.scenes[scene].reported else { continue }
            if table.capped(reported.judgement) != reported.phase {
                add(scene, reported.judgement, cause, in: &table)
            }
        }
    }

    /// Commits a given judgement of a scene.
    mutating func add(_ scene: Int, _ judgement: Judgement, _ cause: Cause, in table: inout SceneTable) {
        let old = table.scenes[scene].reported
        table.setReported(scene, judgement, at: now)
        let new = table.scenes[scene].reported
        guard let group = new?.group ?? old?.group else { return }
        transitions.append(
            Transition(
                scene: scene, window: table.scenes[scene].window, group: group,
                application: table.groups[group].application, from: old?.phase, to: new?.phase, cause: cause,
                held: old.map { now - $0.since }))
    }

    /// Returns the changes: the scenes of a group, then the group, and after all its groups the application. All falls come
    /// before all rises.
    consuming func changes(of table: inout SceneTable) -> [Change] {
        transitions.sort { $0.rank < $1.rank }
        ends = transitions.filter { $0.to == nil }
        let members = Members(of: transitions.map(\.group) + transitions.map(\.application), in: table)
        // Each of a scene, its group and its application.
        changes.reserveCapacity(3 * transitions.count)
        // The first of the transitions of the same group or application in the same direction.
        var groupStart = 0
        var applicationStart = 0
        for (index, transition) in transitions.enumerated() {
            add(transition, table)
            let later = index + 1 < transitions.count ? transitions[index + 1] : nil
            let next = later?.isFall == transition.isFall ? later : nil
            if next?.group != transition.group {
                add(transition.group, members, transitions[groupStart...index], table)
                groupStart = index + 1
            }
            if next?.application != transition.application {
                add(transition.application, members, transitions[applicationStart...index], table)
                applicationStart = index + 1
            }
        }
        for transition in transitions {
            for group in [transition.application, transition.group] {
                table.groups.setReported(group, table.phase(of: members[group]), at: now)
            }
            table.scenes[transition.scene].noteTitle(from: transition.from, to: transition.to)
        }
        return changes
    }

    private mutating func add(_ transition: Transition, _ table: borrowing SceneTable) {
        let name = table.groups[transition.group].id
        changes.append(
            Change(
                kind: kind(transition.from, transition.to), application: name.application, group: name.group,
                subject: .scene(table.scenes[transition.scene].facts), from: transition.from,
                to: transition.to, cause: transition.cause, held: transition.held.map { .nanoseconds($0) }))
    }

    private func kind(_ from: ScenePhase?, _ to: ScenePhase?) -> Change.Kind {
        from == nil ? kind : to == nil ? .closed : .phase
    }

    /// Adds the change of a group or application, if its phase changes in the direction of these transitions.
    private mutating func add(
        _ group: Int, _ members: Members, _ run: ArraySlice<Transition>, _ table: borrowing SceneTable
    ) {
        let from = table.groups[group].reported
        let to = table.phase(of: members[group])
        let isFall = Change.isFall(from: from, to: to)
        guard from != to, run.first?.isFall == isFall else { return }
        let ended = ends.filter { $0.isOf(group) }
        // The scene that determined the old phase, or that determines the new one.
        let decisive = run.first { isFall && from != nil ? $0.from == from : $0.to == to } ?? run.last
        var change = table.change(
            of: group, members[group], ended: ended.map(\.scene),
            ended.map { table.groups[$0.group].id.group })
        change.kind = kind(from, to)
        change.from = from
        change.to = to
        change.cause = decisive?.cause ?? .resync
        if from != nil { change.held = .nanoseconds(now - table.groups[group].since) }
        // An application that ends passes through the background, so cleanup for that phase also runs at the end. An
        // application whose scenes were only renamed does not end.
        guard let from, to == nil, change.level == .application, change.cause != .regroup, from != .background
        else { return changes.append(change) }
        var end = change
        change.kind = .phase
        change.to = .background
        end.from = .background
        end.held = .zero
        changes += [change, end]
    }
}

extension Change {
    /// Whether the phase falls. What closes falls, what opens rises.
    fileprivate static func isFall(from: ScenePhase?, to: ScenePhase?) -> Bool {
        guard let to else { return true }
        return from.map { to < $0 } ?? false
    }
}

extension Change {
    /// This change, or two changes through inactive if it leads from active to background or back.
    var steps: [Change] {
        guard from == .active && to == .background || from == .background && to == .active else {
            return [self]
        }
        var first = self
        var second = self
        first.to = .inactive
        second.from = .inactive
        second.held = .zero
        return [first, second]
    }
}

/// The occasion of a commit, which may determine the cause of a change better than the two judgements.
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
