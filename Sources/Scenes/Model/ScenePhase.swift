/// How much a scene, a group or an application is in use.
///
/// The order is `background < inactive < active`, so that the phase of many scenes is their `max()`.
/// The raw value is the lower-case name that lines, hooks and arguments use.
///
/// The corresponding type is SwiftUI's `ScenePhase`.
public enum ScenePhase: String, CaseIterable, Comparable, Hashable, Sendable, Codable {
    /// Not visible in the user interface.
    case background
    /// In the foreground, but should pause its work.
    case inactive
    /// In the foreground and interactive.
    case active

    public static func < (left: ScenePhase, right: ScenePhase) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .background: 0
        case .inactive: 1
        case .active: 2
        }
    }
}

/// Which of the visible scenes count as active.
///
/// Scenes that are not visible are in the background under every policy.
public enum PhasePolicy: String, CaseIterable, Hashable, Sendable {
    /// The scene with the input focus is active, every other visible scene is inactive.
    case focus
    /// Every visible scene of the application that has the focus is active.
    case application
    /// Every visible scene is active, as on macOS.
    case visible
}

/// Why a phase changed. The raw value is the word that lines and hooks use.
public enum Cause: String, CaseIterable, Hashable, Sendable, Codable {
    /// Found when the watch began.
    case start
    /// It appeared.
    case open
    /// It is gone.
    case close
    /// It got the input focus.
    case focus
    /// It lost the input focus.
    case blur
    /// It was iconified.
    case iconify
    /// It is iconified no longer.
    case deiconify
    /// Its desktop was left or shown, or the window moved to another one.
    case desktop
    /// "Show desktop" began or ended.
    case showDesktop = "show-desktop"
    /// It was rolled up or down.
    case shade
    /// It is a tab that went behind another one, or came to the front.
    case tab
    /// It went off the screen, or came back.
    case offscreen
    /// It was mapped.
    case map
    /// It was unmapped, and is still managed.
    case unmap
    /// WM_CLASS changed; the scene now belongs to another application or group.
    case regroup
    /// Another virtual terminal is shown.
    case away
    /// The virtual terminal of the display is shown again.
    case back
    /// The screen was locked.
    case lock
    /// The screen is locked no longer.
    case unlock
    /// The display went off.
    case displayOff = "display-off"
    /// The display is on again.
    case displayOn = "display-on"
    /// Other windows cover it wholly.
    case covered
    /// A part of it can be seen again.
    case uncovered
    /// The user has touched nothing for a while.
    case idle
    /// The user has come back.
    case `return`
    /// A window manager died or took over, and the phase is another one since.
    case windowManager = "window-manager"
    /// The title is another one, and the phase the same.
    case title
    /// No event: the state is reported again after lost lines or changed options.
    case resync
}
