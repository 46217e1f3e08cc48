/// The source that determined the focused window.
package enum FocusSource: String, Sendable {
    case activeWindow = "_NET_ACTIVE_WINDOW"
    case inputFocus = "XGetInputFocus"
    case pointer = "XQueryPointer"
    case none
}

extension Desktop {
    /// The focused window, visible or not; nil if there is none.
    package var focusHolder: UInt32? { focusFound.holder }

    /// The source of `focusHolder`.
    package var focusSource: FocusSource { focusFound.source }

    /// The X input focus counts where it names a client or follows the pointer, because keys go there. Window managers,
    /// menus and launchers keep the input focus in their own windows while a client is in use. Then _NET_ACTIVE_WINDOW
    /// counts, if the running window manager writes it. Some window managers do not.
    private var focusFound: (holder: UInt32?, source: FocusSource) {
        switch inputFocus {
        case .underPointer(let window): return (window, .pointer)
        case .window(let window) where isShownClient(window): return (window, .inputFocus)
        case .window, .elsewhere, .none: break
        }
        if screen.isTrusted, let active = screen.activeWindow {
            return (active == 0 ? nil : active, .activeWindow)
        }
        guard case .window(let window) = inputFocus else { return (nil, .none) }
        return (window, .inputFocus)
    }

    /// Returns whether _NET_ACTIVE_WINDOW can determine the focused window.
    ///
    /// The method changes nothing. It is mutating only to spare the caller a copy of the desktop.
    package mutating func asksActiveWindow() -> Bool {
        guard screen.isTrusted else { return false }
        return switch inputFocus {
        case .underPointer: false
        case .window(let window): !isShownClient(window)
        case .elsewhere, .none: true
        }
    }

    /// Returns whether the X server sends keys to a window, regardless of any property.
    func takesKeys(_ window: WindowFacts) -> Bool {
        switch inputFocus {
        case .window(let xid): xid == window.id.xid
        case .underPointer(let xid): xid == window.id.xid
        case .elsewhere, .none: false
        }
    }

    private func isShownClient(_ xid: UInt32) -> Bool {
        windows.facts(of: xid).map { $0.mapState == .viewable && isManaged($0) } ?? false
    }

    /// The focused window with the windows that it is transient for (WM_TRANSIENT_FOR), and whether it is visible. Some
    /// window managers name a hidden window in _NET_ACTIVE_WINDOW; a hidden window has no focus.
    var namedForFocus: (chain: FocusChain, isVisible: Bool) {
        guard let holder = focusHolder, let window = windows.facts(of: holder) else {
            return (FocusChain(), false)
        }
        let visibility = visibility(of: window)
        if case .background = visibility { return (focusChain(from: window), false) }
        return (focusChain(from: window), true)
    }

    /// The focused window and the windows that it is transient for; empty if the focused window is not visible.
    package var focusChain: FocusChain {
        let named = namedForFocus
        return named.isVisible ? named.chain : FocusChain()
    }

    /// Returns whether a window is in the focus chain, visible or not.
    func isNamedForFocus(_ window: WindowFacts) -> Bool {
        if let knownChain { return knownChain.contains(window.id.xid) }
        guard let holder = focusHolder.flatMap({ windows.facts(of: $0) }) else { return false }
        return focusChain(from: holder).contains(window.id.xid)
    }

    private func focusChain(from window: WindowFacts) -> FocusChain {
        var chain = FocusChain()
        chain.append(window.id.xid)
        if window.transientFor == nil { return chain }
        var last = window
        while let parent = last.transientFor.flatMap({ windows.facts(of: $0) }), isManaged(parent),
            chain.append(parent.id.xid)
        {
            last = parent
        }
        return chain
    }
}

/// The focused window and the windows that it is transient for, without duplicates. A single window, the usual case,
/// needs no allocation.
package struct FocusChain: Equatable, Sendable {
    private var first: UInt32?
    private var rest: Set<UInt32> = []

    package var isEmpty: Bool { first == nil }

    /// The windows of the chain, the focused window first.
    package var windows: [UInt32] { first.map { [$0] + rest } ?? [] }

    package func contains(_ window: UInt32) -> Bool {
        window == first || (!rest.isEmpty && rest.contains(window))
    }

    /// - Returns: Whether the window was added; false if the chain already contained it.
    @discardableResult
    mutating func append(_ window: UInt32) -> Bool {
        if window == first { return false }
        guard first != nil else {
            first = window
            return true
        }
        return rest.insert(window).inserted
    }
}

extension Desktop {
    /// Returns which windows are active under a policy.
    func activity(under policy: PhasePolicy) -> Activity {
        let named = namedForFocus
        var applications: Set<GroupName> = []
        if policy == .application && named.isVisible {
            for window in named.chain.windows.compactMap({ windows.facts(of: $0) }) {
                applications.insert(windows.names.applicationName(of: window.group))
            }
        }
        return Activity(
            policy: policy, chain: named.chain, isVisible: named.isVisible, applications: applications)
    }
}

/// The windows that are active if they are visible, or as soon as they become visible.
struct Activity: Sendable {
    let policy: PhasePolicy
    /// The focus chain, even if the focused window is not visible.
    let chain: FocusChain
    /// Whether the focused window is visible. The focus counts only if it is.
    let isVisible: Bool
    /// The applications with the focus; empty unless the policy uses them.
    let applications: Set<GroupName>

    func includes(_ window: WindowFacts, on desktop: Desktop) -> Bool {
        switch policy {
        case .focus: isVisible && chain.contains(window.id.xid)
        case .application: applications.contains(desktop.windows.names.applicationName(of: window.group))
        case .visible: true
        }
    }
}
