/// Whether one window can be seen, before focus and policy.
package enum Visibility: Hashable, Sendable {
    /// It is no managed window.
    case gone
    case background(Hiding)
    case visible
}

extension Desktop {
    /// Tells whether a window can be seen, from its facts and those of its screen.
    package func visibility(of window: WindowFacts) -> Visibility {
        switch reason(for: window) {
        case .withdrewItself, .withdrawnAndUnmapped, .notListed, .noState, .noMappedTopLevel: .gone
        case .notViewable, .offScreen, .iconic: .background(hiding(of: window))
        case .shadedAndObscured: .background(.shaded)
        case .otherDesktop, .hiddenByCompositor: .background(.onOtherDesktop)
        case .belowDesktopWindow: .background(.desktopShown)
        case .hiddenAndCovered: .background(.behindTab)
        case .covered, .visible: .visible
        }
    }

    /// The first line of the rule that applies to a window.
    ///
    /// They are ordered by reliability. No single one is right under every window manager: WM_STATE
    /// is Iconic on other desktops for some and Normal for others, _NET_WM_STATE_HIDDEN is left behind on
    /// visible windows, and compositing managers unmap nothing.
    package func reason(for window: WindowFacts) -> Verdict.Reason {
        if let line = reasonNotManaged(window) { return line }
        if window.mapState != .viewable { return .notViewable }
        if isOffScreen(window) { return .offScreen }
        let screen = screens[window.screen]
        let isShaded = window.states.contains(.shaded)
        if isShaded && mayBeObscured(window) { return .shadedAndObscured }
        // What follows was written, by whomever: keys show that a window is not hidden. Only mutter leaves them to the windows
        // that it hides to show the desktop.
        guard screen.manager != nil, screen.isShowingDesktop || !takesKeys(window) else { return .visible }
        if isShaded && screen.isOwnCompositor { return .shadedAndObscured }
        // A manager without frames that is no compositor unmaps what it hides; else a dead one wrote it.
        let mayStayMapped = screen.isOwnCompositor || window.topLevel != window.id.xid
        if window.state == .iconic && mayStayMapped && !isShaded { return .iconic }
        if screen.isOwnCompositor && isOnOtherDesktop(window) { return .otherDesktop }
        if isHiddenByCompositor(window) { return .hiddenByCompositor }
        if screen.isTrusted && screen.isShowingDesktop && isBelowDesktopWindow(window) {
            return .belowDesktopWindow
        }
        // Several managers leave HIDDEN on windows that came back, hence the other two.
        if window.states.contains(.hidden) && isCovered(window) && !isNamedForFocus(window) {
            return .hiddenAndCovered
        }
        return .visible
    }

    /// Names the reason for a window that is known to be hidden.
    private func hiding(of window: WindowFacts) -> Hiding {
        if isOnOtherDesktop(window) { return .onOtherDesktop }
        if window.states.contains(.shaded) { return .shaded }
        let screen = screens[window.screen]
        if screen.isTrusted && screen.isShowingDesktop { return .desktopShown }
        if screen.manager != nil && (window.state == .iconic || window.states.contains(.hidden)) {
            return .iconified
        }
        return window.mapState == .viewable ? .offScreen : .unmapped
    }

    private func isOnOtherDesktop(_ window: WindowFacts) -> Bool {
        let screen = screens[window.screen]
        guard screen.isTrusted, let desktop = window.desktop, let current = screen.currentDesktop else {
            return false
        }
        return desktop != current && desktop != WindowFacts.allDesktops && !window.states.contains(.sticky)
    }

    /// A compositor that does not say which desktop is shown, as Enlightenment, says it by HIDDEN alone.
    private func isHiddenByCompositor(_ window: WindowFacts) -> Bool {
        let screen = screens[window.screen]
        return screen.isTrusted && screen.isOwnCompositor && screen.currentDesktop == nil
            && window.states.contains(.hidden)
    }

    /// Finds shown windows with a stale or forged SHADED.
    private func mayBeObscured(_ window: WindowFacts) -> Bool {
        (window.visibility ?? .fullyObscured) == .fullyObscured
    }

    private func isOffScreen(_ window: WindowFacts) -> Bool {
        guard let place = window.place else { return false }
        return !place.intersects(screens[window.screen].bounds)
    }

    private func isBelowDesktopWindow(_ window: WindowFacts) -> Bool {
        let stacking = screens[window.screen].stacking
        guard let level = stacking.firstIndex(of: window.id.xid) else { return false }
        return stacking[level...].contains { windows.facts(of: $0)?.kind == .desktop }
    }

    /// VisibilityNotify is right without a compositor only, hence the rectangles.
    private func isCovered(_ window: WindowFacts) -> Bool {
        if window.visibility == .fullyObscured { return true }
        if let knownCovered { return knownCovered.contains(window.id.xid) }
        guard let place = window.place else { return false }
        return windows.facts.lazy.filter { !$0.isGone }.prefix(Self.mostCompared).contains {
            $0.screen == window.screen && $0.id != window.id
                && placeCovered(by: $0)?.contains(place) == true
        }
    }

    /// Only so many windows are compared with one that may be covered: to compare every two of a client's thousands would take
    /// quadratic time. What none of these covers counts as visible.
    static let mostCompared = 512

    /// The rectangle that a window hides of those behind it; nil where it hides nothing.
    func placeCovered(by window: WindowFacts) -> Rectangle? {
        guard !window.isGone, window.mapState == .viewable, window.kind != .desktop else { return nil }
        return isManaged(window) ? window.place : nil
    }
}
