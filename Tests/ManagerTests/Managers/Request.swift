/// Something that a test asks of a window manager.
///
/// The raw value stands in the tables.
enum Request: String, CaseIterable, Sendable {
    case focus
    /// The focus goes back and forth three times within 60 ms.
    case focusQuickly = "focus quickly"
    case iconify, deiconify
    /// The second desktop is shown in place of the first, and the first again.
    case leaveDesktop = "leave desktop"
    case returnToDesktop = "return to desktop"
    /// A window goes to the second desktop, and back.
    case moveAway = "move to desktop"
    case moveBack = "move back"
    /// The window goes back while the second desktop is shown.
    case takeBack = "take back"
    case stick, unstick
    case showDesktop = "show desktop"
    case hideDesktop = "end of show desktop"
    case shade, unshade
    case fullscreen
    case endFullscreen = "end of fullscreen"
    /// All windows of the desktop in one place, one in front: by tabs, in a stack, or without any sign of the others.
    case tab, stack, monocle
    /// The focus goes to a window behind another one in that place.
    case focusCovered = "focus a covered window"
    /// Ends `tab`, `stack` or `monocle`.
    case tile
    /// Two monitors of half the width, each with a desktop of its own.
    case splitMonitors = "two monitors"
    case joinMonitors = "one monitor"
    /// A window goes to the other one of two monitors that the server has, and each has a desktop of its own.
    case moveToMonitor = "move to the other monitor"
    /// The monitor in use shows a third desktop, and its own again.
    case leaveMonitor = "leave the desktop of one monitor"
    case returnToMonitor = "return to the desktop of one monitor"
    /// A client unmaps its window, and tells nobody.
    case unmap
    case withdrawHidden = "withdraw while its desktop is hidden"
    case startIconic = "start iconic"
    /// The manager is killed and started again.
    case restart
    /// Windows that were iconified are iconified after a restart, too.
    case keepIconified = "keep iconified"
    /// Other clients can see that it has died: some window of it vanishes.
    case reportDeath = "tell of its death"
    case replace
    case replaceByAnother = "replaced by another"
}

/// How to send a request to a window manager that does not follow EWMH and ICCCM.
///
/// `{id}`, `{decimal}` and `{name}` stand for the window.
enum RequestMethod: Sendable {
    case run([String])
    /// Keys, typed after the window was given the focus.
    case keys(String)
    /// The pointer is moved onto the window.
    case pointer
    /// The window is clicked.
    case click
    /// The client takes the input focus.
    case inputFocus
    /// The client maps the window.
    case map
    /// The client sets a state of _NET_WM_STATE.
    case setState(String, Bool)
}
