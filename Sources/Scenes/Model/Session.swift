/// A session state in which the user cannot see the display. The raw value is the word in options.
public enum SessionState: String, CaseIterable, Hashable, Sendable, Codable {
    /// Another virtual terminal is shown, for example that of another user's session.
    case away
    /// A screen locker covers every monitor and has the keyboard.
    case lock
    /// The screen saver or power management has blanked the display, or no monitor is on.
    case displayOff = "display-off"
}

/// The watched facts besides windows, focus and window manager. Facts that are not requested are neither read nor
/// followed.
package struct SessionOptions: Hashable, Sendable {
    /// The states that put every scene in the background.
    package var states: Set<SessionState>
    /// How long other windows must cover a scene before it is in the background; nil for never.
    package var occlusion: Duration?
    /// How long the user must be idle before active scenes become inactive; nil for never.
    package var idle: Duration?

    package init(
        states: Set<SessionState> = Set(SessionState.allCases), occlusion: Duration? = nil,
        idle: Duration? = nil
    ) {
        self.states = states
        self.occlusion = occlusion
        self.idle = idle
    }
}

/// Facts about the whole display that determine whether the user can see it.
package struct Session: Hashable, Sendable, Codable {
    package typealias DisplayOff = SessionChange.DisplayOff

    /// The state that xscreensaver reports in _SCREENSAVER_STATUS.
    package struct SaverStatus: Hashable, Sendable, Codable {
        /// The start of the state, in seconds since 1970.
        package var since: Int32

        package init(since: Int32) {
            self.since = since
        }
    }

    /// Whether XFree86_has_VT is 0.
    package var isAway = false
    /// nil while the display is on.
    package var displayOff: DisplayOff?
    /// Whether a client has grabbed the keyboard, from the last focus event or reply; nil before the first one.
    package var isKeyboardGrabbed: Bool?
    /// nil while _SCREENSAVER_STATUS is not set, or reports a screen that is neither blank nor locked.
    package var saver: SaverStatus?
    /// Whether the user has been idle for the time in the options.
    package var isIdle = false

    package init() {}
}
