/// A child of a root window.
package struct RootChild: Sendable {
    /// Its id; 0 for the sentinel of a screen's ring.
    package let window: UInt32
    package let screen: Int
    /// The slots of its neighbours.
    fileprivate var below, above: Int32
    /// Higher than that of every child below it.
    package internal(set) var level: Int64
    /// With its border; nil as long as nothing told.
    package var place: Rectangle?
    package var isMapped = false
    /// The slot of the client that it is or holds.
    package var client: Int32?

    /// The bounding box of what it hid when last judged, and its level then.
    var hidden = Rectangle.empty
    var judgedLevel: Int64
    /// It hides several rectangles: `Stacking.pieces` has them.
    var hidesPieces = false
    fileprivate var isChanged = false
}

/// The children of each root window in the order in which they lie above each other, kept from what events tell.
///
/// A child has a slot for as long as it is one. Each change takes the same time however many there are, and no memory but for
/// more children than there ever were.
package struct Stacking: Sendable {
    /// How far apart the levels of neighbours are at first.
    private static let step: Int64 = 1 << 32
    /// The farthest that a level may be from 0: neither one step more nor a difference is too large for it.
    private static let farthest: UInt64 = 1 << 61

    /// The children of each root window form a ring. Its sentinel has the screen's number as its slot: above it is the
    /// lowest child, below it the topmost.
    private var children: [RootChild]
    private var slots: [UInt32: Int32] = [:]
    private var free: [Int32] = []
    /// The slots of children of which something is new since `takeChanged`.
    private var changed: [Int32] = []
    /// By slot: the rectangles that a child hides, if there are several.
    var pieces: [Int32: [Rectangle]] = [:]
    /// What removed children hid.
    private var removed: [Exposure] = []

    package init(screenCount: Int = 1) {
        children = (0..<screenCount).map {
            RootChild(window: 0, screen: $0, below: Int32($0), above: Int32($0), level: 0, judgedLevel: 0)
        }
    }

    /// The slot of a child of a root window; nil for any other window.
    package func slot(of window: UInt32) -> Int? { slots[window].map { Int($0) } }

    /// The screen of a child; nil for a window that is none.
    package func screen(of window: UInt32) -> Int? { slots[window].map { children[Int($0)].screen } }

    /// The child in a slot.
    package subscript(at slot: Int) -> RootChild {
        _read { yield children[slot] }
        _modify { yield &children[slot] }
    }

    /// The id of the child in a slot.
    package func window(at slot: Int) -> UInt32 { children[slot].window }

    /// The slot of a root window's topmost child; nil where there is none.
    package func topmost(_ screen: Int) -> Int? { next(below: screen) }

    /// The slot of the next child below that in another one; nil for the lowest.
    package func next(below slot: Int) -> Int? {
        let next = Int(children[slot].below)
        return children[next].window == 0 ? nil : next
    }

    /// The slot of the next child above that in another one; nil for the topmost.
    package func next(above slot: Int) -> Int? {
        let next = Int(children[slot].above)
        return children[next].window == 0 ? nil : next
    }

    /// The slots of a root window's children, the topmost first.
    package func fromTop(_ screen: Int) -> some Sequence<Int> {
        sequence(first: screen, next: next(below:)).dropFirst()
    }

    /// Takes over the children of a root window, the lowest first. Those that stay keep their slots.
    package mutating func replace(with list: [UInt32], screen: Int) {
        for window in list { add(window, screen: screen) }
        while true {
            let lowest = children[Int(children[screen].above)].window
            if lowest == list.first ?? 0 { return }
            remove(lowest)
        }
    }

    /// Puts a window above all children of a root window, new or not.
    ///
    /// - Returns: Its slot.
    @discardableResult
    package mutating func add(_ window: UInt32, screen: Int) -> Int {
        let slot = slots[window] ?? insert(window, screen: screen)
        place(slot, above: children[screen].below)
        return Int(slot)
    }

    /// Puts a child above another one, or below all others if that is 0. One that is already there costs one look-up.
    ///
    /// - Returns: Its slot; nil for a window that is no child.
    @discardableResult
    package mutating func move(_ window: UInt32, above sibling: UInt32) -> Int? {
        guard let slot = slots[window] else { return nil }
        if children[Int(children[Int(slot)].below)].window == sibling { return Int(slot) }
        if sibling == 0 {
            place(slot, above: Int32(children[Int(slot)].screen))
        } else if let lower = slots[sibling], children[Int(lower)].screen == children[Int(slot)].screen {
            place(slot, above: lower)
        }
        return Int(slot)
    }

    /// Puts a child above all others.
    package mutating func raise(_ window: UInt32) {
        guard let slot = slots[window] else { return }
        place(slot, above: children[children[Int(slot)].screen].below)
    }

    /// Forgets a window that is a child of a root window no longer.
    package mutating func remove(_ window: UInt32) {
        guard let slot = slots.removeValue(forKey: window) else { return }
        let child = children[Int(slot)]
        if !child.hidden.isEmpty { removed.append(Exposure(of: child)) }
        if child.hidesPieces { pieces[slot] = nil }
        unlink(slot)
        children[Int(slot)] = RootChild(
            window: 0, screen: child.screen, below: slot, above: slot, level: 0, judgedLevel: 0,
            isChanged: child.isChanged)
        free.append(slot)
    }

    private mutating func insert(_ window: UInt32, screen: Int) -> Int32 {
        let slot = free.popLast() ?? Int32(children.count)
        var child = RootChild(
            window: window, screen: screen, below: slot, above: slot, level: 0, judgedLevel: 0)
        if Int(slot) == children.count {
            children.append(child)
        } else {
            child.isChanged = children[Int(slot)].isChanged
            children[Int(slot)] = child
        }
        slots[window] = slot
        return slot
    }

    private mutating func place(_ slot: Int32, above lower: Int32) {
        guard slot != lower else { return }
        unlink(slot)
        let upper = children[Int(lower)].above
        children[Int(slot)].below = lower
        children[Int(slot)].above = upper
        children[Int(lower)].above = slot
        children[Int(upper)].below = slot
        setLevel(slot)
        markChanged(slot)
    }

    private mutating func unlink(_ slot: Int32) {
        let (lower, upper) = (children[Int(slot)].below, children[Int(slot)].above)
        children[Int(lower)].above = upper
        children[Int(upper)].below = lower
    }

    private mutating func setLevel(_ slot: Int32) {
        let (lower, upper) = (
            children[Int(children[Int(slot)].below)], children[Int(children[Int(slot)].above)]
        )
        switch (lower.window, upper.window) {
        case (0, 0): children[Int(slot)].level = 0
        case (_, 0): children[Int(slot)].level = lower.level + Self.step
        case (0, _): children[Int(slot)].level = upper.level - Self.step
        default:
            children[Int(slot)].level = lower.level + (upper.level - lower.level) / 2
            if children[Int(slot)].level == lower.level { spreadLevels(children[Int(slot)].screen) }
        }
        if children[Int(slot)].level.magnitude > Self.farthest { spreadLevels(children[Int(slot)].screen) }
    }

    /// Makes room between the levels of all children of a root window.
    private mutating func spreadLevels(_ screen: Int) {
        var level: Int64 = 0
        var slot = screen
        while let next = next(above: slot) {
            children[next].level = level
            // The old level of a moved child means nothing on the new scale.
            children[next].judgedLevel = children[next].isChanged ? .max : level
            level += Self.step
            slot = next
        }
        for index in removed.indices where removed[index].screen == screen { removed[index].upper = .max }
    }

    /// Marks a child for the next `judgeHiding`. Does nothing unless `isJudged`.
    package mutating func markChanged(_ slot: Int32) {
        guard isJudged, !children[Int(slot)].isChanged else { return }
        children[Int(slot)].isChanged = true
        changed.append(slot)
    }

    /// Whether occlusion is judged.
    package var isJudged = false {
        didSet {
            changed = []
            removed = []
            pieces = [:]
            for slot in children.indices {
                children[slot].isChanged = false
                children[slot].hidden = .empty
                children[slot].hidesPieces = false
            }
            if isJudged { markAllChanged() }
        }
    }

    package mutating func markAllChanged() {
        for slot in children.indices where children[slot].window != 0 { markChanged(Int32(slot)) }
    }

    /// The slots of children of which something is new since `takeChanged`.
    package var changedSlots: [Int] { changed.lazy.map { Int($0) }.filter { children[$0].window != 0 } }

    /// The children that changed since the last call, and what removed ones hid.
    mutating func takeChanged() -> (slots: [Int32], removed: [Exposure]) {
        defer {
            for slot in changed { children[Int(slot)].isChanged = false }
            changed.empty()
            removed.empty()
        }
        return (changed, removed)
    }
}
