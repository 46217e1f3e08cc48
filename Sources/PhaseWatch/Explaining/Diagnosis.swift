import Glibc
import Scenes
import X11

/// The capabilities of a display, the signals that the rule uses, and their faults.
package struct Diagnosis: Sendable {
    /// One X screen.
    package struct Screen: Sendable {
        /// `_NET_WM_NAME` and `_NET_WM_PID` of the window manager's check window; nil if no client has selected
        /// SubstructureRedirect.
        package let manager: (name: String?, pid: Int32?)?
        /// The EWMH hints that the window manager supports, among those that the rule uses.
        package let supported: [String]
        /// The other EWMH hints that the rule uses.
        package let lacking: [String]
        /// The properties of the root window that are set, by any client.
        package let rootProperties: [String]
        /// The signals that the rule uses, by the question that they answer: `managed`, `visible`, `focused`,
        /// `desktop`.
        package let signals: [Fact]
    }

    package let display: String
    /// The vendor of the server, and its release number.
    package let server: (vendor: String, release: Int)
    /// The value of `isWaylandSession`, whichever display was requested.
    package let isWayland: Bool
    /// The signals that report whether the display can be seen, by state: `away`, `lock`, `display-off`, `covered`,
    /// `idle`. The value is nil if nothing reports the state.
    package let session: [Fact]
    package let screens: [Screen]
    /// The reasons why phases cannot be trusted, as sentences; empty if they can.
    package let faults: [String]
    /// The gaps that do not make phases wrong, as sentences.
    package let gaps: [String]

    /// Whether the environment declares a Wayland session.
    package static var isWaylandSession: Bool {
        let (socket, kind) = (getenv("WAYLAND_DISPLAY"), getenv("XDG_SESSION_TYPE"))
        return socket.map { $0.pointee != 0 } ?? false || kind.map { strcmp($0, "wayland") == 0 } ?? false
    }
}

extension DisplayInspector {
    /// Returns the capabilities of the display, and the signals that the rule uses.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func diagnose() throws(MonitorFailure) -> Diagnosis {
        let desktop = try desktop()
        let hints = try observer.managerHints()
        let screens = zip(desktop.screens, hints).map { ScreenDiagnosis(screen: $0, hints: $1) }
        let session = SessionDiagnosis(
            desktop: desktop, extensions: observer.extensions, isXWayland: observer.isXWayland,
            reportsTerminal: hints.contains(where: \.reportsTerminal))
        let isWayland = Diagnosis.isWaylandSession
        return Diagnosis(
            display: displayName, server: observer.server, isWayland: isWayland, session: session.signals,
            screens: screens.map(\.report),
            faults: screens.flatMap(\.faults)
                + (isWayland
                    ? [
                        "This is a Wayland session. Native Wayland windows are not seen, and an application that has only such windows "
                            + "is not listed; one whose X11 windows lose the focus to them may stay active."
                    ] : []),
            gaps: screens.flatMap(\.gaps) + session.gaps)
    }
}

/// The sentences whose conditions hold.
private func sentences(_ table: [(isTrue: Bool, text: String)]) -> [String] {
    table.filter(\.isTrue).map(\.text)
}

private struct ScreenDiagnosis {
    let screen: Scenes.Screen
    let hints: ManagerHints

    var report: Diagnosis.Screen {
        let known = ManagerHints.rootProperties + ManagerHints.states
        return Diagnosis.Screen(
            manager: screen.manager.map { ($0.name, hints.pid) },
            supported: known.filter(offered.contains), lacking: known.filter { !offered.contains($0) },
            rootProperties: ManagerHints.rootProperties.filter(hints.set.contains),
            signals: [
                Fact("managed", managed), Fact("visible", visible),
                Fact(
                    "focused",
                    offers("_NET_ACTIVE_WINDOW")
                        ? "XGetInputFocus, _NET_ACTIVE_WINDOW while no client has the keys"
                        : "XGetInputFocus, or the window under the pointer"),
                Fact(
                    "desktop",
                    screen.isTrusted && screen.currentDesktop != nil
                        ? "_NET_WM_DESKTOP, _NET_CURRENT_DESKTOP" : nil),
            ])
    }

    var faults: [String] {
        guard let manager = screen.manager, !stale.isEmpty else { return [] }
        return [
            "\(manager.name ?? "The window manager") has no valid _NET_SUPPORTING_WM_CHECK, and has not written "
                + "\(stale.joined(separator: ", ")) since xphase first read them: they may be from another one. "
                + "Until it writes them, xphase uses WM_STATE and the input focus."
        ]
    }

