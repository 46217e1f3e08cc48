/// Why a phase changed. The raw value is the word that lines and hooks use.
public enum Cause: String, CaseIterable, Hashable, Sendable, Codable {
    /// Found when the watch began.
    case start
    case open, close
    case focus, blur
    case iconify, deiconify
    /// Its desktop was left or shown, or the window moved to another one.
    case desktop
    case showDesktop = "show-desktop"
    case shade
    /// It is a tab that went behind another one, or came to the front.
    case tab
    case offscreen
    case map, unmap
    /// WM_CLASS changed; the scene now belongs to another application or group.
    case regroup
    /// A window manager died or took over, and the phase is another one since.
    case windowManager = "window-manager"
    /// Lines were given up; what is told is the state, not an event.
    case resync
}
