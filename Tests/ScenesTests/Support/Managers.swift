@testable import Scenes

/// What becomes of the desktop when its window manager dies, and when the next one starts.
extension Timeline {
    /// kill -9: every window is mapped, and what the root window says stays as it is.
    @discardableResult
    mutating func killManager(screen: Int = 0) -> [String] {
        change { desktop in
            desktop.screens[screen].manager = nil
            desktop.screens[screen].wasRewritten = false
            desktop.inputFocus = .underPointer(screen: screen, window: nil)
            for window in desktop.windows.windows where window.screen == screen {
                desktop.edit(window.id.xid) { $0.mapState = .viewable }
            }
        }
    }

    /// Another one starts, keeps the keys in a window of its own, and hides again what is iconic.
    @discardableResult
    mutating func startManager(_ name: String = "openbox", check: UInt32 = 0x400_0020) -> [String] {
        change { desktop in
            desktop.screens[0].manager = Screen.Manager(checkWindow: check, name: name)
            desktop.inputFocus = .elsewhere(screen: 0)
            for window in desktop.windows.windows where window.state == .iconic {
                desktop.edit(window.id.xid) { $0.mapState = .unmapped }
            }
        }
    }
}
