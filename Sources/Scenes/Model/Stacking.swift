/// A child of the root window.
package struct RootChild: Hashable, Sendable, Codable {
    /// Excludes what recordings need not repeat.
    private enum CodingKeys: String, CodingKey {
        case window, isMapped, isTranslucent, isShaped, takesInput
        case geometry = "place"
    }

    package let window: UInt32
    /// The rectangle, including the border; nil until it is known.
    package var geometry: Rectangle?
    package var isMapped = false
    /// Whether the window is override-redirect.
    package var isUnmanaged = false
    /// Whether _NET_WM_WINDOW_OPACITY makes an unknown window, such as a frame, translucent. Read while covers
    /// are followed.
    package var isTranslucent = false
    /// Whether an unknown window has a bounding shape; nil until it is read, while covers are followed.
    package var isShaped: Bool?
    /// Whether a frame lets input through to the windows in it that take any; nil until it is read, under a window manager
    /// that is its own compositor.
    package var takesInput: Bool?

    package init(window: UInt32) { self.window = window }
}

/// The children of the root window, updated from events.
package struct Stacking: Sendable {
    /// The IDs of the children, lowest first.
    package private(set) var order: [UInt32] = []
    private var known: [UInt32: RootChild] = [:]
    /// Whether covers are followed: a scene that other windows cover completely is hidden.
    package var followsCovers = false

    package init() {}

    package var children: [RootChild] { order.compactMap { known[$0] } }

    /// The override-redirect children, in no order.
    package var unmanaged: [RootChild] { known.values.filter(\.isUnmanaged) }

    package func contains(_ window: UInt32) -> Bool { known[window] != nil }

    /// Nearly all changes concern the topmost children, so the search begins there.
    package func index(of window: UInt32) -> Int? { contains(window) ? order.lastIndex(of: window) : nil }

    /// The data of a child; nil for any other window, which setting does not add.
    package subscript(window: UInt32) -> RootChild? {
        get { known[window] }
        set { if contains(window) { known[window] = newValue } }
    }

    /// Replaces the children with a list, lowest first. Children that remain keep their data.
    package mutating func replace(with list: [UInt32]) {
        order = list
        known = Dictionary(list.map { ($0, known[$0] ?? RootChild(window: $0)) }) { $1 }
    }

    /// Puts a new or existing child above all others.
    package mutating func add(_ window: UInt32) {
        if contains(window) { return raise(window) }
        order.append(window)
        known[window] = RootChild(window: window)
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
        known[window] = nil
    }
}
