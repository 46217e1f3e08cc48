import CXPipeline
import Scenes

/// For how many milliseconds states of the session have lasted, by the server; nil if it does not say.
package struct SessionAges: Sendable {
    /// Since the last input.
    package var idle: Int64?
    /// Since the screen saver came on, or longer.
    package var saver: Int64?
}

/// What nobody reads but to explain what is seen.
extension DesktopObserver {
    /// Has the next `refresh` ask since when the display is off and the user idle.
    package func readAges() {
        session.ages = SessionAges()
        if !session.display.savers.isEmpty { stale.session.insert(.savers) }
        if session.idleAlarms != nil { stale.session.insert(.idle) }
    }

    /// Follows windows that no window manager manages, so that they have names.
    package func follow(unmanaged windows: [(window: UInt32, screen: Int)]) {
        for (window, screen) in windows {
            adopt(window, screen: screen, isChildOfRoot: true, isOverrideRedirect: true)
        }
    }

    /// The process whose window it is, as X-Resource tells of those on this host; nil where that is not known. Waits for it.
    ///
    /// - Throws: `DisplayError.connectionLost`, `.noAnswer`.
    package func process(of window: WindowID) throws(DisplayError) -> Int32? {
        guard let resource = extensions.resource else { return nil }
        return try reply(cxp_get_process(display.connection, resource, window.xid)).process
    }
}
