/// A state of the session in which nobody sees anything on the display. The raw value is the word that options use.
public enum SessionState: String, CaseIterable, Hashable, Sendable, Codable {
    /// Another virtual terminal is shown: another user's session, say.
    case away
    /// A screen locker covers every window and has the keyboard.
    case lock
    /// The screen saver or the power management has blanked the display, or no monitor is on.
    case displayOff = "display-off"
}

/// What is watched besides windows, the focus and the window manager. What is not wanted is neither read nor followed.
package struct SessionOptions: Hashable, Sendable {
    /// The states that put every scene in the background.
    package var states: Set<SessionState>
    /// How long other windows must cover a scene until it is in the background; nil for never.
    package var occlusion: Duration?
    /// How long the user must have touched nothing until active scenes are inactive; nil for never.
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

/// Facts about the whole display that tell whether anybody can see it.
package struct Session: Hashable, Sendable, Codable {
    package typealias DisplayOff = SessionChange.DisplayOff

    /// What xscreensaver says in _SCREENSAVER_STATUS.
    package struct SaverStatus: Hashable, Sendable, Codable {
        /// Seconds since 1970 when it began.
        package var since: Int32

        package init(since: Int32) {
            self.since = since
        }
    }

    /// XFree86_has_VT is 0.
    package var isAway = false
    /// nil while the display is on.
    package var displayOff: DisplayOff?
    /// A client has grabbed the keyboard, by the last focus event or answer; nil if nothing has reported yet.
    package var isKeyboardGrabbed: Bool?
    /// nil while _SCREENSAVER_STATUS is not set, or says that the screen is neither blank nor locked.
    package var saver: SaverStatus?
    /// The user has touched nothing for as long as the option says.
    package var isIdle = false

    package init() {}

    package var isDisplayOff: Bool { displayOff != nil }
}
