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
    package fileprivate(set) var session: [Fact] = []
    package fileprivate(set) var screens: [Screen] = []
    /// The reasons why phases cannot be trusted, as sentences; empty if they can.
    package fileprivate(set) var faults: [String] = []
    /// The gaps that do not make phases wrong, as sentences.
    package fileprivate(set) var gaps: [String] = []

    /// Whether the environment declares a Wayland session.
    package static var isWaylandSession: Bool {
        let (socket, kind) = (getenv("WAYLAND_DISPLAY"), getenv("XDG_SESSION_TYPE"))
        return socket.map { $0.pointee != 0 } ?? false || kind.map { strcmp($0, "wayland") == 0 } ?? false
    }
}

extension DisplayInspector {
    /// What the lack of a hint, an extension or a property means. The order is that of the report.
    private static let gaps = [
        ("_NET_CLIENT_LIST", "windows are found by WM_STATE"),
        ("_NET_ACTIVE_WINDOW", "the focus is that of XGetInputFocus"),
        ("_NET_CURRENT_DESKTOP", "the cause 'desktop' cannot be distinguished from others"),
        ("_NET_WM_STATE_HIDDEN", "a tab behind another one counts as visible"),
        ("XFree86_has_VT", "a switch to another virtual terminal is not reported"),
        ("MIT-SCREEN-SAVER", "a blank display is not reported"),
        ("DPMS", "a display that a program such as xss-lock blanks counts as on"),
        ("XINERAMA", "monitors that are off are not reported"),
        ("SYNC", "idle times are not reported: --idle has no effect"),
        ("SHAPE", "every window counts as the whole of its rectangle"),
        (
            "X-Resource",
            "the owner of a window is not known: hooks get no processes, and reactions do nothing"
        ),
        ("RECORD", "messages and grabbed keys do not thaw frozen applications"),
    ]

    private static func sentences(about missing: [String: Bool]) -> [String] {
        gaps.filter { missing[$0.0] == true }.map { "Without \($0) \($1)." }
    }

    /// Returns the capabilities of the display, and the signals that the rule uses.
    package func diagnose() throws(MonitorFailure) -> Diagnosis {
        let desktop = try desktop()
        let hints = try observer.managerHints()
        var diagnosis = Diagnosis(
            display: displayName, server: observer.server, isWayland: Diagnosis.isWaylandSession)
        for (screen, hints) in zip([desktop.screen], hints) { Self.add(screen, hints, to: &diagnosis) }
        if diagnosis.isWayland {
            diagnosis.faults.append(
                "This is a Wayland session. Native Wayland windows are not seen, and an application that has only such windows "
                    + "is not listed; one whose X11 windows lose the focus to them may stay active.")
        }
        addSession(desktop, reportsTerminal: hints.contains(where: \.reportsTerminal), to: &diagnosis)
        return diagnosis
    }

