import Scenes

/// The scenes of this process, combined as if they were an application, and by group.
struct OwnScenes: Sendable {
    private struct State {
        var application: String
        var members: Change.Members
        var phase: ScenePhase
        var since: Duration
    }

    private var scenes: [WindowID: Change] = [:]
    /// By group; nil is the process.
    private var states: [String?: State] = [:]
    private var isStale = false

    /// The present state as changes of the kind `initial`, groups before the process.
    var present: [Change] {
        (states.keys.compactMap(\.self).sorted() + [nil]).compactMap { group in
            states[group].map {
                Change(own: group, $0.application, $0.members, .initial, to: $0.phase, .start)
            }
        }
    }

    /// Stores the last reported state of a scene; nil if it is gone. Scenes of other processes are not kept.
    mutating func set(_ id: WindowID, _ scene: Change?) {
        let own = scene.flatMap { Self.isOwn($0) ? $0 : nil }
        guard own != nil || scenes[id] != nil else { return }
        scenes[id] = own
        isStale = true
    }

    /// Computes the phases from the scenes.
    ///
    /// - Parameter all: The changes that led to the present scenes.
    /// - Returns: The changes to report.
    mutating func update(after all: [Change], at now: Duration) -> [Change] {
        guard isStale else { return [] }
        isStale = false
        let changes = all.filter { $0.kind != .title && $0.kind != .facts && Self.isOwn($0) }
        let present = scenes.sorted { $0.key < $1.key }.map(\.value)
        let groups: [String?] = Set(states.keys.compactMap(\.self) + present.compactMap(\.group)).sorted()
        return (groups + [nil]).compactMap { group in
            func isMember(_ change: Change) -> Bool { group == nil || change.group == group }
            return update(group, present.filter(isMember), changes.filter(isMember), at: now)
        }
    }

    private mutating func update(
        _ group: String?, _ scenes: [Change], _ changes: [Change], at now: Duration
    ) -> Change? {
        let (old, new) = (states[group], scenes.compactMap(\.to).max())
        let application = scenes.first?.application ?? old?.application ?? ""
        var members = Change.Members(of: scenes)
        members.pids = [Selection.ownProcess]
        let isSame = new == old?.phase
        states[group] = new.map {
            State(
                application: application, members: members, phase: $0, since: isSame ? old?.since ?? now : now
            )
        }
        if isSame { return nil }
        return Change(
            own: group, application, members, old == nil ? .opened : new == nil ? .closed : .phase,
            from: old?.phase, to: new, Self.cause(from: old?.phase, to: new, among: changes),
            held: old.map { now - $0.since })
    }

    private static func isOwn(_ change: Change) -> Bool { change.scene?.pid == Selection.ownProcess }

    /// Returns the cause of the change of the scene that determined the old phase, or determines the new one.
    private static func cause(from old: ScenePhase?, to new: ScenePhase?, among changes: [Change]) -> Cause {
        let isFall = new.map { new in old.map { new < $0 } ?? false } ?? true
        let decisive = changes.last { isFall ? $0.from == old : $0.to == new }
        return (decisive ?? changes.last)?.cause ?? (old == nil ? .open : new == nil ? .close : .resync)
    }
}

extension Change {
    fileprivate init(
        own group: String?, _ application: String, _ members: Members, _ kind: Kind, from: ScenePhase? = nil,
        to: ScenePhase?, _ cause: Cause, held: Duration? = nil
    ) {
        self.init(
            kind: kind, application: application, group: group,
            subject: group == nil ? .application(members) : .group(members), from: from, to: to, cause: cause,
            held: held)
    }
}
