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
        /// nil where nobody holds SubstructureRedirect.
        public let manager: Manager?
        /// The EWMH hints that the manager says it supports, among those that the rule has a use for.
        public let supported: [String]
        /// The others that the rule has a use for.
        public let lacking: [String]
        /// The properties of the root window that are set, by whomever.
        public let rootProperties: [String]
        /// The signals that the rule uses, by the question that they answer: `managed`, `visible`, `focused`, `desktop`.
        public let signals: [Fact]
        /// Sentences: why phases cannot be trusted.
        public let faults: [String]
        /// Sentences: what is missing without making phases wrong.
        public let gaps: [String]
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
    private let sessionGaps: [String]

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
            observer.server, session,
            zip(desktop.screens, hints).map { ScreenDiagnosis(screen: $0, hints: $1) })
    }
}

extension Diagnosis {
    init(_ server: ServerFacts, _ session: SessionDiagnosis, _ screens: [ScreenDiagnosis]) {
        self.init(
            display: server.display, server: (server.vendor, server.release),
            isWayland: Self.isWaylandSession,
            session: session.signals, screens: screens.map { Screen($0) }, sessionGaps: session.gaps)
    }
}

extension Diagnosis.Screen {
    init(_ diagnosis: ScreenDiagnosis) {
        let (screen, hints) = (diagnosis.screen, diagnosis.hints)
        let all = ManagerHints.rootProperties + ManagerHints.states
        manager = screen.manager.map { Diagnosis.Manager(name: $0.name, pid: hints.pid) }
        supported = all.filter(diagnosis.supported.contains)
        lacking = all.filter { !diagnosis.supported.contains($0) }
        rootProperties = ManagerHints.rootProperties.filter(hints.set.contains)
        signals = diagnosis.signals
        faults = diagnosis.faults
        gaps = diagnosis.gaps
    }
}
