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
