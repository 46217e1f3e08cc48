/// A step of one scene to report.
struct Step: Sendable {
    let scene: Int32
    /// The place of its group.
    let place: Int32
    let application: Int32
    let window: WindowID
    let from: ScenePhase?
    let to: ScenePhase?
    let cause: Cause
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

/// The occasion of a commit, which may determine the cause of a change more precisely than the two readings.
enum Occasion: Sendable {
    case start
    /// A change on the display.
    case change
    /// A change of the policy or the delays. Every scene must be compared.
    case options
    /// Like `options`, and covers no longer count: no window has uncovered the covered scenes.
    case uncovering
    case takeover

    /// - Parameter cause: The cause that follows from the two readings.
    func cause(_ cause: Cause) -> Cause {
        switch self {
        case .start: .start
        case .change, .options: cause
        case .uncovering: cause == .uncovered ? .resync : cause
        case .takeover: cause == .open || cause == .close || cause == .regroup ? cause : .windowManager
        }
    }
}

/// Turns steps that belong together into lines.
struct Commit: Sendable {
    private var steps: [Step] = []

    /// Commits the reading of a scene: as one step, or as a close and an open if its names changed.
    mutating func add(
        _ scene: Int32, _ occasion: Occasion, in table: inout SceneTable, _ names: GroupNames, at now: Int64
    ) {
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
        if isRenamed { add(scene, .none, reason, held, in: &table, names, at: now) }
        add(scene, new, reason, isRenamed ? nil : held, in: &table, names, at: now)
        table.endIfGone(scene)
    }

    /// Applies another cap to all scenes.
    mutating func add(
        cap: ScenePhase, _ cause: Cause, in table: inout SceneTable, _ names: GroupNames, at now: Int64
    ) {
        table.cap = cap
        for scene in table.indices {
            let (reported, reportedPhase, since) = (
                table[scene].reported, table[scene].reportedPhase, table[scene].since
            )
            if table.capped(reported) == reportedPhase { continue }
            add(scene, reported, cause, now - since, in: &table, names, at: now)
        }
    }

    /// Commits a given reading of a scene.
    mutating func add(
        _ scene: Int32, _ reading: Reading, _ cause: Cause, _ held: Int64?, in table: inout SceneTable,
        _ names: GroupNames, at now: Int64
    ) {
        let (old, from) = (table[scene].reported, table[scene].reportedPhase)
        let place = table.setReported(scene, reading, in: names, at: now)
        steps.append(
            Step(
                scene: scene, place: place, application: table.groups[place].application,
                window: table[scene].window, from: from, to: table[scene].reportedPhase, cause: cause,
                name: reading.phase == nil ? old.group : reading.group, held: held))
    }

    /// Adds the lines for the steps since the last call: the scenes of a group, then the group, and after all its
    /// groups the application. All falls come before all rises.
    ///
    /// - Parameter kind: The kind of a subject that appears: `opened` or `initial`.
    mutating func report(
        _ kind: Change.Kind = .opened, of table: inout SceneTable, at now: Int64, in lines: inout [Delta]
    ) {
        if steps.isEmpty { return }
        steps.sort(by: Step.isReported)
        let rises = steps.firstIndex { !$0.isFall } ?? steps.endIndex
        add(0..<rises, isFall: true, kind, table.groups, at: now, to: &lines)
        add(rises..<steps.endIndex, isFall: false, kind, table.groups, at: now, to: &lines)
        for step in steps { table.groups.markReported(step.place, at: now) }
        steps.empty()
    }

    private func add(
        _ section: Range<Int>, isFall: Bool, _ kind: Change.Kind, _ groups: GroupTable, at now: Int64,
        to lines: inout [Delta]
    ) {
        var (group, application) = (section.lowerBound, section.lowerBound)
        for index in section {
            let step = steps[index]
            lines.append(
                Delta(
                    level: .scene, kind: step.from == nil ? kind : step.to == nil ? .closed : .phase,
                    from: step.from, to: step.to, cause: step.cause, subject: step.scene,
                    nanoseconds: step.held, name: step.name))
            let next = index + 1
            if next == section.upperBound || steps[next].place != step.place {
                add(.group, groups, step.place, group..<next, isFall, kind, at: now, to: &lines)
                group = next
            }
            if next == section.upperBound || steps[next].application != step.application {
                add(
                    .application, groups, step.application, application..<next, isFall, kind, at: now,
                    to: &lines)
                application = next
            }
        }
    }

    /// Adds the lines for a group or application, if its phase changes in this direction.
    ///
    /// - Parameter run: The steps of its scenes.
    private func add(
        _ level: Change.Level, _ groups: GroupTable, _ place: Int32, _ run: Range<Int>, _ isFall: Bool,
        _ kind: Change.Kind, at now: Int64, to lines: inout [Delta]
    ) {
        let (from, to) = (groups[place].reported, groups[place].counts.greatest)
        guard from != to, Step.isFall(from, to) == isFall else { return }
        // The scene that determined the old phase, or that determines the new one.
        let decisive = steps[run].first { isFall && from != nil ? $0.from == from : $0.to == to }
        var line = Delta(
            level: level, kind: kind, from: from, to: to,
            cause: (decisive ?? steps[run].last)?.cause ?? .resync,
            subject: place, name: groups[place].name)
        if from == nil {
            lines.append(line)
            return
        }
        line.kind = to == nil ? .closed : .phase
        line.nanoseconds = now - groups[place].since
        // An application that ends passes through the background, so cleanup for that phase also runs at the end. An
        // application whose scenes were only renamed does not end.
        if to == nil, level == .application, line.cause != .regroup, from != .background {
            line.kind = .phase
            line.to = .background
            lines.append(line)
            line.kind = .closed
            line.from = .background
            line.to = nil
            line.nanoseconds = 0
        }
        lines.append(line)
    }
}
