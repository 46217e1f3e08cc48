import Scenes
import X11

extension PhaseWatcher {
    /// What a user has pointed at.
    public enum Pointed: Hashable, Sendable {
        /// A window, and the scene that it is part of; nil for a window that is no scene.
        case window(WindowID, scene: WindowID?)
        /// The root window, or a window of no application.
        case nothing
        /// Escape was hit, or another button than the first.
        case cancelled
        /// Nothing was hit in time.
        case timedOut
        /// Another program holds the pointer: a menu that is open, a screen locker.
        case refused
    }

    /// Has the user choose a window by a click, with a cross-hair for a pointer, and waits for that.
    ///
    /// A click on a frame or a title bar chooses the window in it.
    ///
    /// - Parameter timeout: How long it waits; nil for without end.
    /// - Throws: `Failure.displayLost`, `.displaySilent`.
    public func point(timeout: Duration? = nil) throws(PhaseMonitor.Failure) -> Pointed {
        let picked = try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            try observer.pick(timeout: timeout)
        }
        switch picked {
        case .window(let xid):
            let desktop = try seen()
            guard let slot = desktop.windows.slot(of: xid) else { return .nothing }
            let scene = desktop.verdict(at: slot, under: policy)?.scene
            return .window(desktop.windows.facts[slot].id, scene: scene)
        case .nothing: return .nothing
        case .cancelled: return .cancelled
        case .timedOut: return .timedOut
        case .refused: return .refused
        }
    }
}
