import Scenes

/// The greatest phase of what a subject names, kept current change by change: a look at everything for each observer would
/// cost more with every window.
struct SubjectPhase: Sendable {
    private struct Known {
        /// Whether the patterns match its name, for as long as it exists.
        var isNamed: Bool
        /// nil for what is not named.
        var phase: ScenePhase?
    }

    let selection: Selection
    private var known: [SubjectID: Known] = [:]
    private var counts = Change.Counts()
    private var ownPhase: ScenePhase?

    init(_ selection: Selection) {
        self.selection = selection
    }

    /// nil if there is nothing.
    var phase: ScenePhase? { selection.isOwnProcess ? ownPhase : counts.greatest }

    /// Takes in changes, or what there is as changes of the kind `initial`, that `snapshot` has taken in before.
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
        // Titles change; names stay.
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

    /// An application got a group or lost one, by which it may be named.
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
