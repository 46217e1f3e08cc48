import Scenes

/// The greatest phase of everything that a subject names, updated with each change. Evaluating everything for each
/// observer would take time proportional to the number of windows.
struct SubjectPhase: Sendable {
    private struct Known {
        /// Whether the subject's patterns match the name.
        var isNamed: Bool
        /// nil if the name does not match.
        var phase: ScenePhase?
    }

    let selection: Selection
    private var known: [SubjectID: Known] = [:]
    private var counts = Change.Counts()
    private var ownPhase: ScenePhase?

    init(_ selection: Selection) {
        self.selection = selection
    }

    /// nil if nothing matches.
    var phase: ScenePhase? { selection.isOwnProcess ? ownPhase : counts.greatest }

    /// Applies changes, or the present state as changes of the kind `initial`. `snapshot` already includes them.
    mutating func update(_ batch: ChangeBatch, _ snapshot: Snapshot) {
        if selection.isOwnProcess {
            ownPhase = snapshot.own.phase
            return
        }
        for delta in batch.deltas {
            if delta.level == selection.level {
                apply(delta, of: batch, snapshot)
            } else if selection.level == .application, delta.level == .group,
                delta.from == nil || delta.to == nil
            {
                renew(batch.application(of: delta), snapshot)
            }
        }
    }

    private mutating func apply(_ delta: Delta, of batch: ChangeBatch, _ snapshot: Snapshot) {
        let application = batch.application(of: delta)
        let key = SubjectID(
            application: application, group: batch.group(of: delta), scene: batch.scene(of: delta)?.id)
        guard let phase = delta.to else {
            if let old = known.removeValue(forKey: key)?.phase { counts.add(old, -1) }
            return
        }
        // Titles change; names do not.
        if !selection.isOfTitle, let index = known.index(forKey: key) {
            if known.values[index].isNamed { setPhase(phase, at: index) }
            return
        }
        set(key, phase, isNamed: names(application, delta, of: batch, snapshot))
    }

    private func names(
        _ application: String, _ delta: Delta, of batch: ChangeBatch, _ snapshot: Snapshot
    ) -> Bool {
        if delta.level == .application { return names(application, snapshot) }
        return batch.change(delta).map(selection.matches) ?? false
    }

    private func names(_ application: String, _ snapshot: Snapshot) -> Bool {
        selection.matches(application, groups: snapshot.applications[application]?.groups ?? [])
    }

    /// Matches an application again after it gained or lost a group, since patterns also match groups.
    private mutating func renew(_ application: String, _ snapshot: Snapshot) {
        guard let phase = snapshot.applications[application]?.phase else { return }
        set(SubjectID(application: application), phase, isNamed: names(application, snapshot))
    }

    private mutating func set(_ key: SubjectID, _ phase: ScenePhase, isNamed: Bool) {
        let new = Known(isNamed: isNamed, phase: isNamed ? phase : nil)
        if let old = known.updateValue(new, forKey: key)?.phase { counts.add(old, -1) }
        if isNamed { counts.add(phase) }
    }

    private mutating func setPhase(_ phase: ScenePhase, at index: Dictionary<SubjectID, Known>.Index) {
        if let old = known.values[index].phase { counts.add(old, -1) }
        known.values[index].phase = phase
        counts.add(phase)
    }
}
