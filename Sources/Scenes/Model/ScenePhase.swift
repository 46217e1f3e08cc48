/// How much a scene, a group or an application is in use, as SwiftUI's `ScenePhase`.
///
/// The order is `background < inactive < active`: the phase of several scenes is their `max()`. The raw value is the word in
/// lines, hooks and arguments.
public enum ScenePhase: String, CaseIterable, Comparable, Hashable, Sendable, Codable {
    /// Not visible in the user interface.
    case background
    /// In the foreground, but should pause its work.
    case inactive
    /// In the foreground and interactive.
    case active

    /// Returns whether a phase is less than another one: less of the scene is in use.
    public static func < (left: ScenePhase, right: ScenePhase) -> Bool {
        left != right && (left == .background || right == .active)
    }
}

/// Which of the visible scenes count as active. The others are in the background under every policy.
public enum PhasePolicy: String, CaseIterable, Hashable, Sendable {
    /// The scene with the input focus is active, every other visible scene is inactive.
    case focus
    /// Every visible scene of the application that has the focus is active.
    case application
    /// Every visible scene is active, as on macOS.
    case visible
}

/// The cause of a phase change. The raw value is the word in lines and hooks.
public enum Cause: String, CaseIterable, Hashable, Sendable, Codable {
    /// The scene was found when the watch began.
    case start
    /// The scene appeared.
    case open
    /// The scene is gone.
    case close
    /// The scene got the input focus.
    case focus
    /// The scene lost the input focus.
    case blur
    /// The scene was iconified.
    case iconify
    /// The scene was deiconified.
    case deiconify
    /// The desktop of the scene was left or shown, or the window moved to another desktop.
    case desktop
    /// "Show desktop" began or ended.
    case showDesktop = "show-desktop"
    /// The scene was shaded or unshaded.
    case shade
    /// The scene is a tab that went behind another one, or came to the front.
    case tab
    /// The scene moved off the screen, or back.
    case offscreen
    /// The window was mapped.
    case map
    /// The window was unmapped, but is still managed.
    case unmap
    /// WM_CLASS changed; the scene now belongs to another application or group.
    case regroup
    /// Another virtual terminal is shown.
    case away
    /// The virtual terminal of the display is shown again.
    case back
    /// The screen was locked.
    case lock
    /// The screen was unlocked.
    case unlock
    /// The display turned off.
    case displayOff = "display-off"
    /// The display turned on again.
    case displayOn = "display-on"
    /// Other windows cover the scene completely.
    case covered
    /// A part of the scene is visible again.
    case uncovered
    /// The user became idle.
    case idle
    /// The user returned.
    case `return`
    /// A window manager exited or took over, and the phase has changed since then.
    case windowManager = "window-manager"
    /// The title changed, but not the phase.
    case title
    /// Not an event: the state is reported again after lost lines or changed options.
    case resync
}
