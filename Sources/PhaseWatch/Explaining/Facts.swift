import Scenes

/// A fact that was read, under its name in X.
package struct Fact: Hashable, Sendable {
    /// The name, such as `_NET_WM_DESKTOP`.
    package let name: String
    /// nil if the property is not set, was not reported yet, or was not needed.
    package let value: String?

    init(_ name: String, _ value: String?) {
        (self.name, self.value) = (name, value)
    }
}

extension Verdict {
    var facts: [Fact] {
        let hasClass = window.instanceName != nil || window.className != nil
        let states = Self.states.filter { window.states.contains($0.0) }.map(\.1)
        return [
            Fact("WM_CLASS", hasClass ? "\(window.instanceName ?? ""), \(window.className ?? "")" : nil),
            Fact("class of its client", window.ownerClass),
            Fact("WM_WINDOW_ROLE", window.role),
            Fact("map_state", Self.mapStates[window.mapState]),
            Fact("WM_STATE", window.state.flatMap { Self.managedStates[$0] }),
            Fact("_NET_WM_STATE", states.isEmpty ? nil : states.joined(separator: ", ")),
            Fact(
                "_NET_WM_DESKTOP", window.desktop.map { $0 == WindowFacts.allDesktops ? "all" : String($0) }),
            Fact("desktop name", window.desktopName),
            Fact("monitor", window.monitor),
            Fact("_NET_WM_WINDOW_TYPE", Self.kinds[window.kind]),
            Fact("WM_TRANSIENT_FOR", window.transientFor.map { WindowID($0).description }),
            Fact("override_redirect", window.isOverrideRedirect.word),
            Fact("geometry", window.geometry?.inXNotation),
            Fact("top-level window", window.topLevel.map { WindowID($0).description }),
            Fact("visibility", isShownByFrame.map { "Visibility\($0 ? "Unobscured" : "FullyObscured")" }),
            Fact("synthetic UnmapNotify", window.withdrewItself.word),
            Fact("process", window.pid.map { String($0) }),
            Fact("executable", window.executable),
        ]
    }

    /// The states that the rule reads.
    private static let states: [(WindowFacts.States, String)] = [
        (.hidden, "HIDDEN"), (.shaded, "SHADED"), (.sticky, "STICKY"), (.fullscreen, "FULLSCREEN"),
        (.maximizedVertically, "MAXIMIZED_VERT"), (.maximizedHorizontally, "MAXIMIZED_HORZ"),
    ]
    private static let mapStates: [WindowFacts.MapState: String] = [
        .unmapped: "IsUnmapped", .unviewable: "IsUnviewable", .viewable: "IsViewable",
    ]
    private static let managedStates: [WindowFacts.ManagedState: String] = [
        .withdrawn: "Withdrawn", .normal: "Normal", .iconic: "Iconic",
    ]
    private static let kinds: [WindowFacts.Kind: String] = [
        .application: "a window of an application", .desktop: "DESKTOP",
        .accessory: "a part of the desktop, a menu or a hint", .unmanagedDialog: "DIALOG",
    ]

    /// The maximum number of windows that a sentence names: a thousand small windows may cover one.
    static let mostNamed = 4

    /// The reason, as the end of a sentence about a window.
    var sentence: String {
        guard let cover else { return reason.sentence }
        var names = cover.windows.prefix(Self.mostNamed).map { window in
            let name = window.className ?? window.instanceName ?? window.executable
            return window.id.description + (name.map { " \($0)" } ?? "")
        }
        let others = cover.windows.count - names.count
        if others > 0 { names.append(others == 1 ? "another one" : "\(others) others") }
        let list = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "")
        return "covered: all of its \(cover.area.grouped) px are hidden by \(list)\(names.last ?? "nothing")"
    }
}

extension Screen {
    var facts: [Fact] {
        [
            Fact("SubstructureRedirect", manager == nil ? "not held" : "held"),
            Fact("_NET_SUPPORTING_WM_CHECK", manager?.checkWindow.map { WindowID($0).description }),
            Fact("_NET_WM_NAME", manager?.name),
            Fact("written since it took over", wasRewritten.word),
            Fact("trusted", isTrusted.word),
            Fact("_NET_CLIENT_LIST", clients.map { "\($0.count) window\($0.count == 1 ? "" : "s")" }),
            Fact("_NET_ACTIVE_WINDOW", activeWindow.map { WindowID($0).description }),
            Fact("_NET_CURRENT_DESKTOP", currentDesktop.map { String($0) }),
            Fact("_NET_SHOWING_DESKTOP", isShowingDesktop.word),
            Fact("is its own compositor", isOwnCompositor.word),
            Fact("geometry", bounds.inXNotation),
        ]
    }
}

extension Session {
    var facts: [Fact] {
        [
            Fact("XFree86_has_VT", isAway ? "0" : nil), Fact("keyboard grabbed", isKeyboardGrabbed?.word),
            Fact("_SCREENSAVER_STATUS", saverSince.map { _ in "blank or locked" }),
            Fact("display off", displayOff?.text), Fact("idle", isIdle ? "yes" : nil),
        ]
    }
}

extension Rectangle {
    /// As X writes it: `484x316+40+60`.
    fileprivate var inXNotation: String {
        let signs = [x, y].map { $0 < 0 ? "\($0)" : "+\($0)" }
        return "\(width)x\(height)\(signs[0])\(signs[1])"
    }
}

extension Bool {
    fileprivate var word: String { self ? "yes" : "no" }
}

extension Int {
    /// The decimal digits in groups of three, separated by commas.
    fileprivate var grouped: String {
        self < 1000 ? "\(self)" : (self / 1000).grouped + "," + "\(1000 + self % 1000)".dropFirst()
    }
}

extension Verdict.Reason {
    fileprivate var sentence: String {
        switch self {
        case .withdrewItself: "it withdrew itself (a synthetic UnmapNotify), so it is not a scene"
        case .withdrawnAndUnmapped: "WM_STATE is Withdrawn and it is unmapped, so it is not a scene"
        case .notListed: "_NET_CLIENT_LIST does not name it, so it is not a scene"
        case .noState: "WM_STATE is neither Normal nor Iconic, so it is not a scene"
        case .noMappedTopLevel:
            "without a window manager only mapped top-level windows with a name are scenes, and it is not one"
        case .insideClient: "it is inside the window of another client, so it is not a scene"
        case .notViewable: "map_state is not IsViewable, so it is hidden"
        case .offScreen: "it is completely outside the screen, so it is hidden"
        case .shadedAndObscured: "it is SHADED and not known to be visible, so it is hidden"
        case .iconic: "WM_STATE is Iconic, so it is hidden"
        case .otherDesktop:
            "its desktop is not the current one and the window manager is its own compositor, so it is hidden"
        case .frameWithoutInput:
            "its frame takes no input and the window manager is its own compositor, so it is on another activity"
        case .hiddenByCompositor:
            "it is HIDDEN, and the window manager is its own compositor and sets no desktop, so it is hidden"
        case .belowDesktopWindow: "a window above it shows the desktop, so it is hidden"
        case .hiddenAndCovered:
            "it is HIDDEN, covered and without the focus, so it is a tab behind another one"
        case .covered: "other windows cover it"
        case .visible: "nothing hides it"
        }
    }
}
