/// A request of a test to a window manager.
///
/// The raw value appears in the tables.
enum Request: String, CaseIterable, Sendable {
    case focus
    /// Moves the focus back and forth three times within 60 ms.
    case focusQuickly = "focus quickly"
    case iconify, deiconify
    /// Switches to the second desktop, and back to the first.
    case leaveDesktop = "leave desktop"
    case returnToDesktop = "return to desktop"
    /// Moves a window to the second desktop, and back.
    case moveAway = "move to desktop"
    case moveBack = "move back"
    /// Moves the window back while the second desktop is shown.
    case takeBack = "take back"
    case stick, unstick
    case showDesktop = "show desktop"
    case hideDesktop = "end of show desktop"
    case shade, unshade
    case fullscreen
    case endFullscreen = "end of fullscreen"
    /// Puts all windows of the desktop in one place, with one in front: with tabs, in a stack, or with no sign of the
    /// others.
    case tab, stack, monocle
    /// Focuses a window that is behind another one in that place.
    case focusCovered = "focus a covered window"
    /// Ends `tab`, `stack` or `monocle`.
    case tile
    /// Splits the screen into two monitors of half the width, each with its own desktop.
    case splitMonitors = "two monitors"
    case joinMonitors = "one monitor"
    /// Moves a window to the other of the server's two monitors, each of which has its own desktop.
    case moveToMonitor = "move to the other monitor"
    /// Switches the monitor in use to a third desktop, and back to its own.
    case leaveMonitor = "leave the desktop of one monitor"
    case returnToMonitor = "return to the desktop of one monitor"
    /// The client unmaps its window without notifying the manager.
    case unmap
    case withdrawHidden = "withdraw while its desktop is hidden"
    case startIconic = "start iconic"
    /// Kills the manager and starts it again.
    case restart
    /// Iconified windows are still iconified after a restart.
    case keepIconified = "keep iconified"
    /// Other clients can detect the manager's death: one of its windows vanishes.
    case reportDeath = "report its death"
    case replace
    case replaceByAnother = "replaced by another"
}

/// A method to send a request to a window manager that does not follow EWMH and ICCCM.
///
/// `{id}`, `{decimal}` and `{name}` stand for the window.
enum RequestMethod: Sendable {
    case run([String])
    /// Focuses the window and types keys.
    case keys(String)
    /// Moves the pointer onto the window.
    case pointer
    /// Clicks the window.
    case click
    /// The client sets the input focus.
    case inputFocus
    /// The client maps the window.
    case map
    /// The client sets a state of _NET_WM_STATE.
    case setState(String, Bool)
}
