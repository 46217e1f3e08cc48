/// The window with the focus, visible or not, and the windows that it is transient for (WM_TRANSIENT_FOR).
package struct Focus: Sendable {
    /// The source that determined the focused window.
    package enum Source: String, Sendable {
        case activeWindow = "_NET_ACTIVE_WINDOW"
        case inputFocus = "XGetInputFocus"
        case pointer = "XQueryPointer"
        case none
    }

    /// The focused window, known or not; nil if there is none.
    package let holder: UInt32?
    package let source: Source
    /// The managed windows that a known holder is transient for, through any chain. It is usually empty.
    private var parents: Set<UInt32> = []

    package init(on desktop: Desktop) {
        (holder, source) = desktop.focusFound
        var last = holder.flatMap { desktop.windows.facts(of: $0) }
        while let parent = last?.transientFor.flatMap({ desktop.windows.facts(of: $0) }),
            desktop.isManaged(parent), parent.id.xid != holder, parents.insert(parent.id.xid).inserted
        {
            last = parent
        }
    }

    /// The focused window, and the windows that it is transient for, by their IDs.
    package var windows: [UInt32] { [holder].compactMap(\.self) + parents.sorted() }

    func contains(_ window: UInt32) -> Bool {
        window == holder || !parents.isEmpty && parents.contains(window)
    }
}

extension Desktop {
    /// The X input focus counts where it names a client or follows the pointer, because keys go there. Window managers,
    /// menus and launchers keep the input focus in their own windows while a client is in use. Then _NET_ACTIVE_WINDOW
    /// counts, if the running window manager writes it. Some window managers do not. Nothing is used below a dialog that
    /// no window manager manages.
    fileprivate var focusFound: (holder: UInt32?, source: Focus.Source) {
        switch inputFocus {
        case .none: break
        case .underPointer(let window):
            return (window.flatMap { windows.facts(of: $0) }.map { outermost($0).id.xid } ?? window, .pointer)
        case .window(let window):
            if let client = shownClient(with: window) { return (client, .inputFocus) }
            // Xfce's dialog at the log-out.
            if isUnmanagedDialog(window) { return (window, .inputFocus) }
        case .elsewhere(let client):
            if let window = shownScene(of: client) { return (window, .inputFocus) }
        }
        if screen.isTrusted, let active = screen.activeWindow {
            return (active == 0 ? nil : active, .activeWindow)
        }
        guard case .window(let window) = inputFocus else { return (nil, .none) }
        return (window, .inputFocus)
    }

    /// Whether _NET_ACTIVE_WINDOW can determine the focused window.
    package var asksActiveWindow: Bool {
        switch inputFocus {
        case .underPointer: false
        case .window(let window):
            screen.isTrusted && !isShownClient(window) && !isUnmanagedDialog(window)
        case .elsewhere, .none: screen.isTrusted
        }
    }

    /// Returns whether the X server sends keys to a window, regardless of any property.
    func takesKeys(_ window: WindowFacts) -> Bool {
        inputFocus == .window(window.id.xid) || inputFocus == .underPointer(window.id.xid)
    }

    /// Returns the viewable client that the input focus in a known window counts for: the client itself, the client that
    /// contains the window or that the window is transient for, or a scene of the same X client.
    private func shownClient(with xid: UInt32) -> UInt32? {
        guard let window = windows.facts(of: xid) else { return nil }
        let outer = outermost(window).id.xid
        if isShownClient(outer) { return outer }
        if let parent = window.transientFor, isShownClient(parent) { return parent }
        return shownScene(of: window.client)
    }

    private func isShownClient(_ xid: UInt32) -> Bool {
        windows.facts(of: xid).map { $0.mapState == .viewable && isManaged($0) } ?? false
    }

    private func isUnmanagedDialog(_ xid: UInt32) -> Bool {
        windows.facts(of: xid).map { $0.mapState == .viewable && $0.kind == .unmanagedDialog } ?? false
    }

    /// Returns the viewable scene of an X client; of several, the active window or else the topmost.
    private func shownScene(of client: UInt32) -> UInt32? {
        if client == 0 { return nil }
        let scenes = windows.facts.filter {
            $0.client == client && !$0.isGone && $0.mapState == .viewable && isScene($0)
        }
        if let active = screen.activeWindow, screen.isTrusted, scenes.contains(where: { $0.id.xid == active })
        {
            return active
        }
        let heights = scenes.map { stacking.index(of: $0.topLevel ?? $0.id.xid) ?? -1 }
        return zip(scenes, heights).max { $0.1 < $1.1 }?.0.id.xid
    }
}
