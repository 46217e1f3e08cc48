extension Desktop {
    /// The window that has the focus, whether it can be seen or not; nil when none has.
    package var focusHolder: UInt32? { focusFound.holder }

    /// Where `focusHolder` has its answer from.
    package var focusSource: FocusSource { focusFound.source }

    /// Keys go where the X input focus is, so that is believed where it names a client or follows the pointer.
    /// Managers, menus and launchers keep it in windows of their own while a client is in use; then
    /// _NET_ACTIVE_WINDOW tells which, where the running window manager writes it. Some managers forget to.
    private var focusFound: (holder: UInt32?, source: FocusSource) {
        guard let screen = focusedScreen else { return (nil, .none) }
        switch inputFocus {
        case .underPointer(_, let window): return (window, .pointer)
        case .window(let window) where isShownClient(window): return (window, .inputFocus)
        case .window, .elsewhere, .none: break
        }
        if screen.isTrusted, let active = screen.activeWindow {
            return (active == 0 ? nil : active, .activeWindow)
        }
        guard case .window(let window) = inputFocus else { return (nil, .none) }
        return (window, .inputFocus)
    }

    /// Whether the active window of a screen could tell who has the focus.
    package func asksActiveWindow(of screen: Int) -> Bool {
        guard screens[screen].isTrusted else { return false }
        return switch inputFocus {
        case .underPointer: false
        case .window(let window): !isShownClient(window)
        case .elsewhere, .none: true
        }
    }

    private func isShownClient(_ xid: UInt32) -> Bool {
        windows[xid].map { $0.mapState == .viewable && isManaged($0) } ?? false
    }

    /// The focused window and the windows it lends its focus to: through any chain of WM_TRANSIENT_FOR.
    package var focusChain: FocusChain {
        guard let holder = focusHolder, let window = windows[holder] else { return FocusChain() }
        // Some managers keep naming a window that they have hidden. Not visible beats focused.
        if case .background = standing(of: window) { return FocusChain() }
        return chain(from: window)
    }

    /// The windows that get the focus as soon as the one that was named for it can be seen.
    package var awaitedChain: FocusChain {
        guard let holder = focusHolder, let window = windows[holder] else { return FocusChain() }
        guard case .background = standing(of: window) else { return FocusChain() }
        return chain(from: window)
    }

    /// Whether a window has the focus, or one that lends it to it, no matter what can be seen.
    func isNamedForFocus(_ window: SeenWindow) -> Bool {
        focusHolder.flatMap { windows[$0] }.map { chain(from: $0).contains(window.id.xid) } ?? false
    }

    private func chain(from window: SeenWindow) -> FocusChain {
        var chain = FocusChain()
        var last = window
        while chain.append(last.id.xid), let parent = last.transientFor.flatMap({ windows[$0] }),
            isManaged(parent)
        {
            last = parent
        }
        return chain
    }

    /// Each screen has an active window of its own, the display has one input focus.
    var focusedScreen: Screen? {
        if screens.count == 1 { return screens[0] }
        switch inputFocus {
        case .none: return nil
        case .underPointer(let screen, _), .elsewhere(let screen): return screens[screen]
        case .window(let window): return windows[window].map { screens[$0.screen] }
        }
    }
}
