/// A child of the root window.
package struct RootChild: Hashable, Sendable, Codable {
    /// The X resource ID.
    package let window: UInt32
    /// The rectangle, including the border; nil until it is known.
    package var place: Rectangle?
    package var isMapped = false
}

/// The children of the root window, updated from events.
package struct Stacking: Sendable {
    /// The children, lowest first.
    package private(set) var children: [RootChild] = []
    /// Whether occlusion is judged.
    package var isJudged = false

    package init() {}

    /// Returns the index of a child, counted from the lowest; nil for any other window. Nearly all changes concern the
    /// topmost children, so the search begins there.
    package func index(of window: UInt32) -> Int? { children.lastIndex { $0.window == window } }

    package func contains(_ window: UInt32) -> Bool { index(of: window) != nil }

    package subscript(index: Int) -> RootChild {
        get { children[index] }
        set { children[index] = newValue }
    }

    /// Replaces the children with a list, lowest first. Children that remain keep their data.
    package mutating func replace(with list: [UInt32]) {
        let known = Dictionary(children.map { ($0.window, $0) }) { $1 }
        children = list.map { known[$0] ?? RootChild(window: $0) }
    }

    /// Places a new or existing child above all others.
    package mutating func add(_ window: UInt32) {
        if contains(window) { raise(window) } else { children.append(RootChild(window: window)) }
    }

    /// Places a child above a sibling, or below all others if the sibling is 0.
    package mutating func move(_ window: UInt32, above sibling: UInt32) {
        guard window != sibling, sibling == 0 || contains(sibling), let old = index(of: window) else {
            return
        }
        let child = children.remove(at: old)
        children.insert(child, at: index(of: sibling).map { $0 + 1 } ?? 0)
    }

    /// Places a child above all others.
    package mutating func raise(_ window: UInt32) {
        if let index = index(of: window) { children.append(children.remove(at: index)) }
    }

    package mutating func remove(_ window: UInt32) {
        if let index = index(of: window) { children.remove(at: index) }
    }
}
