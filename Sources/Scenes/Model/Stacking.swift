/// The children of each root window in the order in which they lie above each other, kept from what events tell.
///
/// A child has a slot for as long as it is one. Each change takes the same time however many there are, and no memory but for
/// more children than there ever were.
package struct Stacking: Sendable {
    /// The children of one root window make a ring, which the node with the number of the screen closes: above that node is
    /// the lowest child, below it the topmost.
    private struct Node {
        var window: UInt32 = 0
        var screen: Int32
        var below, above: Int32
    }

    private var nodes: [Node]
    private var slots: [UInt32: Int32] = [:]
    private var free: [Int32] = []

    package init(screenCount: Int = 1) {
        nodes = (0..<Int32(screenCount)).map { Node(screen: $0, below: $0, above: $0) }
    }

    /// The slot of a child of a root window; nil for any other window.
    package func slot(of window: UInt32) -> Int? { slots[window].map { Int($0) } }

    /// The screen of a child; nil for a window that is none.
    package func screen(of window: UInt32) -> Int? { slots[window].map { Int(nodes[Int($0)].screen) } }

    /// The child in a slot.
    package func window(at slot: Int) -> UInt32 { nodes[slot].window }

    /// The slot of a root window's topmost child; nil where there is none.
    package func topmost(_ screen: Int) -> Int? { child(nodes[screen].below) }

    /// The slot of the next child below that in another one; nil for the lowest.
    package func next(below slot: Int) -> Int? { child(nodes[slot].below) }

    /// The slot of the next child above that in another one; nil for the topmost.
    package func next(above slot: Int) -> Int? { child(nodes[slot].above) }

    private func child(_ slot: Int32) -> Int? { nodes[Int(slot)].window == 0 ? nil : Int(slot) }

    /// The slots of a root window's children, the topmost first.
    package func fromTop(_ screen: Int) -> some Sequence<Int> {
        sequence(first: screen, next: next(below:)).dropFirst()
    }

    /// Takes over the children of a root window, the lowest first. Those that stay keep their slots.
    package mutating func replace(with children: [UInt32], screen: Int) {
        for child in children { add(child, screen: screen) }
        while true {
            let lowest = nodes[Int(nodes[screen].above)].window
            if lowest == children.first ?? 0 { return }
            remove(lowest)
        }
    }

    /// Puts a window above all children of a root window, new or not.
    package mutating func add(_ window: UInt32, screen: Int) {
        place(slots[window] ?? insert(window, screen: Int32(screen)), above: nodes[screen].below)
    }

    /// Puts a child above another one, or below all others if that is 0. One that is already there costs one look-up.
    package mutating func move(_ window: UInt32, above sibling: UInt32) {
        guard let slot = slots[window], nodes[Int(nodes[Int(slot)].below)].window != sibling else { return }
        if sibling == 0 {
            place(slot, above: nodes[Int(slot)].screen)
        } else if let lower = slots[sibling], nodes[Int(lower)].screen == nodes[Int(slot)].screen {
            place(slot, above: lower)
        }
    }

    /// Puts a child above all others.
    package mutating func raise(_ window: UInt32) {
        guard let slot = slots[window] else { return }
        place(slot, above: nodes[Int(nodes[Int(slot)].screen)].below)
    }

    /// Forgets a window that is a child of a root window no longer.
    package mutating func remove(_ window: UInt32) {
        guard let slot = slots.removeValue(forKey: window) else { return }
        unlink(slot)
        nodes[Int(slot)].window = 0
        free.append(slot)
    }

    private mutating func insert(_ window: UInt32, screen: Int32) -> Int32 {
        let slot = free.popLast() ?? Int32(nodes.count)
        let node = Node(window: window, screen: screen, below: slot, above: slot)
        if Int(slot) == nodes.count { nodes.append(node) } else { nodes[Int(slot)] = node }
        slots[window] = slot
        return slot
    }

    private mutating func place(_ slot: Int32, above lower: Int32) {
        guard slot != lower else { return }
        unlink(slot)
        let upper = nodes[Int(lower)].above
        nodes[Int(slot)].below = lower
        nodes[Int(slot)].above = upper
        nodes[Int(lower)].above = slot
        nodes[Int(upper)].below = slot
    }

    private mutating func unlink(_ slot: Int32) {
        let (lower, upper) = (nodes[Int(slot)].below, nodes[Int(slot)].above)
        nodes[Int(lower)].above = upper
        nodes[Int(upper)].below = lower
    }
}
