import CXPipeline
import Scenes

/// The ages of session states in milliseconds, as the server reports them; nil if it does not.
package struct SessionAges: Sendable {
    /// Since the last input.
    package var idle: Int64?
    /// Since the screen saver came on, at least.
    package var saver: Int64?
}

/// Reads that only explanations need.
extension DesktopObserver {
    /// Makes the next `refresh` read how long the display has been off and the user idle.
    package func readAges() {
        session.ages = SessionAges()
        if !session.display.savers.isEmpty { stale.session.insert(.savers) }
        if session.idleAlarms != nil { stale.session.insert(.idle) }
    }

    /// Follows unmanaged windows, so that they have names.
    package func follow(unmanaged windows: [UInt32]) {
        for window in windows {
            adopt(window, screen: 0, isChildOfRoot: true, isOverrideRedirect: true)
        }
    }

    /// Returns the process that owns a window, from X-Resource; nil if it is unknown or on another host. Waits for the
    /// reply.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func process(of window: WindowID) throws(MonitorFailure) -> Int32? {
        guard let resource = extensions.resource else { return nil }
        return try reply(cxp_get_process(display.connection, resource, window.xid)).process
    }
}
