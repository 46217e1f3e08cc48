import Scenes

/// The greatest phase of what a subject names, kept current change by change: a look at everything for each observer would
/// cost more with every window.
struct SubjectPhase: Sendable {
    let selection: Selection
    private var phases: [SubjectID: ScenePhase] = [:]
    private var counts = Change.Counts()
    /// What the globs say of a name, for as long as it is there.
    private var isNamed: [SubjectID: Bool] = [:]
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
        let key = change.subjectID
        guard let phase = change.to else {
            set(key, nil)
            isNamed[key] = nil
            return
        }
        if change.level == .application {
            set(key, names(change.application, snapshot) ? phase : nil)
            return
        }
        if selection.isOfTitle { return set(key, selection.matches(change) ? phase : nil) }
        let isMatch = isNamed[key] ?? selection.matches(change)
        isNamed[key] = isMatch
        set(key, isMatch ? phase : nil)
    }

    /// An application got a group or lost one, by which it may be named.
    private mutating func renew(_ application: String, _ snapshot: Snapshot) {
        let key = SubjectID(application: application)
        isNamed[key] = nil
        guard let phase = snapshot.applications[application]?.phase else { return }
        set(key, names(application, snapshot) ? phase : nil)
    }

    private mutating func names(_ application: String, _ snapshot: Snapshot) -> Bool {
        let key = SubjectID(application: application)
        if let known = isNamed[key] { return known }
        let isMatch = selection.matches(application, groups: snapshot.applications[application]?.groups ?? [])
        isNamed[key] = isMatch
        return isMatch
    }

    private mutating func set(_ key: SubjectID, _ phase: ScenePhase?) {
        let old = phases[key]
        guard old != phase else { return }
        if let old { counts.add(old, -1) }
        if let phase { counts.add(phase) }
        phases[key] = phase
    }
}
