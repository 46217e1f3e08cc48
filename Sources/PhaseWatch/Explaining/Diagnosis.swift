import Glibc
import Scenes
import X11

/// The capabilities of a display, the signals that the rule uses, and their faults.
package struct Diagnosis: Sendable {
    /// The window manager of a screen.
    package struct Manager: Sendable {
        /// `_NET_WM_NAME` of its check window; nil if that is not set.
        package let name: String?
        /// `_NET_WM_PID` of its check window; nil if that is not set.
        package let pid: Int32?
    }

    /// One X screen.
    package struct Screen: Sendable {
        let screen: Scenes.Screen
        let hints: ManagerHints
    }

    /// The name of the display.
    package let display: String
    /// The vendor of the server, and its release number.
    package let server: (vendor: String, release: Int)
    /// The value of `isWaylandSession`, whichever display was requested.
    package let isWayland: Bool
    /// The signals that report whether the display can be seen, by state: `away`, `lock`, `display-off`, `covered`,
    /// `idle`. The value is nil if nothing reports the state.
    package let session: [Fact]
    /// The screens, in order.
    package let screens: [Screen]
    let sessionGaps: [String]

    /// The reasons why phases cannot be trusted, as sentences; empty if they can.
    package var faults: [String] {
        var faults = screens.flatMap(\.faults)
        if isWayland {
            faults.append(
                "This is a Wayland session. Native Wayland windows are not seen, and an application that has only such windows "
                    + "is not listed; one whose X11 windows lose the focus to them may stay active.")
        }
        return faults
    }

    /// The gaps that do not make phases wrong, as sentences.
    package var gaps: [String] { screens.flatMap(\.gaps) + sessionGaps }

    /// Whether the environment declares a Wayland session.
    package static var isWaylandSession: Bool {
        let (socket, kind) = (getenv("WAYLAND_DISPLAY"), getenv("XDG_SESSION_TYPE"))
        return socket.map { $0.pointee != 0 } ?? false || kind.map { strcmp($0, "wayland") == 0 } ?? false
    }
}

extension PhaseWatcher {
    /// Returns the capabilities of the display, and the signals that the rule uses.
    ///
    /// - Throws: `Failure.displayLost`, `.displaySilent`.
    package func diagnose() throws(PhaseMonitor.Failure) -> Diagnosis {
        let desktop = try seen()
        let hints = try observer.managerHints()
        let session = SessionDiagnosis(
            desktop: desktop, extensions: observer.extensions, isXWayland: isXWayland, hints: hints)
        return Diagnosis(
            display: displayName, server: observer.server, isWayland: Diagnosis.isWaylandSession,
            session: session.signals,
            screens: zip(desktop.screens, hints).map { Diagnosis.Screen(screen: $0, hints: $1) },
            sessionGaps: session.gaps)
    }
}
