extension Desktop {
    /// Whether a window is a client of the window manager, or would be one if there was any.
    ///
    /// The client list is believed where the running window manager has written it, then WM_STATE; without a
    /// window manager every mapped top-level window counts.
    package func isManaged(_ window: SeenWindow) -> Bool {
        reasonNotManaged(window) == nil
    }

    /// The line of the rule by which a window is not managed; nil if it is.
    func reasonNotManaged(_ window: SeenWindow) -> RuleLine? {
        if window.withdrewItself { return .withdrewItself }
        if window.state == .withdrawn && window.mapState == .unmapped { return .withdrawnAndUnmapped }
        let screen = screens[window.screen]
        if screen.isTrusted, let clients = screen.clients {
            return clients.contains(window.id.xid) || isShownClient(window) ? nil : .notListed
        }
        if screen.manager != nil {
            return window.state == .normal || window.state == .iconic ? nil : .noState
        }
        return isBareTopLevel(window) ? nil : .noMappedTopLevel
    }

    /// A window manager that restarts may leave its list empty for a while, with every window shown.
    private func isShownClient(_ window: SeenWindow) -> Bool {
        window.state == .normal && window.mapState == .viewable && !window.isOverrideRedirect
    }

    private func isBareTopLevel(_ window: SeenWindow) -> Bool {
        guard window.mapState != .unmapped, window.topLevel == window.id.xid else { return false }
        if window.isOverrideRedirect || window.isInputOnly { return false }
        return window.className != nil || window.instanceName != nil || window.title != nil
            || window.wasManaged
    }
}
