import TestDesktop
import Testing

/// Everything that needs an X server.
@Suite struct DesktopTests {}

extension Session {
    /// Gives a window the focus in the way of the window manager.
    func focus(_ window: TestWindow) {
        if manager == nil { client.setFocus(window.id) } else { window.activate() }
    }
}
