import Glibc
import Scenes
import X11

/// The capabilities of a display, the signals that the rule uses, and their faults.
package struct Diagnosis: Sendable {
    /// What the lack of a hint, an extension or a property means. The order is that of the report.
    private static let lacks = [
        ("_NET_CLIENT_LIST", "windows are found by WM_STATE"),
        ("_NET_ACTIVE_WINDOW", "the focus is that of XGetInputFocus"),
        ("_NET_CURRENT_DESKTOP", "the cause 'desktop' cannot be distinguished from others"),
        ("_NET_WM_STATE_HIDDEN", "a tab behind another one counts as visible"),
        ("XFree86_has_VT", "a switch to another virtual terminal is not reported"),
        ("MIT-SCREEN-SAVER", "a blank display is not reported"),
        ("DPMS", "a display blanked by a program such as xss-lock counts as on"),
        ("RandR 1.5", "monitors have no names, and those that are off are not reported"),
        ("SYNC", "idle times are not reported: --idle has no effect"),
        ("SHAPE", "every window counts as the whole of its rectangle"),
        ("X-Resource", "the owner of a window is unknown: hooks get no processes, and reactions do nothing"),
        ("RECORD", "messages and grabbed keys do not thaw frozen applications"),
    ]
    /// The hints that the rule uses.
    private static let hints = ManagerHints.rootProperties + ManagerHints.states

    package let display: String
    /// The vendor of the server, and its release number.
    package let server: (vendor: String, release: Int)
    let screen: Scenes.Screen
    let hints: ManagerHints
    let extensions: Extensions
    let isX: Bool

    /// Whether the environment declares a Wayland session, whichever display was requested.
    package static var isWaylandSession: Bool {
        let (socket, kind) = (getenv("WAYLAND_DISPLAY"), getenv("XDG_SESSION_TYPE"))
        return socket.map { $0.pointee != 0 } ?? false || kind.map { strcmp($0, "wayland") == 0 } ?? false
    }

    /// The name and the process of the window manager; nil if no client has selected SubstructureRedirect.
    package var manager: (name: String?, pid: Int32?)? { screen.manager.map { ($0.name, hints.pid) } }

    /// The EWMH hints that the window manager supports, among those that the rule uses.
    package var supported: [String] { Self.hints.filter(offered.contains) }

    package var lacking: [String] { Self.hints.filter { !offered.contains($0) } }

    /// The properties of the root window that are set, by any client.
    package var rootProperties: [String] { ManagerHints.rootProperties.filter(hints.set.contains) }

    private var offered: Set<String> { screen.isTrusted ? hints.supported : [] }

    private var isManaged: Bool { screen.manager != nil }

    /// The hints that are there. The list of a dead manager stays on the root window. Some properties are set only once a
    /// window exists; others are set without being announced.
    private var available: Set<String> { screen.isTrusted ? hints.supported.union(hints.set) : [] }

    /// Whether each line of `lacks` is there; nil if it does not matter here.
    private var has: [String: Bool] {
        var has: [String: Bool] = [:]
        if isManaged { for name in Self.hints { has[name] = available.contains(name) } }
        let names: [Extensions.Name] =
            [.shape, .resource, .record] + (isX ? [.screenSaver, .sync] : [])
            + (isX && extensions[.screenSaver] != nil ? [.dpms] : [])
        for name in names { has[name.rawValue] = extensions[name] != nil }
        if isX { (has["XFree86_has_VT"], has["RandR 1.5"]) = (hints.reportsTerminal, screen.monitors != nil) }
        return has
    }

    /// The signals that the rule uses, by the question that they answer.
    package var signals: [Fact] {
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
        let hasDesktops = screen.isTrusted && screen.currentDesktop != nil
        return [
            Fact("managed", screen.isTrusted && screen.clients != nil ? "_NET_CLIENT_LIST" : unlisted),
            Fact("visible", visible), Fact("focused", focused),
            Fact("desktop", hasDesktops ? "_NET_WM_DESKTOP, _NET_CURRENT_DESKTOP" : nil),
        ]
    }

    /// The signals that report whether the display can be seen, by state; nil if nothing reports the state.
    package var session: [Fact] {
        let lock = "override-redirect windows above all others, grabs of the keyboard, _SCREENSAVER_STATUS, "
        let off = ["MIT-SCREEN-SAVER", "DPMS", "RandR 1.5"].filter { has[$0] == true }
        return [
            Fact("away", has["XFree86_has_VT"] == true ? "XFree86_has_VT" : nil),
            Fact("lock", (isX ? lock : "") + "ActiveChanged"),
            Fact("display-off", off.isEmpty ? nil : off.joined(separator: ", ")),
            Fact("covered", "stacking order, geometry, \(extensions[.shape] == nil ? "" : "shape, ")opacity"),
            Fact("idle", has["SYNC"] == true ? "IDLETIME of SYNC" : nil),
        ]
    }

    /// The properties of the root window that the running manager may not have written; nil if there are none.
    private var stale: String? {
        screen.isTrusted || hints.set.isEmpty ? nil : hints.set.sorted().joined(separator: ", ")
    }

    /// The reasons why phases cannot be trusted, as sentences; empty if they can.
    package var faults: [String] {
        let manager = screen.manager.map { $0.name ?? "The window manager" }
        let untrusted = manager.flatMap { manager in
            stale.map {
                "\(manager) has no valid _NET_SUPPORTING_WM_CHECK, and has not written \($0) since xphase first read "
                    + "them: another one may have left them. Until it writes them, xphase uses WM_STATE and the input focus."
            }
        }
        let wayland =
            "This is a Wayland session. Native Wayland windows are not seen, and an application that has only such "
            + "windows is not listed; one whose X11 windows lose the focus to them may stay active."
        return [untrusted, Self.isWaylandSession ? wayland : nil].compactMap(\.self)
    }

    /// The gaps that do not make phases wrong, as sentences.
    package var gaps: [String] {
        let unmanaged =
            "No window manager runs: nothing can be iconified, and every mapped top-level window with a name counts."
        let left = stale.map { "\($0) were left by an earlier window manager and are ignored." }
        let xwayland = "This server is XWayland, which does not report locks, a blank display or idle times."
        let gnome = "GNOME Shell draws its lock screen without a window: only the session bus reports it."
        let compositor =
            "A compositor runs. Its configuration may make windows transparent without a property, and a window that "
            + "shines through another may count as covered: --occlusion is off by default."
        let has = has
        return [isManaged ? nil : unmanaged, isManaged ? nil : left, isX ? nil : xwayland].compactMap(\.self)
            + Self.lacks.filter { has[$0.0] == false }.map { "Without \($0.0) \($0.1)." }
            + [screen.manager?.name == "GNOME Shell" ? gnome : nil, screen.isComposited ? compositor : nil]
            .compactMap(\.self)
    }
}

extension DisplayInspector {
    package func diagnose() throws(MonitorFailure) -> Diagnosis {
        let desktop = try desktop()
        return Diagnosis(
            display: displayName, server: observer.server, screen: desktop.screen,
            hints: try observer.managerHints(), extensions: observer.extensions, isX: !observer.isXWayland)
    }
}
