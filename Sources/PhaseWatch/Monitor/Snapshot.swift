import Scenes

extension PhaseMonitor {
    /// A scene with its present phase.
    public struct Scene: Hashable, Sendable, Identifiable {
        /// The name of its application.
        public var application: String
        /// The name of its group.
        public var group: String
        /// Its window, and the facts that only a scene has.
        public var facts: Change.SceneFacts
        /// The phase that was last reported.
        public var phase: ScenePhase

        /// The window.
        public var id: WindowID { facts.id }

        /// Creates a scene, for tests.
        public init(
            application: String, group: String, facts: Change.SceneFacts, phase: ScenePhase = .background
        ) {
            (self.application, self.group, self.facts, self.phase) = (application, group, facts, phase)
        }

        /// The scene that a change reports, or has reported last; nil for a change of a group or an application.
        init?(_ change: Change) {
            guard let facts = change.scene, let phase = change.to ?? change.from else { return nil }
            (application, group) = (change.application, change.group ?? "")
            (self.facts, self.phase) = (facts, phase)
        }
    }
}

/// The last reported state of everything on the display.
struct Snapshot: Sendable {
    private struct Own: Sendable {
        var change: Change
        var since: Duration
    }

    /// Changes of the kind `initial`: scenes before their group, groups before their application.
    private(set) var present: [Change] = []
    /// In the order of their windows.
    private var scenes: [PhaseMonitor.Scene] = []
    /// The instance names of each application.
    private var instances: [String: [String]] = [:]
    /// This process (nil) and its groups, as changes of the kind `initial`, with the times when their phases began.
    private var own: [String?: Own] = [:]

    /// This process and its groups, as changes of the kind `initial`.
    var ownPresent: [Change] {
        own.values.map(\.change).sorted { $0.group ?? "\u{10FFFF}" < $1.group ?? "\u{10FFFF}" }
    }

    /// Returns the scenes of everything that a subject names, in the order of their windows.
    func scenes(of selection: Selection) -> [PhaseMonitor.Scene] {
        scenes.filter { selection.includes($0, of: instances[$0.application] ?? []) }
    }

    /// - Parameters:
    ///   - changes: The changes that were reported together.
    ///   - present: Everything that exists after them.
    /// - Returns: The changes of this process and its groups.
    mutating func update(_ changes: [Change], _ present: [Change], at now: Duration) -> [Change] {
        let shown = Set(changes.compactMap { $0.scene?.id })
        let titles = Dictionary(scenes.map { ($0.id, $0.facts.title) }) { $1 }
        self.present = present.map { change in
            // A title that is not stable yet is not reported.
            guard var facts = change.scene, !shown.contains(facts.id), let title = titles[facts.id] else {
                return change
            }
            facts.title = title
            var change = change
            change.subject = .scene(facts)
            return change
        }
        scenes = self.present.compactMap { PhaseMonitor.Scene($0) }.sorted { $0.id < $1.id }
        instances = Dictionary(
            present.filter { $0.level == .application }.map { ($0.application, $0.instances) }
        ) { $0 + $1 }
        return updateOwn(
            changes.filter { $0.kind != .title && $0.scene?.pid == Selection.ownProcess }, at: now)
    }

    private mutating func updateOwn(_ changes: [Change], at now: Duration) -> [Change] {
        let scenes = scenes.filter { $0.facts.pid == Selection.ownProcess }
        let groups: [String?] = Set(own.keys.compactMap(\.self) + scenes.map(\.group)).sorted()
        return (groups + [nil]).compactMap { group -> Change? in
            let old = own[group]
            let members = scenes.filter { group == nil || $0.group == group }
            var change = Change(own: members, group, of: old?.change.application)
            let isSame = change.to == old?.change.to
            own[group] = members.isEmpty ? nil : Own(change: change, since: isSame ? old?.since ?? now : now)
            if isSame { return nil }
            change.kind = old == nil ? .opened : members.isEmpty ? .closed : .phase
            (change.from, change.held) = (old?.change.to, old.map { now - $0.since })
            change.cause = change.cause(among: changes.filter { group == nil || $0.group == group })
            return change
        }
    }
}

extension Change {
    /// Combines scenes of this process.
    ///
    /// - Parameters:
    ///   - group: The group of the scenes; nil for the whole process.
    ///   - application: The name if there are no scenes.
    fileprivate init(own scenes: [PhaseMonitor.Scene], _ group: String?, of application: String?) {
        var members = Members(
            counts: .init(), pids: [Selection.ownProcess],
            groups: group.map { [$0] } ?? Set(scenes.map(\.group)).sorted())
        for scene in scenes { members.counts.add(scene.phase) }
        members.desktops = Set(scenes.compactMap(\.facts.desktop)).sorted()
        members.processes = Set(scenes.compactMap(\.facts.process)).sorted()
        self.init(
            kind: .initial, application: scenes.first?.application ?? application ?? "", group: group,
            subject: group == nil ? .application(members) : .group(members), to: scenes.map(\.phase).max(),
            cause: .start)
    }

    /// Returns the cause of the change of the scene that determined the old phase, or determines the new one.
    fileprivate func cause(among scenes: [Change]) -> Cause {
        let isRise = to.map { to in from.map { $0 < to } ?? true } ?? false
        let decisive = scenes.last { isRise ? $0.to == to : $0.from == from }
        return (decisive ?? scenes.last)?.cause ?? (from == nil ? .open : to == nil ? .close : .resync)
    }
}
