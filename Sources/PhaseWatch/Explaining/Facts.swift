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
