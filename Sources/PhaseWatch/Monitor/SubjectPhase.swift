import Scenes

/// The greatest phase of the scenes of a subject, updated with each change. Evaluating all scenes for each observer
/// would take time proportional to the number of windows.
struct SubjectPhase: Sendable {
    let selection: Selection
    private var phases: [WindowID: ScenePhase] = [:]
    private var counts = Change.Counts()

    init(_ selection: Selection, in snapshot: Snapshot) {
        self.selection = selection
        _ = update(snapshot.scenes.keys, in: snapshot)
    }

    /// nil if nothing matches.
    var phase: ScenePhase? { counts.greatest }

    /// Evaluates scenes that have changed. `snapshot` already includes the changes.
    ///
    /// - Returns: Whether the subject includes, or included, one of them.
    mutating func update(_ changed: some Sequence<WindowID>, in snapshot: Snapshot) -> Bool {
        var isConcerned = false
        for id in changed {
            let (old, new) = (phases[id], snapshot.scene(id, of: selection)?.to)
            if let old { counts.add(old, -1) }
            if let new { counts.add(new) }
            phases[id] = new
            if old != nil || new != nil { isConcerned = true }
        }
        return isConcerned
    }
}
