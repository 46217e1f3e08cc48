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

/// A change for consumers.
struct Posted: Sendable {
    /// What changes of one subject share.
    struct Key: Hashable {
        let subject: SubjectID
        let isOwn: Bool
    }

    var change: Change
    /// Whether the subject is this process or one of its groups, which may have the names of an application's.
    let isOwn: Bool
    /// Whether it is a change of title, or one was merged into it: it is reported even if the phase is the same again.
    var isRetitled: Bool

    init(_ change: Change, isOwn: Bool = false) {
        (self.change, self.isOwn, isRetitled) = (change, isOwn, change.kind == .title)
    }

    var key: Key { Key(subject: change.subjectID, isOwn: isOwn) }
}

/// The last reported state of everything on the display.
struct Snapshot: Sendable {
    /// Changes of the kind `initial`: scenes before their group, groups before their application.
    private(set) var present: [Posted] = []
    /// In the order of their windows.
    private var scenes: [PhaseMonitor.Scene] = []
    /// The instance names of each application.
    private var instances: [String: [String]] = [:]
    /// This process (nil) and its groups, as changes of the kind `initial`, with the times when their phases began.
    private var own: [String?: (change: Change, since: Duration)] = [:]

    /// Returns the scenes of everything that a subject names, in the order of their windows.
    func scenes(of selection: Selection) -> [PhaseMonitor.Scene] {
        scenes.filter { selection.includes($0, of: instances[$0.application] ?? []) }
    }

    /// - Parameters:
    ///   - changes: The changes that were reported together.
    ///   - present: Everything that exists after them.
    /// - Returns: The changes, and those of this process and its groups.
    mutating func update(_ changes: [Change], _ present: [Change], at now: Duration) -> [Posted] {
        let shown = Set(changes.compactMap { $0.scene?.id })
        let titles = Dictionary(scenes.map { ($0.id, $0.facts.title) }) { $1 }
        let settled = present.map { change in
            // A title that is not stable yet is not reported.
            guard var facts = change.scene, !shown.contains(facts.id), let title = titles[facts.id] else {
                return change
            }
            facts.title = title
            var change = change
            change.subject = .scene(facts)
            return change
        }
        scenes = settled.compactMap { PhaseMonitor.Scene($0) }.sorted { $0.id < $1.id }
        instances = Dictionary(grouping: present.filter { $0.level == .application }, by: \.application)
            .mapValues { $0.flatMap(\.instances) }
        let ownChanges = updateOwn(changes.filter { $0.kind != .title }, at: now)
        let ownPresent = own.values.map(\.change).sorted {
            $0.group ?? "\u{10FFFF}" < $1.group ?? "\u{10FFFF}"
        }
        self.present = settled.map { Posted($0) } + ownPresent.map { Posted($0, isOwn: true) }
        return changes.map { Posted($0) } + ownChanges.map { Posted($0, isOwn: true) }
    }

    private mutating func updateOwn(_ changes: [Change], at now: Duration) -> [Change] {
        func isOwn(_ facts: Change.SceneFacts?) -> Bool { facts?.pid == Selection.ownProcess }
        let scenes = scenes.filter { isOwn($0.facts) }
        let groups: [String?] = Set(own.keys.compactMap(\.self) + scenes.map(\.group)).sorted()
        return (groups + [nil]).compactMap { group in
            let (old, members) = (own[group], scenes.filter { group == nil || $0.group == group })
            var change = Change(own: members, group, of: old?.change.application)
            let isSame = change.to == old?.change.to
            own[group] = members.isEmpty ? nil : (change, isSame ? old?.since ?? now : now)
            if isSame { return nil }
            change.kind = old == nil ? .opened : members.isEmpty ? .closed : .phase
            (change.from, change.held) = (old?.change.to, old.map { now - $0.since })
            change.cause = change.cause(
                among: changes.filter { isOwn($0.scene) && (group == nil || $0.group == group) })
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
            of: scenes.map(\.facts), phases: scenes.map(\.phase),
            groups: group.map { [$0] } ?? scenes.map(\.group))
        members.pids = [Selection.ownProcess]
        self.init(
            kind: .initial, application: scenes.first?.application ?? application ?? "", group: group,
            subject: group == nil ? .application(members) : .group(members), to: members.counts.greatest,
            cause: .start)
    }

    /// Returns the cause of the change of the scene that determined the old phase, or determines the new one.
    fileprivate func cause(among scenes: [Change]) -> Cause {
        let isRise = to.map { to in from.map { $0 < to } ?? true } ?? false
        let decisive = scenes.last { isRise ? $0.to == to : $0.from == from }
        return (decisive ?? scenes.last)?.cause ?? (from == nil ? .open : to == nil ? .close : .resync)
    }
}
