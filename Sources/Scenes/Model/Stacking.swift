/// A child of a root window.
package struct RootChild: Hashable, Sendable, Codable {
    /// The X resource ID; 0 in a free slot.
    package let window: UInt32
    package let screen: Int
    /// The rectangle, including the border; nil until it is known.
    package var place: Rectangle?
    package var isMapped = false
}

/// The stacking order of each root window's children, updated from events. A child keeps its slot until it is removed.
package struct Stacking: Sendable {
    private var children: [RootChild] = []
    private var slots: [UInt32: Int32] = [:]
    private var free: [Int32] = []
    /// The slots of each screen's children, lowest first.
    private var orders: [[Int32]]

    package init(screenCount: Int = 1) {
        orders = Array(repeating: [], count: screenCount)
    }

    /// Returns the slot of a child of a root window; nil for any other window.
    package func slot(of window: UInt32) -> Int? { slots[window].map { Int($0) } }

    /// Returns the screen of a child; nil for any other window.
    package func screen(of window: UInt32) -> Int? { slots[window].map { children[Int($0)].screen } }

    /// The child in a slot.
    package subscript(at slot: Int) -> RootChild {
        _read { yield children[slot] }
        _modify { yield &children[slot] }
    }

    /// Returns the X resource ID of the child in a slot.
    package func window(at slot: Int) -> UInt32 { children[slot].window }

    /// Returns the slots of a root window's children, topmost first.
    package func fromTop(_ screen: Int) -> some Collection<Int> {
        orders[screen].reversed().lazy.map { Int($0) }
    }

    /// Replaces the children of a root window with a list, lowest first. Children that remain keep their slots.
    package mutating func replace(with list: [UInt32], screen: Int) {
        let old = orders[screen].map { children[Int($0)].window }
        if old == list { return }
        for window in Set(old).subtracting(list) { remove(window) }
        for window in list where self.screen(of: window) != screen { add(window, screen: screen) }
        orders[screen] = list.compactMap { slots[$0] }
    }

    /// Places a new or existing child above all other children of a root window.
    ///
    /// - Returns: The slot.
    @discardableResult
    package mutating func add(_ window: UInt32, screen: Int) -> Int {
        if let slot = slots[window], children[Int(slot)].screen == screen {
            raise(window)
            return Int(slot)
        }
        remove(window)
        let child = RootChild(window: window, screen: screen)
        let slot = free.popLast() ?? Int32(children.count)
        if Int(slot) == children.count { children.append(child) } else { children[Int(slot)] = child }
        slots[window] = slot
        orders[screen].append(slot)
        return Int(slot)
    }

    /// Places a child above a sibling, or below all others if the sibling is 0.
    ///
    /// - Returns: The slot; nil if the window is not a child.
    @discardableResult
    package mutating func move(_ window: UInt32, above sibling: UInt32) -> Int? {
        guard let slot = slots[window] else { return nil }
        if sibling == 0 {
            move(slot) { _, _ in 0 }
        } else if let lower = slots[sibling], lower != slot {
            move(slot) { order, old in
                // Removing a child from below the sibling shifts the sibling down.
                order.lastIndex(of: lower).map { $0 < old ? $0 + 1 : $0 }
            }
        }
        return Int(slot)
    }

    /// Places a child above all others.
    package mutating func raise(_ window: UInt32) {
        guard let slot = slots[window] else { return }
        move(slot) { order, _ in order.count - 1 }
    }

    /// Removes a window that is no longer a child of a root window.
    package mutating func remove(_ window: UInt32) {
        guard let slot = slots.removeValue(forKey: window) else { return }
        let child = children[Int(slot)]
        if let index = orders[child.screen].lastIndex(of: slot) {
            orders[child.screen].remove(at: index)
        }
        children[Int(slot)] = RootChild(window: 0, screen: child.screen)
        free.append(slot)
    }

    /// - Parameter index: Returns the new index of the child from the order and the old index; nil to leave the child
    ///   in place.
    private mutating func move(_ slot: Int32, to index: (_ order: [Int32], _ old: Int) -> Int?) {
        let screen = children[Int(slot)].screen
        guard let old = orders[screen].lastIndex(of: slot),
            let new = index(orders[screen], old), new != old
        else { return }
        orders[screen].remove(at: old)
        orders[screen].insert(slot, at: new)
    }

    /// Whether occlusion is judged.
    package var isJudged = false
}
