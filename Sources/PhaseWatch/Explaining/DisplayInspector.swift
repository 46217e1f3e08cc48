import Scenes
import X11

/// Reads a display once more for an explanation, with a connection of its own. No watcher of the
/// display notices. It waits for replies, each for 5 s at most, and throws `displayLost` and `displaySilent`.
package final class DisplayInspector {
    let display: Display
    let observer: DesktopObserver
    let options: PhaseMonitor.Options

    /// Opens a display, as `PhaseWatcher.init` does.
    package init(_ options: PhaseMonitor.Options) throws(MonitorFailure) {
        display = try Display(options.display)
        observer = try DesktopObserver(display)
        self.options = options
        observer.followSession(options)
        observer.details = [.titles, .processes, .locations]
    }

    /// Reads the display. From then on, a user who touches nothing counts as idle only if `isIdle` returned true for the
    /// application with the focus.
    package func read(confirmingIdle isIdle: (ActiveApplication?) -> Bool) throws(MonitorFailure) {
        try observer.refreshNow(confirmingIdle: isIdle)
    }

    /// Takes the screen saver that reports on the session bus that it is active; nil if none does.
    package func take(activeSaver name: String?) { observer.session.activeSaver = name }

    /// The name of the display, such as `:0`.
    package var displayName: String { display.name }

    package var hasOtherScreens: Bool { display.hasOtherScreens }

    /// Returns the present state of the display, before policy and settling.
    func desktop() throws(MonitorFailure) -> Desktop {
        try observer.noteEvents()
        observer.session.readAges()
        return try observer.refreshNow()
    }

    /// Waits for the user to choose a window by a click. A click on a frame or a title bar chooses the window inside.
    package func point() throws(MonitorFailure) -> Picked { try Picker(observer).pick() }

    /// Returns the scene that a window is part of: a dialog, a frame, or a window inside; nil if there is none.
    package func scene(of xid: UInt32) throws(MonitorFailure) -> SubjectID? {
        let desktop = try desktop()
        let slot = try Picker(observer).window(around: xid).flatMap(desktop.windows.slot(of:))
        let scene = slot.flatMap { Rule(desktop, options.policy).verdict(at: $0)?.scene }
        guard let scene, let main = desktop.windows.slot(of: scene.xid) else { return nil }
        let group = desktop.windows.groups[main]
        return SubjectID(application: group.application, group: group.group, scene: scene)
    }
}

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
