import Scenes

/// The scenes of one process, combined as if they were an application.
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

    /// The present state as a change of the kind `initial`; nil if the process has no scene.
    var present: Change? {
        phase.map { change(.initial, from: nil, to: $0, cause: .start, held: nil) }
    }

    /// Stores the last reported state of a scene. Scenes of other processes are not kept.
    ///
    /// - Parameter pid: The process of the scene; nil if the scene is gone.
    mutating func set(_ id: WindowID, pid: Int32?, _ scene: @autoclosure () -> Change?) {
        let isOwn = pid == self.pid
        guard isOwn || scenes[id] != nil else { return }
        scenes[id] = isOwn ? scene() : nil
        isStale = true
    }

    /// Computes the phase from the scenes.
    ///
    /// - Parameter batch: The changes that led to the present scenes.
    /// - Returns: The change to report; nil if the phase is the same.
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

    /// Returns the cause of the change of the scene that determined the old phase, or determines the new one.
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
