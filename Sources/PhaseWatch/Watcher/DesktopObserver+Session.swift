import Scenes
import X11

extension DesktopObserver {
    /// The Wayland compositor handles locks, blank displays and idle times; XWayland knows nothing of them. XWayland
    /// identifies itself since version 23.
    var isXWayland: Bool { extensions[.xwayland] != nil || Diagnosis.isWaylandSession }

    /// Follows the session states in the options; none on XWayland, which does not know them.
    func followSession(_ options: PhaseMonitor.Options) {
        follow(
            SessionOptions(
                states: isXWayland ? [] : options.hidingStates, occlusion: options.occlusion,
                idle: isXWayland ? nil : options.idle))
    }
}
