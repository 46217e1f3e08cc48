import TestDesktop
import Testing

/// The tests that need an X server.
@Suite struct DesktopTests {}

extension Session {
    /// Focuses a window, through the window manager if there is one.
    func focus(_ window: TestWindow) {
        if manager == nil { client.setFocus(window.id) } else { window.activate() }
    }
}
