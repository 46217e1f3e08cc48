/// The rule for the phases of all windows of a desktop. What concerns several windows is found once, when it is created.
package struct Rule: Sendable {
    package let desktop: Desktop
    package let policy: PhasePolicy
    /// The windows whose WM_STATE Iconic is believed although they are viewable, because it is new.
    let iconic: Set<UInt32>
    package let focus: Focus
    package let tabs: Tabs
    /// Whether the focused window is visible. Some window managers name a hidden window in _NET_ACTIVE_WINDOW; a hidden
    /// window has no focus.
    package private(set) var isFocusVisible = false
    /// The applications with the focus; empty unless the policy uses them.
    private var applications: Set<String> = []
    /// The topmost children of the root window, with the areas in which they hide what is below, topmost first; empty
    /// unless covers are followed.
    private(set) var covers: [(child: UInt32, area: Rectangle?)] = []

    package init(_ desktop: Desktop, _ policy: PhasePolicy, iconic: Set<UInt32> = []) {
        self.desktop = desktop
        self.policy = policy
        self.iconic = iconic
        focus = Focus(on: desktop)
        tabs = Tabs(on: desktop)
        if let holder = focus.holder.flatMap({ desktop.windows.facts(of: $0) }) {
            // An unmanaged window, such as a popup, lends its focus.
            isFocusVisible = !hides(holder)
        }
        if policy == .application && isFocusVisible {
            applications = Set(
                focus.windows.compactMap { desktop.windows.slot(of: $0) }
                    .map { desktop.windows.groups[$0].application })
        }
        if desktop.stacking.followsCovers { covers = findCovers() }
    }

    /// Returns whether a window, or a window that is transient for it, has the focus.
    func isFocused(_ window: WindowFacts) -> Bool { isFocusVisible && focus.contains(window.id.xid) }

    /// The scene with the focus, under any policy: that of the focused window, or else of one that it is transient for.
    var focusedScene: WindowID? {
        if !isFocusVisible { return nil }
        for slot in focus.windows.compactMap(desktop.windows.slot(of:)) {
            let window = desktop.windows.facts[slot]
            if desktop.isScene(window) && hiding(of: window) == nil {
                return desktop.windows.facts[desktop.mainSlot(of: slot)].id
            }
        }
        return nil
    }

    private func isActive(_ window: WindowFacts, at slot: Int) -> Bool {
        switch policy {
        case .focus: isFocused(window)
        case .application: applications.contains(desktop.windows.groups[slot].application)
        case .visible: true
        }
    }

    /// The evaluations for all scenes by the slot of the main window; without a phase in every other slot.
    package var evaluations: [Evaluation] {
        var scenes = Array(repeating: Evaluation(), count: desktop.windows.slotCount)
        var dialogs: [(evaluation: Evaluation, main: Int)] = []
        for slot in 0..<desktop.windows.slotCount where !desktop.windows.facts[slot].isGone {
            let evaluation = judge(slot).evaluation
            if evaluation.phase == nil { continue }
            let main = desktop.mainSlot(of: slot)
            if main == slot {
                scenes[slot] = evaluation
            } else {
                dialogs.append((evaluation, main))
            }
        }
        for dialog in dialogs { scenes[dialog.main].include(dialog.evaluation) }
        return scenes
    }

    /// Judges the window in a slot by itself, a dialog or not. The evaluation has no phase if the window is not part of a
    /// scene.
    func judge(_ slot: Int) -> (reason: Verdict.Reason, evaluation: Evaluation) {
        let window = desktop.windows.facts[slot]
        if let reason = desktop.reasonNotManaged(window) { return (reason, Evaluation()) }
        let hiding = hiding(of: window)
        guard window.isOfScenes else { return (hiding?.reason ?? .visible, Evaluation()) }
        if let hiding { return (hiding.reason, Evaluation(phase: .background, hiding: hiding.cause)) }
        let phase: ScenePhase = isActive(window, at: slot) ? .active : .inactive
        let isCovered = !covers.isEmpty && !focus.contains(window.id.xid) && isOccluded(window)
        return (isCovered ? .covered : .visible, Evaluation(phase: phase, isCovered: isCovered))
    }
}

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
        guard screen.hasManager, screen.isShowingDesktop || !desktop.takesKeys(window) else { return nil }
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
    private func frame(of window: WindowFacts) -> WindowFacts? {
        window.topLevel.flatMap { desktop.facts(of: $0) }
    }

    /// Returns the cause for a window that is known to be hidden.
    private func cause(ofHidden window: WindowFacts) -> Cause {
        if isOnOtherDesktop(window) { return .desktop }
        if window.states.contains(.shaded) { return .shade }
        if screen.isTrusted && screen.isShowingDesktop { return .showDesktop }
        if screen.hasManager && (window.state == .iconic || window.states.contains(.hidden)) {
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
