import Scenes

extension PhaseWatcher {
    /// Returns the scene with the input focus as a change of the kind `initial`, in its phase under the options; nil if
    /// there is none. Needs `Details.focus`.
    ///
    /// On a monitor, which needs `Details.places`, it is the visible scene that had the focus last, if that was followed, or else
    /// the topmost one.
    package func activeScene(on monitor: String? = nil) -> Change? {
        let desktop = observer.desktop
        let window = focus?.activeScene(on: monitor) { window in
            let topLevel = desktop.windows.facts(of: window.xid)?.topLevel
            return topLevel.flatMap { desktop.stacking.index(of: $0) } ?? -1
        }
        return window.flatMap { tracker.present($0) ?? focus?.present($0) }
    }
}
