/// A session state in which the user cannot see the display. The raw value is the word in options.
public enum SessionState: String, CaseIterable, Hashable, Sendable, Codable {
    /// Another virtual terminal is shown, for example that of another user's session.
    case away
    /// A screen locker covers every monitor and has the keyboard, or a screen saver reports on the session bus that it is
    /// active.
    case lock
    /// The screen saver or power management has blanked the display, or no monitor is on.
    case displayOff = "display-off"
}

/// The watched facts besides windows, focus and window manager, as in `PhaseMonitor.Options`. Facts that are not requested
/// are neither read nor followed.
package struct SessionOptions: Hashable, Sendable {
    package var states: Set<SessionState>
    package var occlusion: Duration?
    package var idle: Duration?

    package init(
        states: Set<SessionState> = Set(SessionState.allCases), occlusion: Duration? = nil,
        idle: Duration? = nil
    ) {
        (self.states, self.occlusion, self.idle) = (states, occlusion, idle)
    }
}

/// Facts about the whole display that determine whether the user can see it.
package struct Session: Hashable, Sendable, Codable {
    package typealias DisplayOff = SessionChange.DisplayOff

    /// Whether XFree86_has_VT is 0.
    package var isAway = false
    /// nil while the display is on.
    package var displayOff: DisplayOff?
    /// Whether a client has grabbed the keyboard, from the last focus event or reply; nil before the first one.
    package var isKeyboardGrabbed: Bool?
    /// When the state in _SCREENSAVER_STATUS began, in seconds since 1970; nil while xscreensaver reports no screen that is
    /// blank or locked.
    package var saverSince: Int32?
    /// The screen saver that reports on the session bus that it is active; nil if none does.
    package var activeSaver: String?
    /// Whether the user has been idle for the time in the options.
    package var isIdle = false

    package init() {}
}
