import CXlib

/// The events that are selected of known windows, and of those that are about to be read.
final class EventSelection {
    private let mirror: Mirror
    private let tree: WindowTree
    private var masks: [UInt32: Int] = [:]
    /// Whether windows report crossings of the pointer.
    private var followsPointer = false

    init(_ mirror: Mirror, _ tree: WindowTree) { (self.mirror, self.tree) = (mirror, tree) }

    func forget(_ window: UInt32) { masks[window] = nil }

    /// Selects the events of a window that its facts depend on, unless they are selected already.
    func select(of window: UInt32) {
        var mask = PropertyChangeMask | FocusChangeMask
        // The root window reports changes of its children.
        if !tree.isChild(window) { mask |= StructureNotifyMask }
        if followsPointer { mask |= EnterWindowMask | LeaveWindowMask }
        if masks.updateValue(mask, forKey: window) != mask { mirror.display.select(window, mask) }
    }

    /// Selects crossing events of all windows, once the pointer matters.
    func followPointer() {
        guard !followsPointer else { return }
        followsPointer = true
        for window in Array(masks.keys) { select(of: window) }
    }
}
