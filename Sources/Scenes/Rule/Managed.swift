extension Desktop {
    /// Whether a window is a client of the window manager, or would be one if there was any.
    ///
    /// The client list is believed where the running window manager has written it, then WM_STATE; without a
    /// window manager every mapped top-level window counts.
    package func isManaged(_ window: WindowFacts) -> Bool {
        reasonNotManaged(window) == nil
    }

    /// Why a window is not managed; nil if it is.
    func reasonNotManaged(_ window: WindowFacts) -> Verdict.Reason? {
        if window.withdrewItself { return .withdrewItself }
        if window.state == .withdrawn && window.mapState == .unmapped { return .withdrawnAndUnmapped }
        let screen = window.screen
        if screens[screen].isTrusted && screens[screen].clients != nil {
            if isShownClient(window) { return nil }
            return screens[screen].clients?.contains(window.id.xid) == true ? nil : .notListed
        }
        if screens[screen].manager != nil {
            return window.state == .normal || window.state == .iconic ? nil : .noState
        }
        return isBareTopLevel(window) ? nil : .noMappedTopLevel
    }

    /// Whether a window can be a scene, or a dialog that is part of one, as soon as it is managed.
    func mayBeScene(_ window: WindowFacts) -> Bool {
        window.kind == .application && !window.isOverrideRedirect
    }

    /// Whether a window is a scene, or a dialog that is part of one.
    package func isScene(_ window: WindowFacts) -> Bool {
        mayBeScene(window) && isManaged(window)
    }

    /// A window manager that restarts may leave its list empty for a while, with every window shown. Its own windows, of the client
    /// with the check window, are clients only where it lists them: IceWM gives its task bar WM_STATE and no type. The server gives
    /// each of its at most 256 clients 21 bits of ids; with `-maxclients 512` a neighbour is taken for the manager.
    private func isShownClient(_ window: WindowFacts) -> Bool {
        window.state == .normal && window.mapState == .viewable && !window.isOverrideRedirect
            && screens[window.screen].manager?.checkWindow.map { $0 >> 21 } != window.id.xid >> 21
    }

    private func isBareTopLevel(_ window: WindowFacts) -> Bool {
        guard window.mapState != .unmapped, window.topLevel == window.id.xid else { return false }
        if window.isOverrideRedirect || window.isInputOnly { return false }
        return window.hasName || window.wasManaged
    }
}
