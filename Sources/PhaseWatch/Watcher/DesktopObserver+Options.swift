import Scenes
import System
import X11

extension DesktopObserver {
    /// Creates an observer that knows the processes of this host.
    convenience init(of display: Display) throws(MonitorFailure) {
        try self.init(
            display, hostName: "\(Host.name)", executable: Processes.executable(of:),
            isRenamed: Processes.isRenamed)
    }

    /// The Wayland compositor handles locks, blank displays and idle times; XWayland knows nothing of them. XWayland
    /// identifies itself since version 23.
    var isXWayland: Bool { extensions.isXWayland || Diagnosis.isWaylandSession }

    /// Follows the session states in the options; none on XWayland, which does not know them.
    func followSession(_ options: PhaseMonitor.Options) {
        follow(
            isXWayland
                ? SessionOptions(states: [], occlusion: options.occlusion)
                : SessionOptions(
                    states: options.hidingStates, occlusion: options.occlusion, idle: options.idle))
    }
}
