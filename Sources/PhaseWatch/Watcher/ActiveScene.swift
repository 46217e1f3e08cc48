import Scenes

extension PhaseWatcher {
    /// Returns the active scene as a change of the kind `initial`; nil if there is none. On a monitor, which needs
    /// `Details.places`, it is the scene that was active last and is not in the background, or else the topmost one.
    package func activeScene(on monitor: String? = nil) -> Change? {
        let scenes = present.filter { $0.level == .scene && $0.to != .background }
        guard let monitor else { return scenes.first { $0.to == .active } }
        let desktop = observer.desktop
        func rank(_ change: Change) -> (Int64, Int) {
            guard let scene = change.scene else { return (0, 0) }
            let window = desktop.windows.facts(of: scene.id.xid)?.topLevel
            let height = window.flatMap { desktop.stacking.index(of: $0) } ?? -1
            // `present` reports an active scene as if it had become active at the start.
            return (change.to == .active ? .max : tracker.lastActive(scene.id), height)
        }
        return scenes.filter { $0.scene?.monitor == monitor }.max { rank($0) < rank($1) }
    }
}

extension [Event] {
    /// Returns whether these events may replace the result of `PhaseWatcher.activeScene(on:)`, or change its facts.
    package func concernsActiveScene(on monitor: String?) -> Bool {
        compactMap(\.change).contains { change in
            change.kind == .facts
                || change.level == .scene
                    && (monitor != nil || change.from == .active || change.to == .active)
        }
    }
}
