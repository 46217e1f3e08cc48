import Scenes
import X11

extension PhaseWatcher {
    /// Reads everything anew with the next `update()`, since the machine was asleep: the X server need not tell of what
    /// happened meanwhile. A `PhaseMonitor` does so by itself.
    ///
    /// - Returns: What there is to say about it, a notice named `resumed`.
    @discardableResult
    public func resume() -> Notice {
        observer.readEverything()
        lookAgain()
        let notice = Notice(name: "resumed", text: "the machine was asleep; everything is read anew")
        recorder?.take(notice)
        return notice
    }

    /// Locks, blank displays and idle times are a matter of the Wayland compositor, of which XWayland knows nothing.
    /// XWayland itself says that it is one since version 23.
    var isXWayland: Bool { observer.extensions.isXWayland || Diagnosis.isWaylandSession }

    /// What is to be followed, as far as the server can know it.
    func followSession(_ options: PhaseMonitor.Options) {
        looksAtIdle = options.idle != nil
        observer.follow(
            isXWayland ? SessionOptions(states: [], occlusion: options.occlusion) : options.watched)
    }

    /// Lets the user become idle only by `confirmIdle()`: a program may know of inhibitors, which X does not.
    public func askBeforeIdle() { observer.asksBeforeIdle = true }

    /// The user has touched nothing for as long as the options say, and `confirmIdle()` is waited for.
    public var awaitsIdle: Bool { observer.awaitsIdle }

    /// Has the user be idle with the next `update()`, unless something was touched meanwhile.
    public func confirmIdle() {
        observer.confirmIdle()
        lookAgain()
    }

    /// Tells once, when everything was read, that the display does not tell whether the user is idle.
    func takeIdleNotice() -> Notice? {
        looksAtIdle = false
        if observer.reportsIdle { return nil }
        let hasSync = observer.extensions.sync != nil
        let lack = isXWayland ? "it is XWayland" : hasSync ? "it has no counter IDLETIME" : "it lacks SYNC"
        return Notice(
            name: "session",
            text:
                "the X server does not tell how long the user is idle, since \(lack); nothing becomes inactive by that"
        )
    }
}
