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
    /// A window manager died or took over, and the phase is another one since.
    case windowManager = "window-manager"
    /// Lines were given up; what is told is the state, not an event.
    case resync
}
