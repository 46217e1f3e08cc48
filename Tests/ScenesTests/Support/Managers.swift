@testable import Scenes

/// The death of a window manager and the start of the next one.
extension Timeline {
    /// Kills the window manager as SIGKILL does: every window is mapped, and the properties of the root window stay.
    @discardableResult
    mutating func killManager() -> [String] {
        change { desktop in
            desktop.screen.manager = nil
            desktop.screen.wasRewritten = false
            desktop.inputFocus = .underPointer(nil)
            for window in desktop.windows.windows {
                desktop.edit(window.id.xid) { $0.mapState = .viewable }
            }
        }
    }

    /// Starts another window manager. It focuses a window of its own and unmaps the iconic windows again.
    @discardableResult
    mutating func startManager(_ name: String = "openbox", check: UInt32 = 0x400_0020) -> [String] {
        change { desktop in
            desktop.screen.manager = Screen.Manager(checkWindow: check, client: 0x400_0000, name: name)
            desktop.inputFocus = .elsewhere(client: 0)
            for window in desktop.windows.windows where window.state == .iconic {
                desktop.edit(window.id.xid) { $0.mapState = .unmapped }
            }
        }
    }
}
