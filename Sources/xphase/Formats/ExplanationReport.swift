import PhaseWatch
import Scenes

/// All that `explain` has to say.
struct ExplanationReport {
    struct Application {
        let name: String
        let phase: ScenePhase
        /// The scene that gave it its phase.
        let scene: WindowID
    }

    let applications: [Application]
    let windows: [Explanation]
    let screens: [Screen]
    let focusHolder: WindowID?
    let focusChain: [WindowID]
    let focusSource: FocusSource

    /// - Parameter isWanted: Which windows to explain.
    init(on desktop: Desktop, under policy: PhasePolicy, isWanted: (SeenWindow) -> Bool) {
        let scenes = desktop.scenes(under: policy).values.sorted { $0.id < $1.id }
        windows = desktop.windows.values.filter(isWanted).sorted { $0.id < $1.id }
            .map { desktop.explain($0, under: policy) }
        let names = Set(windows.map(\.window.application))
        applications = names.sorted().compactMap { name in
            // The first of several, so that the answer is the same each time.
            let own = scenes.filter { $0.application == name }
            return own.first { $0.phase == own.map(\.phase).max() }
                .map { Application(name: name, phase: $0.phase, scene: $0.id) }
        }
        screens = desktop.screens
        focusHolder = desktop.focusHolder.map { desktop.windows[$0]?.id ?? WindowID($0) }
        focusChain = desktop.focusChain.sorted().compactMap { desktop.windows[$0]?.id }
        focusSource = desktop.focusSource
    }
}
