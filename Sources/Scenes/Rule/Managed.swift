extension WindowFacts {
    /// Whether it is a scene, or a dialog in a scene, if it is managed: neither a part of the desktop nor a popup.
    var isOfScenes: Bool { kind == .application && !isOverrideRedirect }
}

extension Desktop {
    /// Returns whether a window is a client of the window manager, or would be if there were one. The client list counts
    /// where the running window manager has written it, otherwise WM_STATE. Without a window manager, every mapped top-level
    /// window counts.
    package func isManaged(_ window: WindowFacts) -> Bool { reasonNotManaged(window) == nil }

    func reasonNotManaged(_ window: WindowFacts) -> Verdict.Reason? {
        if let reason = reasonNoClient(window) { return reason }
        return window.container != nil && outermost(window).id != window.id ? .insideClient : nil
    }

    /// Returns the reason why a window is not managed, wherever it is.
    private func reasonNoClient(_ window: WindowFacts) -> Verdict.Reason? {
        if window.withdrewItself { return .withdrewItself }
        // In a frame, the window waits for being shown: i3 writes the state only then.
        let isFramed = window.topLevel.map { $0 != window.id.xid } ?? false
        if window.state == .withdrawn && window.mapState == .unmapped && !isFramed {
            return .withdrawnAndUnmapped
        }
        if screen.isTrusted, let clients = screen.clients {
            return clients.contains(window.id.xid) || isUnlistedClient(window) ? nil : .notListed
        }
        if screen.hasManager {
            if isOfManager(window) { return .notListed }
            return window.state == .normal || window.state == .iconic ? nil : .noState
        }
        return isBareTopLevel(window) ? nil : .noMappedTopLevel
    }

    /// Returns whether a window is a scene, or a dialog in a scene.
    package func isScene(_ window: WindowFacts) -> Bool {
        window.isOfScenes && isManaged(window)
    }

    /// The limit of windows around a window.
    private static let deepest = 64

    /// Returns the outermost client that contains a window, or else the window.
    func outermost(_ window: WindowFacts) -> WindowFacts {
        var (found, last) = (window, window)
        for _ in 0..<Self.deepest {
            guard let container = last.container.flatMap({ windows.facts(of: $0) }) else { break }
            if reasonNoClient(container) == nil { found = container }
            last = container
        }
        return found
    }

    /// Returns whether the client list may lack a client. A restarting window manager may leave its list empty for a
    /// while, with every window shown, and pekwm's lacks the newest window.
    private func isUnlistedClient(_ window: WindowFacts) -> Bool {
        let isFramed = window.topLevel.map { $0 != window.id.xid } ?? false
        let isClient =
            window.state == .normal && (isFramed || window.mapState == .viewable)
            || window.state == .iconic && isFramed
        return isClient && !window.isOverrideRedirect && !isOfManager(window)
    }

    /// Returns whether a window belongs to the client that owns the check window, whose windows count only if listed: IceWM
    /// sets WM_STATE, but no type, on its task bar.
    private func isOfManager(_ window: WindowFacts) -> Bool { screen.manager?.client == window.client }

    private func isBareTopLevel(_ window: WindowFacts) -> Bool {
        guard window.mapState != .unmapped, window.topLevel == window.id.xid else { return false }
        if window.isOverrideRedirect || window.isInputOnly { return false }
        return window.wasManaged || windows.hasName(window.id.xid)
    }
}

/// Dialogs.
extension Desktop {
    /// The limit of a chain of dialogs. A window with a longer chain, or in a cycle, is its own scene.
    private static let longestChain = 100

    /// Returns the slot of the main window in the scene of a window. It is the window's own slot, except for dialogs of
    /// the same application or X client.
    func mainSlot(of slot: Int) -> Int {
        var main = slot
        for _ in 0..<Self.longestChain {
            guard let parent = mainParent(of: main) else { return main }
            main = parent
        }
        return slot
    }

    /// Returns the slot of the window that a dialog belongs to; nil if the window has its own scene.
    private func mainParent(of slot: Int) -> Int? {
        guard let xid = windows.facts[slot].transientFor, let parent = windows.slot(of: xid),
            isScene(windows.facts[parent])
        else { return nil }
        let client = windows.facts[slot].client
        let isSameClient = client != 0 && client == windows.facts[parent].client
        let isSameApplication = windows.groups[slot].application == windows.groups[parent].application
        return isSameClient || isSameApplication ? parent : nil
    }
}
