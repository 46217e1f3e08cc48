extension Desktop {
    /// Returns whether a window is a client of the window manager, or would be if there were one.
    ///
    /// The client list counts where the running window manager has written it, otherwise WM_STATE. Without a window
    /// manager, every mapped top-level window counts.
    package func isManaged(_ window: WindowFacts) -> Bool {
        reasonNotManaged(window) == nil
    }

    /// Returns the reason why a window is not managed; nil if it is managed.
    func reasonNotManaged(_ window: WindowFacts) -> Verdict.Reason? {
        if window.withdrewItself { return .withdrewItself }
        if window.state == .withdrawn && window.mapState == .unmapped { return .withdrawnAndUnmapped }
        if screen.isTrusted, let clients = screen.clients {
            if isShownClient(window) { return nil }
            return clients.contains(window.id.xid) ? nil : .notListed
        }
        if screen.manager != nil {
            return window.state == .normal || window.state == .iconic ? nil : .noState
        }
        return isBareTopLevel(window) ? nil : .noMappedTopLevel
    }

    /// Returns whether a window can be a scene, or a dialog in a scene, once it is managed.
    func mayBeScene(_ window: WindowFacts) -> Bool {
        window.kind == .application && !window.isOverrideRedirect
    }

    /// Returns whether a window is a scene, or a dialog in a scene.
    package func isScene(_ window: WindowFacts) -> Bool {
        mayBeScene(window) && isManaged(window)
    }

    /// Returns whether a window is shown as a client, listed or not. A restarting window manager may leave its list
    /// empty for a while, with every window shown. Windows of the client that owns the check window count only if
    /// listed: IceWM sets WM_STATE, but no type, on its task bar.
    private func isShownClient(_ window: WindowFacts) -> Bool {
        window.state == .normal && window.mapState == .viewable && !window.isOverrideRedirect
            && screen.manager?.client != window.client
    }

    private func isBareTopLevel(_ window: WindowFacts) -> Bool {
        guard window.mapState != .unmapped, window.topLevel == window.id.xid else { return false }
        if window.isOverrideRedirect || window.isInputOnly { return false }
        return window.hasName || window.wasManaged
    }
}
