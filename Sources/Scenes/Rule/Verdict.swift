/// The explanation of one window's phase: the facts of the window and the result of the rule.
package struct Verdict: Sendable {
    /// The line of the rule that decided about a window, in the order of evaluation.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        // The window is not managed.
        case withdrewItself = "withdrew-itself"
        case withdrawnAndUnmapped = "withdrawn-and-unmapped"
        case notListed = "not-listed"
        case noState = "no-state"
        case noMappedTopLevel = "no-mapped-top-level"
        case insideClient = "inside-client"
        // The window is not visible.
        case notViewable = "not-viewable"
        case offScreen = "off-screen"
        case shadedAndObscured = "shaded-and-obscured"
        case iconic
        case otherDesktop = "other-desktop"
        case frameWithoutInput = "frame-without-input"
        case hiddenByCompositor = "hidden-by-compositor"
        case belowDesktopWindow = "below-desktop-window"
        case hiddenAndCovered = "hidden-and-covered"
        case covered
        // Nothing hides the window.
        case visible
    }

    package let window: SeenWindow
    /// The reason why the window is visible or not.
    package let reason: Reason
    /// The scene of the window; nil if the window is not part of a scene.
    package let scene: WindowID?
    /// The window's own phase, without its dialogs; nil if the window is not part of a scene.
    package let phase: ScenePhase?
    /// Whether the window, or a window that is transient for it, has the focus.
    package let isFocused: Bool
    /// Whether the frame of a shaded window shows it all the same; nil for any other window.
    package let isShownByFrame: Bool?
    /// The area of a covered window in pixels, and the windows that cover it, topmost first; nil if it is not covered.
    package let cover: (area: Int, windows: [SeenWindow])?
}

extension Rule {
    /// The evaluations for all scenes on the display by the slot of the main window, with covers.
    package var scenes: [Int: Evaluation] {
        let evaluations = evaluations.enumerated().filter { $1.phase != nil }
        return Dictionary(uniqueKeysWithValues: evaluations.map { ($0, $1.covered) })
    }

    /// Explains the window in a slot.
    package func verdict(at slot: Int) -> Verdict? {
        let window = desktop.windows.facts[slot]
        guard let seen = desktop.windows[window.id.xid] else { return nil }
        let (reason, evaluation) = judge(slot)
        return Verdict(
            window: seen, reason: reason,
            scene: evaluation.phase.map { _ in
                desktop.windows.facts[desktop.mainSlot(of: slot)].id
            },
            phase: evaluation.covered.phase, isFocused: isFocused(window),
            isShownByFrame: window.states.contains(.shaded) ? isShownByFrame(window) : nil,
            cover: evaluation.isCovered
                ? cover(of: window).map { ($0.area, $0.children.map(window(inChild:))) } : nil)
    }

    /// Returns the windows, at most so many of the topmost for each, that cover those in the slots, contain no known client
    /// and therefore have no name.
    package func unnamedCovers(of slots: [Int], atMost limit: Int) -> [UInt32] {
        let children = slots.flatMap { cover(of: desktop.windows.facts[$0])?.children.prefix(limit) ?? [] }
        let clients = desktop.clientsInChildren
        return Set(children).filter { desktop.client(inChild: $0, clients) == nil }.sorted()
    }

    /// Returns the client that a root-window child is or contains, or else the child.
    private func window(inChild child: UInt32) -> SeenWindow {
        let client = desktop.client(inChild: child, desktop.clientsInChildren)
        return client.flatMap { desktop.windows[$0.id.xid] } ?? SeenWindow(WindowID(child))
    }
}
