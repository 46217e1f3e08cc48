/// The children of the root window, updated from events.
package struct Stacking: Sendable {
    /// The IDs of the children, lowest first.
    package private(set) var order: [UInt32] = []
    private var children: Set<UInt32> = []
    /// The facts of the children that are no known windows, such as frames: where they are, whether they are mapped and
    /// override-redirect, and how they are drawn.
    package private(set) var unknown: [UInt32: WindowFacts] = [:]
    /// Whether covers are followed: a scene that other windows cover completely is hidden.
    package var followsCovers = false

    package init() {}

    package func contains(_ window: UInt32) -> Bool { children.contains(window) }

    /// Nearly all changes concern the topmost children, so the search begins there.
    package func index(of window: UInt32) -> Int? { contains(window) ? order.lastIndex(of: window) : nil }

    /// The facts of a child that is no known window; nil for a window that is no child, which setting does not add. A known
    /// window has its facts in `WindowTable`, and must have none here.
    package subscript(window: UInt32) -> WindowFacts? {
        get { contains(window) ? unknown[window, default: WindowFacts(WindowID(window))] : nil }
        set { if contains(window) { unknown[window] = newValue } }
    }

    /// Replaces the children with a list, lowest first. Children that remain keep their facts.
    package mutating func replace(with list: [UInt32]) {
        order = list
        children = Set(list)
        unknown = unknown.filter { children.contains($0.key) }
    }

    /// Puts a new or existing child above all others.
    package mutating func add(_ window: UInt32) {
        if contains(window) { return raise(window) }
        order.append(window)
        children.insert(window)
    }

    /// Puts a child above a sibling, or below all others if the sibling is 0.
    package mutating func move(_ window: UInt32, above sibling: UInt32) {
        guard window != sibling, sibling == 0 || contains(sibling), let old = index(of: window) else {
            return
        }
        order.remove(at: old)
        order.insert(window, at: index(of: sibling).map { $0 + 1 } ?? 0)
    }

    package mutating func raise(_ window: UInt32) {
        if let index = index(of: window) { order.append(order.remove(at: index)) }
    }

    package mutating func remove(_ window: UInt32) {
        if let index = index(of: window) { order.remove(at: index) }
        children.remove(window)
        unknown[window] = nil
    }
}
