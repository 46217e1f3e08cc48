import CXlib
import Scenes

/// Selects the events of windows. A selection replaces the former one of the same window, so each window has one rule.
final class EventSelection {
    private let mirror: Mirror
    /// Whether followed windows report crossings of the pointer.
    var includesPointer = false
    /// The last window that had the focus and that no known window contained. It remains when the focus moves on.
    var lastOutside: UInt32?
    /// The windows that will be known once their first read is answered.
    var unanswered: Set<UInt32> = []

    init(_ mirror: Mirror) { self.mirror = mirror }

    func selectRoot() {
        mirror.display.select(
            mirror.root,
            SubstructureNotifyMask | StructureNotifyMask | PropertyChangeMask | FocusChangeMask)
    }

    /// Selects the events of a window that its facts depend on.
    func select(_ window: UInt32) {
        var mask = PropertyChangeMask | FocusChangeMask
        // The root window reports changes of its children.
        if !mirror.isChild(window) { mask |= StructureNotifyMask }
        if includesPointer { mask |= EnterWindowMask | LeaveWindowMask }
        mirror.display.select(window, mask)
    }

    /// Selects the events of a window that is not known and matters: its properties, its end, and its focus if it is
    /// `lastOutside`.
    func select(unknown window: UInt32) {
        if mirror.isKnown(window) || unanswered.contains(window) { return }
        var mask = PropertyChangeMask
        if window == lastOutside { mask |= FocusChangeMask }
        // The root window reports the end of its children.
        if !mirror.isChild(window) { mask |= StructureNotifyMask }
        mirror.display.select(window, mask)
    }
}