    private static func add(
        _ screen: Scenes.Screen, _ hints: ManagerHints, to diagnosis: inout Diagnosis
    ) {
        let (isManaged, isTrusted) = (screen.manager != nil, screen.isTrusted)
        // The list of a dead manager stays on the root window.
        let offered = isTrusted ? hints.supported : []
        // Some properties are set only once a window exists; others are set without being announced.
        let available = isTrusted ? hints.supported.union(hints.set) : []
        let known = ManagerHints.rootProperties + ManagerHints.states
        let hidden = screen.currentDesktop == nil ? "HIDDEN" : "_NET_WM_DESKTOP"
        let visible =
            "map_state, geometry" + (isManaged ? ", WM_STATE, SHADED, HIDDEN if covered" : "")
            + (isManaged && screen.isOwnCompositor ? ", \(hidden), since it is its own compositor" : "")
            + (isManaged && available.contains("_NET_SHOWING_DESKTOP") ? ", _NET_SHOWING_DESKTOP" : "")
        let unlisted = isManaged ? "WM_STATE" : "mapped top-level windows with a name"
        let focused =
            available.contains("_NET_ACTIVE_WINDOW")
            ? "XGetInputFocus, _NET_ACTIVE_WINDOW while no client has the keys"
            : "XGetInputFocus, or the window under the pointer"
        let hasDesktops = isTrusted && screen.currentDesktop != nil
        diagnosis.screens.append(
            Diagnosis.Screen(
                manager: screen.manager.map { ($0.name, hints.pid) },
                supported: known.filter(offered.contains), lacking: known.filter { !offered.contains($0) },
                rootProperties: ManagerHints.rootProperties.filter(hints.set.contains),
                signals: [
                    Fact("managed", isTrusted && screen.clients != nil ? "_NET_CLIENT_LIST" : unlisted),
                    Fact("visible", visible), Fact("focused", focused),
                    Fact("desktop", hasDesktops ? "_NET_WM_DESKTOP, _NET_CURRENT_DESKTOP" : nil),
                ]))
        // Properties of the root window that the running manager may not have written.
        let stale = isTrusted ? "" : hints.set.sorted().joined(separator: ", ")
        if let manager = screen.manager {
            diagnosis.gaps += sentences(
                about: Dictionary(uniqueKeysWithValues: known.map { ($0, !available.contains($0)) }))
            if stale.isEmpty { return }
            diagnosis.faults.append(
                "\(manager.name ?? "The window manager") has no valid _NET_SUPPORTING_WM_CHECK, and has not written "
                    + "\(stale) since xphase first read them: they may be from another one. "
                    + "Until it writes them, xphase uses WM_STATE and the input focus.")
        } else {
            diagnosis.gaps.append(
                "No window manager runs: nothing can be iconified, and every mapped top-level window with a name counts."
            )
            if stale.isEmpty { return }
            diagnosis.gaps.append("\(stale) were left by an earlier window manager and are ignored.")
        }
    }

    private func addSession(_ desktop: Desktop, reportsTerminal: Bool, to diagnosis: inout Diagnosis) {
        let (server, isX) = (observer.extensions, !observer.isXWayland)
        let missing = [
            "XFree86_has_VT": isX && !reportsTerminal, "MIT-SCREEN-SAVER": isX && server.screenSaver == nil,
            "DPMS": isX && server.screenSaver != nil && server.dpms == nil,
            "XINERAMA": isX && server.xinerama == nil, "SYNC": isX && server.sync == nil,
            "SHAPE": server.shape == nil, "X-Resource": server.resource == nil,
            "RECORD": server.record == nil,
        ]
        var off = ["MIT-SCREEN-SAVER", "DPMS", "XINERAMA"].filter { missing[$0] == false }
        if server.screenSaver == nil { off.removeAll { $0 == "DPMS" } }
        let lock = "override-redirect windows above all others, grabs of the keyboard, _SCREENSAVER_STATUS"
        diagnosis.session = [
            Fact("away", isX && reportsTerminal ? "XFree86_has_VT" : nil), Fact("lock", isX ? lock : nil),
            Fact("display-off", isX && !off.isEmpty ? off.joined(separator: ", ") : nil),
            Fact("covered", "stacking order, geometry, \(server.shape == nil ? "" : "shape, ")opacity"),
            Fact("idle", isX && server.sync != nil ? "IDLETIME of SYNC" : nil),
        ]
        if !isX {
            diagnosis.gaps.append(
                "This server is XWayland, which does not report locks, a blank display or idle times.")
        }
        diagnosis.gaps += Self.sentences(about: missing)
        if desktop.screen.manager?.name == "GNOME Shell" {
            diagnosis.gaps.append(
                "GNOME Shell draws its lock screen without a window: locking is not detected.")
        }
        if desktop.screen.isComposited {
            diagnosis.gaps.append(
                "A compositor runs. Its configuration may make windows transparent without a property, and a window that "
                    + "shines through another may count as covered: --occlusion is off by default.")
        }
    }
}
