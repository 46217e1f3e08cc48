import Scenes
import X11

extension PhaseWatcher {
    /// The result of the user's choice of a window.
    package enum Pointed: Hashable, Sendable {
        /// A window and the scene that it is part of; the scene is nil for a window that is not a scene.
        case window(WindowID, scene: WindowID?)
        /// The root window, or a window that belongs to no application.
        case nothing
        /// The user pressed Escape, or a button other than the first.
        case cancelled
        /// The timeout expired.
        case timedOut
        /// Another program holds the pointer, such as an open menu or a screen locker.
        case refused
    }

    /// Waits for the user to choose a window by a click, and shows a cross-hair as the pointer.
    ///
    /// A click on a frame or a title bar chooses the window inside.
    ///
    /// - Parameter timeout: The time limit; nil for none.
    /// - Throws: `Failure.displayLost`, `.displaySilent`.
    package func point(timeout: Duration? = nil) throws(PhaseMonitor.Failure) -> Pointed {
        let picked = try observer.pick(timeout: timeout)
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
