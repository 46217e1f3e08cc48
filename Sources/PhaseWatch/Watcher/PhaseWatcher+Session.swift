import Scenes
import X11

extension PhaseWatcher {
    /// Reads everything again with the next `update()`. Call it after the machine was asleep: the X server may not
    /// report changes from that time. A `PhaseMonitor` does so by itself.
    ///
    /// - Returns: A notice named `resumed`.
    @discardableResult
    public func resume() -> Notice {
        observer.readEverything()
        lookAgain()
        let notice = Notice(name: "resumed", text: "the machine was asleep; everything is read again")
        recorder?.take(notice)
        return notice
    }

    /// The Wayland compositor handles locks, blank displays and idle times; XWayland knows nothing of them. XWayland
    /// identifies itself since version 23.
    var isXWayland: Bool { observer.extensions.isXWayland || Diagnosis.isWaylandSession }

    /// Follows the session states in the options; none on XWayland, which does not know them.
    func followSession(_ options: PhaseMonitor.Options) {
        looksAtIdle = options.idle != nil
        observer.follow(
            isXWayland ? SessionOptions(states: [], occlusion: options.occlusion) : options.watched)
    }

    /// Counts the user as idle only after `confirmIdle()`: a program may know of inhibitors, the X server does not.
    package func askBeforeIdle() { observer.asksBeforeIdle = true }

    /// Whether the user has been idle for the time in the options, and `confirmIdle()` is awaited.
    package var awaitsIdle: Bool { observer.awaitsIdle }

    /// Counts the user as idle from the next `update()` on, unless there was input meanwhile.
    package func confirmIdle() {
        observer.confirmIdle()
        lookAgain()
    }

    /// Returns a notice if the display does not report idle times. Called once, after everything was read.
    func takeIdleNotice() -> Notice? {
        looksAtIdle = false
        if observer.reportsIdle { return nil }
        let hasSync = observer.extensions.sync != nil
        let lack = isXWayland ? "it is XWayland" : hasSync ? "it has no counter IDLETIME" : "it lacks SYNC"
        return Notice(
            name: "session",
            text:
                "the X server does not report idle times, since \(lack); idle has no effect"
        )
    }
}
