import Glibc
import Scenes
import X11

/// What a display offers, what of it the rule relies on, and what is wrong with that.
public struct Diagnosis: Sendable {
    /// The window manager of a screen.
    public struct Manager: Sendable {
        /// `_NET_WM_NAME` of its check window; nil where it says none.
        public let name: String?
        /// `_NET_WM_PID` of its check window; nil where it says none.
        public let pid: Int32?
    }

    /// One X screen.
    public struct Screen: Sendable {
        let screen: Scenes.Screen
        let hints: ManagerHints
    }

    /// The name of the display.
    public let display: String
    /// Who made the server, and its release number.
    public let server: (vendor: String, release: Int)
    /// `isWaylandSession`, whatever display was asked for.
    public let isWayland: Bool
    /// The signals that tell whether anybody can see the display, by the state that they tell: `away`, `lock`, `display-off`,
    /// `covered`, `idle`. No value where nothing tells it.
    public let session: [Fact]
    /// The screens in their order.
    public let screens: [Screen]
    let sessionGaps: [String]

    /// Sentences: why phases cannot be trusted; none where they can.
    public var faults: [String] {
        var faults = screens.flatMap(\.faults)
        if isWayland {
            faults.append(
                "This is a Wayland session. Native Wayland windows are not seen, and an application that has only such windows "
                    + "is not listed; one whose X11 windows lose the focus to them may stay active.")
        }
        return faults
    }

    /// Sentences: what is missing without making phases wrong.
    public var gaps: [String] { screens.flatMap(\.gaps) + sessionGaps }

    /// Whether the environment says that this is a Wayland session.
    public static var isWaylandSession: Bool {
        let (socket, kind) = (getenv("WAYLAND_DISPLAY"), getenv("XDG_SESSION_TYPE"))
        return socket.map { $0.pointee != 0 } ?? false || kind.map { strcmp($0, "wayland") == 0 } ?? false
    }
}

extension PhaseWatcher {
    /// Tells what the display offers, and what of it is relied on.
    ///
    /// - Throws: `Failure.displayLost`.
    public func diagnose() throws(PhaseMonitor.Failure) -> Diagnosis {
        let desktop = try seen()
        let hints = try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            try observer.managerHints()
        }
        let session = SessionDiagnosis(
            desktop: desktop, extensions: observer.extensions, isXWayland: isXWayland, hints: hints)
        return Diagnosis(
            display: displayName, server: observer.server, isWayland: Diagnosis.isWaylandSession,
            session: session.signals,
            screens: zip(desktop.screens, hints).map { Diagnosis.Screen(screen: $0, hints: $1) },
            sessionGaps: session.gaps)
    }
}
