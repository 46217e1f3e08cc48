import Scenes

/// The greatest phase of what a subject names, kept current change by change: a look at everything for each observer would
/// cost more with every window.
struct SubjectPhase: Sendable {
    private struct Key: Hashable {
        var application: String
        var group: String?
        var scene: WindowID?
    }

    let selection: Selection
    private var phases: [Key: ScenePhase] = [:]
    private var counts = Change.Counts()
    /// What the globs say of a name, for as long as it is there.
    private var isNamed: [Key: Bool] = [:]
    private var ownPhase: ScenePhase?

    init(_ selection: Selection) {
        self.selection = selection
    }

    /// nil if there is nothing.
    var phase: ScenePhase? { selection.isOwnProcess ? ownPhase : counts.greatest }

    /// Takes in changes, or what there is as changes of the kind `initial`, that `snapshot` has taken in before.
    mutating func update(_ changes: [Change], _ snapshot: Snapshot) {
        if selection.isOwnProcess {
            ownPhase = snapshot.own.phase
            return
        }
        for change in changes {
            if change.level == selection.level {
                apply(change, snapshot)
            } else if selection.level == .application, change.level == .group,
                change.from == nil || change.to == nil
            {
                renew(change.application, snapshot)
            }
        }
    }

    private mutating func apply(_ change: Change, _ snapshot: Snapshot) {
        var key = Key(application: change.application, group: change.group)
        if case .scene(let facts) = change.subject { key.scene = facts.id }
        guard let phase = change.to else {
            set(key, nil)
            isNamed[key] = nil
            return
        }
        if change.level == .application {
            set(key, names(change.application, snapshot) ? phase : nil)
            return
        }
        let isMatch = isNamed[key] ?? selection.matches(change)
        isNamed[key] = isMatch
        set(key, isMatch ? phase : nil)
    }

    /// An application got a group or lost one, by which it may be named.
    private mutating func renew(_ application: String, _ snapshot: Snapshot) {
        let key = Key(application: application)
        isNamed[key] = nil
        guard let phase = snapshot.applications[application]?.phase else { return }
        set(key, names(application, snapshot) ? phase : nil)
    }

    private mutating func names(_ application: String, _ snapshot: Snapshot) -> Bool {
        let key = Key(application: application)
        if let known = isNamed[key] { return known }
        let isMatch = selection.matches(application, groups: snapshot.applications[application]?.groups ?? [])
        isNamed[key] = isMatch
        return isMatch
    }

    private mutating func set(_ key: Key, _ phase: ScenePhase?) {
        let old = phases[key]
        guard old != phase else { return }
        if let old { counts.add(old, -1) }
        if let phase { counts.add(phase) }
        phases[key] = phase
    }
}
