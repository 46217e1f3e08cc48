/// The visibility of one window, before focus and policy.
extension Rule {
    private var screen: Screen { desktop.screen }

    func hides(_ window: WindowFacts) -> Bool { desktop.isManaged(window) && hiding(of: window) != nil }

    /// Returns the first line of the rule that hides a managed window, and its cause; nil if the window is visible.
    ///
    /// The lines are ordered by reliability. No single line is right under every window manager: on other desktops, some set
    /// WM_STATE to Iconic and some leave it Normal, _NET_WM_STATE_HIDDEN remains on visible windows, and compositing window
    /// managers unmap nothing.
    func hiding(of window: WindowFacts) -> (reason: Verdict.Reason, cause: Cause)? {
        if window.mapState != .viewable { return (.notViewable, cause(ofHidden: window)) }
        if let geometry = window.geometry, !geometry.intersects(screen.bounds) {
            return (.offScreen, cause(ofHidden: window))
        }
        let isShaded = window.states.contains(.shaded)
        // If its frame shows the window, SHADED is stale or forged.
        if isShaded && !isShownByFrame(window) { return (.shadedAndObscured, .shade) }
        // The following lines depend on properties, which any client may have written. A window with the input focus is
        // not hidden. Only mutter leaves the focus on windows that it hides to show the desktop.
        guard screen.manager != nil, screen.isShowingDesktop || !desktop.takesKeys(window) else { return nil }
        if isShaded && screen.isOwnCompositor { return (.shadedAndObscured, .shade) }
        // Only a compositor leaves windows mapped that it hides. Of others, the state comes a moment before the frame is
        // unmapped, or is stale; without a frame, a dead window manager wrote it.
        let isFramed = window.topLevel != window.id.xid
        let isBelieved =
            screen.isOwnCompositor || isFramed && (screen.mayHideMapped || iconic.contains(window.id.xid))
        if window.state == .iconic && isBelieved && !isShaded {
            return (.iconic, cause(ofHidden: window))
        }
        if screen.isOwnCompositor && isOnOtherDesktop(window) { return (.otherDesktop, .desktop) }
        // KWin leaves the windows of other activities mapped, and empties the input shapes of their frames.
        if screen.isOwnCompositor && isFramed && frame(of: window)?.takesInput == false {
            return (.frameWithoutInput, .desktop)
        }
        // Enlightenment, a compositor, does not set _NET_CURRENT_DESKTOP. Only HIDDEN shows what it hides.
        if screen.isTrusted && screen.isOwnCompositor && screen.currentDesktop == nil
            && window.states.contains(.hidden)
        {
            return (.hiddenByCompositor, .desktop)
        }
        if screen.isTrusted && screen.isShowingDesktop && isBelowDesktopWindow(window) {
            return (.belowDesktopWindow, .showDesktop)
        }
        if tabs.hidden.contains(window.id.xid) && !focus.contains(window.id.xid) {
            return (.hiddenAndCovered, .tab)
        }
        return nil
    }

    /// Returns whether the frame of a window shows it. To shade a window, window managers shrink its frame to the title
    /// bar. A window without a frame cannot be shaded.
    func isShownByFrame(_ window: WindowFacts) -> Bool {
        guard let geometry = window.geometry, let frame = frame(of: window)?.geometry else { return false }
        let middle = Rectangle(
            x: geometry.x + geometry.width / 2, y: geometry.y + geometry.height / 2, width: 1, height: 1)
        return frame.contains(middle)
    }

    /// Returns the child of the root window that contains a window, or is it.
    private func frame(of window: WindowFacts) -> RootChild? {
        window.topLevel.flatMap { desktop.stacking[$0] }
    }

    /// Returns the cause for a window that is known to be hidden.
    private func cause(ofHidden window: WindowFacts) -> Cause {
        if isOnOtherDesktop(window) { return .desktop }
        if window.states.contains(.shaded) { return .shade }
        if screen.isTrusted && screen.isShowingDesktop { return .showDesktop }
        if screen.manager != nil && (window.state == .iconic || window.states.contains(.hidden)) {
            return .iconify
        }
        return window.mapState == .viewable ? .offscreen : .unmap
    }

    private func isOnOtherDesktop(_ window: WindowFacts) -> Bool {
        guard screen.isTrusted, let desktop = window.desktop, let current = screen.currentDesktop else {
            return false
        }
        return desktop != current && desktop != WindowFacts.allDesktops && !window.states.contains(.sticky)
    }

    private func isBelowDesktopWindow(_ window: WindowFacts) -> Bool {
        let stacking = screen.stacking
        guard let level = stacking.firstIndex(of: window.id.xid) else { return false }
        return stacking[level...].contains { desktop.windows.facts(of: $0)?.kind == .desktop }
    }
}
