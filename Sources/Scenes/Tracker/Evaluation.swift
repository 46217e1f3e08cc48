/// What the rule says of every window. It is computed anew for each change of the desktop.
struct Evaluation: Sendable {
    /// The limits on the phase of every scene.
    private(set) var limits: SessionLimits = []
    private(set) var activity = Activity(
        policy: .focus, chain: FocusChain(), isVisible: false, applications: [])

    /// Evaluates a desktop. Adds the scenes that are new, gone or read differently to `SceneTable.changed`.
    ///
    /// - Parameter wanted: The session limits that count.
    mutating func update(
        _ table: inout SceneTable, to desktop: Desktop, under policy: PhasePolicy,
        _ wanted: SessionLimits = []
    ) {
        activity = desktop.activity(under: policy)
        limits = desktop.limits(among: wanted)
        let concealed = ConcealedWindows(on: desktop)
        table.tabs = concealed.tabs
        var desktop = desktop
        (desktop.knownCovered, desktop.knownChain) = (concealed.covered, activity.chain)
        if desktop.stacking.isJudged { desktop.knownCovers = desktop.covers }
        let readings = desktop.scenes(of: desktop.windows.usedSlots, activity)
        for scene in table.indices {
            let slot = desktop.windows.slot(of: table[scene].window)
            table.read(slot.flatMap { readings[$0] } ?? .none, of: scene)
        }
        for (slot, reading) in readings where table.scene(of: desktop.windows.facts[slot].id) == nil {
            let scene = table.add(desktop.windows.facts[slot].id, slot: slot)
            table.copyFacts(of: scene, from: desktop.windows)
            table.read(reading, of: scene)
        }
    }
}
