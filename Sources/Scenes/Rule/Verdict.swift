/// Why one window is what it is: what was read of it, and what the rule made of that.
package struct Verdict: Sendable {
    /// The line of the rule that decided about a window, in the order in which they are asked.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        // It is not managed.
        case withdrewItself = "withdrew-itself"
        case withdrawnAndUnmapped = "withdrawn-and-unmapped"
        case notListed = "not-listed"
        case noState = "no-state"
        case noMappedTopLevel = "no-mapped-top-level"
        // It cannot be seen.
        case notViewable = "not-viewable"
        case offScreen = "off-screen"
        case shadedAndObscured = "shaded-and-obscured"
        case iconic
        case otherDesktop = "other-desktop"
        case hiddenByCompositor = "hidden-by-compositor"
        case belowDesktopWindow = "below-desktop-window"
        case hiddenAndCovered = "hidden-and-covered"
        case covered
        // Nothing hides it.
        case visible
    }

    package let window: SeenWindow
    /// What decided whether it can be seen.
    package let reason: Reason
    /// The scene that it is part of; nil for a window that is no scene.
    package let scene: WindowID?
    /// Its own phase, before that of its dialogs; nil for a window that is no scene.
    package let phase: ScenePhase?
    /// It has the focus, or a window that lends it to it.
    package let isFocused: Bool
    /// If it is covered: its size in pixels, and the windows that cover it, the topmost first.
    package let cover: (area: Int, windows: [SeenWindow])?
}

extension Desktop {
    /// The scenes of the display, each by the slot of its main window, and what the rule makes of them.
    package func scenes(under policy: PhasePolicy) -> [Int: Reading] {
        scenes(of: windows.usedSlots, activity(under: policy)).mapValues(\.covered)
    }

    /// Explains the window in a slot under a policy.
    package func verdict(at slot: Int, under policy: PhasePolicy) -> Verdict? {
        let window = windows.facts[slot]
        guard let seen = windows[window.id.xid] else { return nil }
        let reading = reading(of: window, activity(under: policy))
        var mains: [Int: Int?] = [:]
        return Verdict(
            window: seen, reason: reading.isCovered ? .covered : reason(for: window),
            scene: reading.phase.map { _ in windows.facts[mainSlot(of: slot, known: &mains)].id },
            phase: reading.covered.phase,
            isFocused: focusChain.contains(window.id.xid),
            cover: reading.isCovered
                ? cover(of: window).map { ($0.area, $0.children.map(window(inChild:))) } : nil)
    }

    /// The covering windows that hold no known client, and so have no name.
    ///
    /// - Parameters:
    ///   - slots: The others.
    ///   - limit: So many of each are looked at, the topmost first.
    package func unnamedCovers(of slots: [Int], atMost limit: Int) -> [(window: UInt32, screen: Int)] {
        let children = slots.flatMap { cover(of: windows.facts[$0])?.children.prefix(limit) ?? [] }
        return Set(children).filter { stacking[at: $0].client == nil }.sorted().map {
            (stacking.window(at: $0), stacking[at: $0].screen)
        }
    }

    /// The client that a child of a root window is or holds, or else the child.
    private func window(inChild slot: Int) -> SeenWindow {
        let client = stacking[at: slot].client.flatMap { windows[windows.facts[Int($0)].id.xid] }
        return client ?? SeenWindow(WindowID(stacking.window(at: slot)), screen: stacking[at: slot].screen)
    }

    /// What the rule makes of one window by itself, a dialog or not; `none` for one that is no scene.
    func reading(of window: WindowFacts, _ activity: Activity) -> Reading {
        guard mayBeScene(window) else { return .none }
        switch visibility(of: window) {
        case .gone: return .none
        case .background(let hiding): return Reading(phase: .background, hiding: hiding, group: window.group)
        case .visible:
            let isActive = activity.includes(window, on: self)
            let isCovered = !activity.chain.contains(window.id.xid) && isOccluded(window)
            return Reading(
                phase: isActive ? .active : .inactive, hiding: nil, isCovered: isCovered, group: window.group)
        }
    }
}