    var gaps: [String] {
        let isManaged = screen.manager != nil
        return sentences([
            (
                !isManaged,
                "No window manager runs: nothing can be iconified, and every mapped top-level window with a name counts."
            ),
            (
                !isManaged && !stale.isEmpty,
                "\(stale.joined(separator: ", ")) were left by an earlier window manager and are ignored."
            ),
            (
                isManaged && !offers("_NET_CLIENT_LIST"),
                "Without _NET_CLIENT_LIST windows are found by WM_STATE."
            ),
            (
                isManaged && !offers("_NET_ACTIVE_WINDOW"),
                "Without _NET_ACTIVE_WINDOW the focus is that of XGetInputFocus."
            ),
            (
                isManaged && !offers("_NET_CURRENT_DESKTOP"),
                "Without _NET_CURRENT_DESKTOP the cause 'desktop' cannot be distinguished from others."
            ),
            (
                isManaged && !offers("_NET_WM_STATE_HIDDEN"),
                "Without _NET_WM_STATE_HIDDEN a tab behind another one counts as visible."
            ),
        ])
    }

    /// The hints that the running manager supports. The list of a dead manager stays on the root window.
    private var offered: Set<String> { screen.isTrusted ? hints.supported : [] }

    /// Returns whether a hint is available. Some properties are set only once a window exists; others are set without
    /// being announced.
    private func offers(_ name: String) -> Bool {
        offered.contains(name) || screen.isTrusted && hints.set.contains(name)
    }

    /// Properties of the root window that the running manager may not have written.
    private var stale: [String] { screen.isTrusted ? [] : hints.set.sorted() }

    private var managed: String {
        if screen.isTrusted && screen.clients != nil { return "_NET_CLIENT_LIST" }
        return screen.manager == nil ? "mapped top-level windows with a name" : "WM_STATE"
    }

    private var visible: String {
        guard screen.manager != nil else { return "map_state, geometry" }
        let hidden = screen.currentDesktop == nil ? "HIDDEN" : "_NET_WM_DESKTOP"
        return "map_state, geometry, WM_STATE, SHADED, HIDDEN if covered"
            + (screen.isOwnCompositor ? ", \(hidden), since it is its own compositor" : "")
            + (offers("_NET_SHOWING_DESKTOP") ? ", _NET_SHOWING_DESKTOP" : "")
    }
}

private struct SessionDiagnosis {
    let desktop: Desktop
    let extensions: Extensions
    let isXWayland: Bool
    let reportsTerminal: Bool

    var signals: [Fact] {
        func unlessXWayland(_ isKnown: Bool, _ signal: String) -> String? {
            isKnown && !isXWayland ? signal : nil
        }
        let (hasSaver, hasMonitors) = (extensions.screenSaver != nil, extensions.xinerama != nil)
        let off = sentences([
            (hasSaver, "MIT-SCREEN-SAVER"), (hasSaver && extensions.dpms != nil, "DPMS"),
            (hasMonitors, "XINERAMA"),
        ])
        return [
            Fact("away", unlessXWayland(reportsTerminal, "XFree86_has_VT")),
            Fact(
                "lock",
                unlessXWayland(
                    true,
                    "override-redirect windows above all others, grabs of the keyboard, _SCREENSAVER_STATUS")),
            Fact("display-off", unlessXWayland(!off.isEmpty, off.joined(separator: ", "))),
            Fact("covered", "stacking order, geometry, \(extensions.shape == nil ? "" : "shape, ")opacity"),
            Fact("idle", unlessXWayland(extensions.sync != nil, "IDLETIME of SYNC")),
        ]
    }

    var gaps: [String] {
        let isX = !isXWayland
        return sentences([
            (
                isXWayland,
                "This server is XWayland, which does not report locks, a blank display or idle times."
            ),
            (
                isX && !reportsTerminal,
                "Without XFree86_has_VT a switch to another virtual terminal is not reported."
            ),
            (
                isX && extensions.screenSaver == nil,
                "Without MIT-SCREEN-SAVER a blank display is not reported."
            ),
            (
                isX && extensions.screenSaver != nil && extensions.dpms == nil,
                "Without DPMS a display that a program such as xss-lock blanks counts as on."
            ),
            (
                isX && extensions.xinerama == nil,
                "Without XINERAMA monitors that are off are not reported."
            ),
            (
                isX && extensions.sync == nil,
                "Without SYNC idle times are not reported: --idle has no effect."
            ),
            (extensions.shape == nil, "Without SHAPE every window counts as the whole of its rectangle."),
            (
                extensions.resource == nil,
                "Without X-Resource the owner of a window is not known: hooks get no processes, and reactions do nothing."
            ),
            (
                extensions.record == nil,
                "Without RECORD messages and grabbed keys do not thaw frozen applications."
            ),
            (
                desktop.screens.contains { $0.manager?.name == "GNOME Shell" },
                "GNOME Shell draws its lock screen without a window: locking is not detected."
            ),
            (
                desktop.screens.contains(where: \.isComposited),
                "A compositor runs. Its configuration may make windows transparent without a property, and a window that "
                    + "shines through another may count as covered: --occlusion is off by default."
            ),
        ])
    }
}
