/// The visibility of one window, before focus and policy.
package enum Visibility: Hashable, Sendable {
    /// The window is not managed.
    case gone
    case background(Hiding)
    case visible
}

extension Rule {
    private var screen: Screen { desktop.screen }

    /// Returns the visibility of a window, from its facts and those of the screen.
    package func visibility(of window: WindowFacts) -> Visibility {
        switch reason(for: window) {
        case .withdrewItself, .withdrawnAndUnmapped, .notListed, .noState, .noMappedTopLevel, .insideClient:
            .gone
        case .notViewable, .offScreen, .iconic: .background(hiding(of: window))
        case .shadedAndObscured: .background(.shaded)
        case .otherDesktop, .hiddenByCompositor: .background(.onOtherDesktop)
        case .belowDesktopWindow: .background(.desktopShown)
        case .hiddenAndCovered: .background(.behindTab)
        case .covered, .visible: .visible
        }
    }

    /// Returns the first line of the rule that applies to a window.
    ///
    /// The lines are ordered by reliability. No single line is right under every window manager: on other desktops,
    /// some set WM_STATE to Iconic and some leave it Normal, _NET_WM_STATE_HIDDEN remains on visible windows, and
    /// compositing window managers unmap nothing.
    package func reason(for window: WindowFacts) -> Verdict.Reason {
        if let line = desktop.reasonNotManaged(window) { return line }
        if window.mapState != .viewable { return .notViewable }
        if isOffScreen(window) { return .offScreen }
        let isShaded = window.states.contains(.shaded)
        if isShaded && mayBeObscured(window) { return .shadedAndObscured }
        // The following lines depend on properties, which any client may have written. A window with the input focus is
        // not hidden. Only mutter leaves the focus on windows that it hides to show the desktop.
        guard screen.manager != nil, screen.isShowingDesktop || !desktop.takesKeys(window) else {
            return .visible
        }
        if isShaded && screen.isOwnCompositor { return .shadedAndObscured }
        // Only a compositor leaves windows mapped that it hides. Of others, the state comes a moment before the frame is
        // unmapped, or is stale; without a frame, a dead window manager wrote it.
        let isFramed = window.topLevel != window.id.xid
        let isBelieved =
            screen.isOwnCompositor || isFramed && (screen.mayHideMapped || iconic.contains(window.id.xid))
        if window.state == .iconic && isBelieved && !isShaded { return .iconic }
        if screen.isOwnCompositor && isOnOtherDesktop(window) { return .otherDesktop }
        if isHiddenByCompositor(window) { return .hiddenByCompositor }
        if screen.isTrusted && screen.isShowingDesktop && isBelowDesktopWindow(window) {
            return .belowDesktopWindow
        }
        if tabs.hidden.contains(window.id.xid) && !focus.contains(window.id.xid) { return .hiddenAndCovered }
        return .visible
    }

    /// Returns the reason for a window that is known to be hidden.
    private func hiding(of window: WindowFacts) -> Hiding {
        if isOnOtherDesktop(window) { return .onOtherDesktop }
        if window.states.contains(.shaded) { return .shaded }
        if screen.isTrusted && screen.isShowingDesktop { return .desktopShown }
        if screen.manager != nil && (window.state == .iconic || window.states.contains(.hidden)) {
            return .iconified
        }
        return window.mapState == .viewable ? .offScreen : .unmapped
    }

    private func isOnOtherDesktop(_ window: WindowFacts) -> Bool {
        guard screen.isTrusted, let desktop = window.desktop, let current = screen.currentDesktop else {
            return false
        }
        return desktop != current && desktop != WindowFacts.allDesktops && !window.states.contains(.sticky)
    }

    /// Returns whether a compositor that does not set _NET_CURRENT_DESKTOP, such as Enlightenment, hides a window. Only
    /// HIDDEN shows this.
    private func isHiddenByCompositor(_ window: WindowFacts) -> Bool {
        return screen.isTrusted && screen.isOwnCompositor && screen.currentDesktop == nil
            && window.states.contains(.hidden)
    }

    /// Returns whether a window may be fully obscured. If not, SHADED is stale or forged.
    private func mayBeObscured(_ window: WindowFacts) -> Bool {
        (window.visibility ?? .fullyObscured) == .fullyObscured
    }

    private func isOffScreen(_ window: WindowFacts) -> Bool {
        guard let place = window.place else { return false }
        return !place.intersects(screen.bounds)
    }

    private func isBelowDesktopWindow(_ window: WindowFacts) -> Bool {
        let stacking = screen.stacking
        guard let level = stacking.firstIndex(of: window.id.xid) else { return false }
        return stacking[level...].contains { desktop.windows.facts(of: $0)?.kind == .desktop }
    }
}
