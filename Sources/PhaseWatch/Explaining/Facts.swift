#if canImport(X11)
import Scenes

extension Verdict {
    /// Every input of the rule for the window.
    var facts: [Fact] {
        [
            Fact("WM_CLASS", names),
            Fact("class of its client", window.ownerClass),
            Fact("WM_WINDOW_ROLE", window.role),
            Fact("map_state", window.mapState.name),
            Fact("WM_STATE", window.state?.name),
            Fact("_NET_WM_STATE", window.states.names),
            Fact(
                "_NET_WM_DESKTOP", window.desktop.map { $0 == WindowFacts.allDesktops ? "all" : String($0) }),
            Fact("desktop name", window.desktopName),
            Fact("monitor", window.monitor),
            Fact("_NET_WM_WINDOW_TYPE", window.kind.name),
            Fact("WM_TRANSIENT_FOR", window.transientFor.map { WindowID($0).description }),
            Fact("override_redirect", window.isOverrideRedirect.word),
            Fact("geometry", window.place?.geometry),
            Fact("top-level window", window.topLevel.map { WindowID($0).description }),
            Fact("visibility", window.visibility?.name),
            Fact("synthetic UnmapNotify", window.withdrewItself.word),
            Fact("process", window.pid.map { String($0) }),
            Fact("executable", window.executable),
        ]
    }

    private var names: String? {
        guard window.instanceName != nil || window.className != nil else { return nil }
        return "\(window.instanceName ?? ""), \(window.className ?? "")"
    }
}

extension Screen {
    /// Every input of the rule for the screen.
    var facts: [Fact] {
        [
            Fact("SubstructureRedirect", manager == nil ? "not held" : "held"),
            Fact("_NET_SUPPORTING_WM_CHECK", manager?.checkWindow.map { WindowID($0).description }),
            Fact("_NET_WM_NAME", manager?.name),
            Fact("written since it took over", wasRewritten.word),
            Fact("trusted", isTrusted.word),
            Fact(
                "_NET_CLIENT_LIST",
                clients.map { "\($0.order.count) window\($0.order.count == 1 ? "" : "s")" }),
            Fact("_NET_ACTIVE_WINDOW", activeWindow.map { WindowID($0).description }),
            Fact("_NET_CURRENT_DESKTOP", currentDesktop.map { String($0) }),
            Fact("_NET_SHOWING_DESKTOP", isShowingDesktop.word),
            Fact("is its own compositor", isOwnCompositor.word),
            Fact("geometry", bounds.geometry),
        ]
    }
}

extension Verdict.Reason {
    /// The reason, as the end of a sentence about a window.
    var sentence: String {
        switch self {
        case .withdrewItself: "it withdrew itself (a synthetic UnmapNotify), so it is not a scene"
        case .withdrawnAndUnmapped: "WM_STATE is Withdrawn and it is unmapped, so it is not a scene"
        case .notListed: "_NET_CLIENT_LIST does not name it, so it is not a scene"
        case .noState: "WM_STATE is neither Normal nor Iconic, so it is not a scene"
        case .noMappedTopLevel:
            "without a window manager only mapped top-level windows with a name are scenes, and it is not one"
        case .notViewable: "map_state is not IsViewable, so it is hidden"
        case .offScreen: "it is completely outside the screen, so it is hidden"
        case .shadedAndObscured: "it is SHADED and not known to be visible, so it is hidden"
        case .iconic: "WM_STATE is Iconic, so it is hidden"
        case .otherDesktop:
            "its desktop is not the current one and the window manager is its own compositor, so it is hidden"
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

extension Rectangle {
    /// The geometry in X notation: `484x316+40+60`.
    fileprivate var geometry: String {
        let signs = [x, y].map { $0 < 0 ? "\($0)" : "+\($0)" }
        return "\(width)x\(height)\(signs[0])\(signs[1])"
    }
}

extension Bool {
    fileprivate var word: String { self ? "yes" : "no" }
}

extension WindowFacts.MapState {
    fileprivate var name: String {
        switch self {
        case .unmapped: "IsUnmapped"
        case .unviewable: "IsUnviewable"
        case .viewable: "IsViewable"
        }
    }
}

extension WindowFacts.ManagedState {
    fileprivate var name: String {
        switch self {
        case .withdrawn: "Withdrawn"
        case .normal: "Normal"
        case .iconic: "Iconic"
        }
    }
}

extension WindowFacts.States {
    /// The names of the states that the rule reads; nil if none is set.
    fileprivate var names: String? {
        let all: [(WindowFacts.States, String)] = [
            (.hidden, "HIDDEN"), (.shaded, "SHADED"), (.sticky, "STICKY"), (.fullscreen, "FULLSCREEN"),
            (.maximizedVertically, "MAXIMIZED_VERT"), (.maximizedHorizontally, "MAXIMIZED_HORZ"),
        ]
        let names = all.filter { contains($0.0) }.map(\.1)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

extension WindowFacts.Kind {
    fileprivate var name: String {
        switch self {
        case .application: "a window of an application"
        case .desktop: "DESKTOP"
        case .accessory: "a part of the desktop, a menu or a hint"
        case .unmanagedDialog: "DIALOG"
        }
    }
}

extension WindowFacts.VisibilityState {
    fileprivate var name: String {
        switch self {
        case .unobscured: "VisibilityUnobscured"
        case .partiallyObscured: "VisibilityPartiallyObscured"
        case .fullyObscured: "VisibilityFullyObscured"
        }
    }
}

/// A fact that was read, under its name in X.
public struct Fact: Hashable, Sendable {
    /// The name, such as `_NET_WM_DESKTOP`.
    public let name: String
    /// nil if the property is not set, was not reported yet, or was not needed.
    public let value: String?

    init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}
#endif
