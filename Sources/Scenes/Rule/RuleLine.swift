/// The line of the rule that decided about a window, in the order in which they are asked.
package enum RuleLine: String, CaseIterable, Hashable, Sendable {
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
    // Nothing hides it.
    case visible
}
