import Scenes
import X11

/// The capabilities of one screen, and their faults.
extension Diagnosis.Screen {
    /// nil if no client has selected SubstructureRedirect.
    package var manager: Diagnosis.Manager? {
        screen.manager.map { Diagnosis.Manager(name: $0.name, pid: hints.pid) }
    }

    /// The EWMH hints that the window manager supports, among those that the rule uses.
    package var supported: [String] { Self.known.filter(offered.contains) }

    /// The other EWMH hints that the rule uses.
    package var lacking: [String] { Self.known.filter { !offered.contains($0) } }

    /// The properties of the root window that are set, by any client.
    package var rootProperties: [String] { ManagerHints.rootProperties.filter(hints.set.contains) }

    private static var known: [String] { ManagerHints.rootProperties + ManagerHints.states }

    /// The hints that the running manager supports. The list of a dead manager stays on the root window.
    private var offered: Set<String> { screen.isTrusted ? hints.supported : [] }

    /// The signals that the rule uses, by the question that they answer: `managed`, `visible`, `focused`, `desktop`.
    package var signals: [Fact] {
        [
            Fact("managed", managed), Fact("visible", visible), Fact("focused", focused),
            Fact("desktop", desktop),
        ]
    }

    /// The reasons why phases cannot be trusted, as sentences.
    package var faults: [String] {
        guard let manager = screen.manager, !screen.isTrusted, !stale.isEmpty else { return [] }
        return [
            "\(manager.name ?? "The window manager") has no valid _NET_SUPPORTING_WM_CHECK, and has not written "
                + "\(stale.joined(separator: ", ")) since xphase first read them: they may be from another one. "
                + "Until it writes them, xphase uses WM_STATE and the input focus."
        ]
    }

    /// The gaps that do not make phases wrong, as sentences.
    package var gaps: [String] {
        guard screen.manager != nil else {
            return [
                "No window manager runs: nothing can be iconified, and every mapped top-level window with a name counts."
            ]
                + (stale.isEmpty
                    ? []
                    : [
                        "\(stale.joined(separator: ", ")) were left by an earlier window manager and are ignored."
                    ])
        }
        var gaps: [String] = []
        if !offers("_NET_CLIENT_LIST") {
            gaps.append("Without _NET_CLIENT_LIST windows are found by WM_STATE.")
        }
        if !offers("_NET_ACTIVE_WINDOW") {
            gaps.append("Without _NET_ACTIVE_WINDOW the focus is that of XGetInputFocus.")
        }
        if !offers("_NET_CURRENT_DESKTOP") {
            gaps.append(
                "Without _NET_CURRENT_DESKTOP the cause 'desktop' cannot be distinguished from others.")
        }
        if !offers("_NET_WM_STATE_HIDDEN") {
            gaps.append("Without _NET_WM_STATE_HIDDEN a tab behind another one counts as visible.")
        }
        return gaps
    }

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
        var signals = ["map_state", "geometry", "WM_STATE", "SHADED", "HIDDEN if covered"]
        if screen.isOwnCompositor {
            let signal = screen.currentDesktop == nil ? "HIDDEN" : "_NET_WM_DESKTOP"
            signals.append("\(signal), since it is its own compositor")
        }
        if offers("_NET_SHOWING_DESKTOP") { signals.append("_NET_SHOWING_DESKTOP") }
        return signals.joined(separator: ", ")
    }

    private var focused: String {
        offers("_NET_ACTIVE_WINDOW")
            ? "XGetInputFocus, _NET_ACTIVE_WINDOW while no client has the keys"
            : "XGetInputFocus, or the window under the pointer"
    }

    private var desktop: String? {
        screen.isTrusted && screen.currentDesktop != nil ? "_NET_WM_DESKTOP, _NET_CURRENT_DESKTOP" : nil
    }
}
