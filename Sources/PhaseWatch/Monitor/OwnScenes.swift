import Scenes

/// The scenes of one process, as if they were an application.
struct OwnScenes: Sendable {
    private let pid: Int32
    private var scenes: [WindowID: Change] = [:]
    private(set) var phase: ScenePhase?
    private var since = Duration.zero
    private var application = ""
    private var members = Change.Members(counts: .init(), pids: [], groups: [])
    private var isStale = false

    init(pid: Int32) {
        self.pid = pid
    }

    /// What there is now, as it is reported at the start; nil if there is nothing.
    var present: Change? {
        phase.map { change(.initial, from: nil, to: $0, cause: .start, held: nil) }
    }

    /// Sets what was reported of a scene, of whatever process.
    ///
    /// - Parameter pid: nil for one that is gone.
    mutating func set(_ id: WindowID, pid: Int32?, _ scene: @autoclosure () -> Change?) {
        let isOwn = pid == self.pid
        guard isOwn || scenes[id] != nil else { return }
        scenes[id] = isOwn ? scene() : nil
        isStale = true
    }

    /// Adds up the scenes.
    ///
    /// - Parameter batch: The changes that led there.
    /// - Returns: What is to be reported of it; nil if the phase is the same.
    mutating func update(after batch: ChangeBatch, at now: Duration) -> Change? {
        guard isStale else { return nil }
        isStale = false
        let (old, new) = (phase, scenes.values.compactMap(\.to).max())
        application = scenes.min { $0.key < $1.key }?.value.application ?? application
        members = Change.Members(of: scenes.values)
        members.pids = [pid]
        guard new != old else { return nil }
        let held = old.map { _ in now - since }
        (phase, since) = (new, now)
        return change(
            old == nil ? .opened : new == nil ? .closed : .phase, from: old, to: new,
            cause: cause(from: old, to: new, among: batch.compactMap(\.change)), held: held)
    }

    /// That of the scene that gave the phase, or that gives it now.
    private func cause(from old: ScenePhase?, to new: ScenePhase?, among changes: [Change]) -> Cause {
        let own = changes.filter { $0.kind != .title && $0.scene?.pid == pid }
        let isFall = new.map { new in old.map { new < $0 } ?? false } ?? true
        let decisive = own.last { isFall ? $0.from == old : $0.to == new }
        return (decisive ?? own.last)?.cause ?? (old == nil ? .open : new == nil ? .close : .resync)
    }

    private func change(
        _ kind: Change.Kind, from: ScenePhase?, to: ScenePhase?, cause: Cause, held: Duration?
    ) -> Change {
        Change(
            kind: kind, application: application, group: nil, subject: .application(members), from: from,
            to: to, cause: cause, held: held)
    }
}
