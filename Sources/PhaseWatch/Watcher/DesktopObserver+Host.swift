import Scenes
import System
import X11

extension DesktopObserver {
    /// Creates an observer that knows the processes of this host.
    convenience init(of display: Display) throws(MonitorFailure) {
        try self.init(
            display, hostName: "\(Host.name)", executable: Processes.executable,
            isRenamed: Processes.isRenamed)
    }

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

/// The processes of this host, as /proc describes them.
enum Processes {
    /// Returns the name of the file that a process executes; nil if there is no such process.
    static func executable(of pid: Int32) -> String? {
        guard let name = SystemString("/proc/\(pid)/exe").linkTarget?.components.last?.description else {
            return ProcessFolder(pid: pid)?.text("comm")?.split(separator: "\n").first.map(String.init)
        }
        let deleted = " (deleted)"
        return name.hasSuffix(deleted) ? String(name.dropLast(deleted.count)) : name
    }

    /// Returns whether a process may have a different host name than this one: it is in another UTS namespace.
    static func isRenamed(_ pid: Int32) -> Bool {
        let name = SystemString("/proc/\(pid)/ns/uts").linkTarget
        return name != nil && name != SystemString("/proc/self/ns/uts").linkTarget
    }
}
