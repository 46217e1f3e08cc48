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
        let readings = desktop.readings(activity)
        for scene in table.indices {
            let slot = desktop.windows.slot(of: table[scene])
            table.read(slot.map { readings[$0] } ?? .none, of: scene)
        }
        for slot in readings.indices where readings[slot].phase != nil {
            let window = desktop.windows.facts[slot].id
            if table.scene(of: window, at: slot) != nil { continue }
            let scene = table.add(window, slot: slot)
            table.read(readings[slot], of: scene)
        }
    }
}

extension WindowTable {
    /// Returns the slot of the window of a scene; nil if the window is gone.
    fileprivate func slot(of scene: Scene) -> Int? {
        let slot = Int(scene.slot)
        return facts[slot].id == scene.window && !facts[slot].isGone ? slot : nil
    }
}
