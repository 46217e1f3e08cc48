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
        /// Another program holds the pointer, such as an open menu or a screen locker.
        case refused
    }

    /// Waits for the user to choose a window by a click, and shows a cross-hair as the pointer.
    ///
    /// A click on a frame or a title bar chooses the window inside.
    ///
    /// - Throws: `Failure.displayLost`, `.displaySilent`.
    package func point() throws(PhaseMonitor.Failure) -> Pointed {
        let picked = try observer.pick()
        switch picked {
        case .window(let xid):
            guard let id = try seen().windows.facts(of: xid)?.id else { return .nothing }
            return .window(id, scene: try scene(of: xid))
        case .nothing: return .nothing
        case .cancelled: return .cancelled
        case .refused: return .refused
        }
    }

    /// Returns the scene that a window is part of: a dialog, a frame, or a window inside; nil if there is none.
    ///
    /// - Throws: `Failure.displayLost`, `.displaySilent`.
    package func scene(of xid: UInt32) throws(PhaseMonitor.Failure) -> WindowID? {
        let desktop = try seen()
        let slot = try observer.window(around: xid).flatMap(desktop.windows.slot(of:))
        return slot.flatMap { desktop.verdict(at: $0, under: policy)?.scene }
    }
}
