/// The known windows, managed or not. A window keeps its slot until it is removed.
package struct WindowTable: Sendable {
    @usableFromInline var slots: [UInt32: Int32] = [:]
    /// The facts by slot. A free slot keeps those of its last window. This is a stored property because an accessor
    /// would cost other modules a function call for each reply that they handle.
    package var facts: [WindowFacts] = []
    @usableFromInline var texts: [WindowText] = []
    private var free: [Int32] = []
    package private(set) var names = GroupNames()

    package init() {}

    /// Returns the slot of a window; nil if the window is unknown.
    @inlinable @inline(__always)
    package func slot(of xid: UInt32) -> Int? { slots[xid].map { Int($0) } }

    /// Returns the slot of a window; nil if the window is unknown or its X resource ID belongs to another window.
    package func slot(of id: WindowID) -> Int? {
        slot(of: id.xid).flatMap { facts[$0].id == id ? $0 : nil }
    }

    /// The number of slots, including free ones.
    package var slotCount: Int { facts.count }

    /// The used slots, in no order.
    package var usedSlots: some Collection<Int> { slots.values.lazy.map { Int($0) } }

    package func text(_ slot: Int) -> WindowText { texts[slot] }

    /// Returns the facts of a scene.
    func sceneFacts(_ slot: Int, among tabs: Set<UInt32>) -> Change.SceneFacts {
        Change.SceneFacts(
            id: facts[slot].id, title: texts[slot].title, pid: facts[slot].pid,
            desktop: facts[slot].reportedDesktop, process: texts[slot].executable, role: texts[slot].role,
            monitor: texts[slot].monitor,
            desktopName: texts[slot].desktopName, extent: extent(slot, among: tabs))
    }

    package func extent(_ slot: Int, among tabs: Set<UInt32>) -> Change.Extent {
        let states = facts[slot].states.rawValue
        let maximized =
            WindowFacts.States.maximizedVertically.rawValue
            | WindowFacts.States.maximizedHorizontally.rawValue
        if states & WindowFacts.States.fullscreen.rawValue != 0 { return .fullscreen }
        if !tabs.isEmpty && tabs.contains(facts[slot].id.xid) { return .tab }
        return states & maximized == maximized ? .maximized : .window
    }

    /// Sets the monitor and the desktop name of the window in a slot.
    package mutating func setPlace(_ slot: Int, monitor: String?, desktopName: String?) {
        if texts[slot].monitor != monitor { texts[slot].monitor = monitor }
        if texts[slot].desktopName != desktopName { texts[slot].desktopName = desktopName }
    }

    /// Returns the facts of a window; nil if the window is unknown.
    package func facts(of xid: UInt32) -> WindowFacts? { slot(of: xid).map { facts[$0] } }

    /// Adds a window. Replaces any window with the same X resource ID.
    ///
    /// - Returns: The slot.
    @discardableResult
    package mutating func add(_ window: WindowFacts) -> Int {
        remove(window.id.xid)
        let slot = free.popLast().map { Int($0) } ?? facts.count
        if slot == facts.count {
            facts.append(window)
            texts.append(WindowText())
        } else {
            facts[slot] = window
        }
        slots[window.id.xid] = Int32(slot)
        facts[slot].group = .unknown
        facts[slot].hasName = false
        return slot
    }

    /// Removes a window.
    ///
    /// - Returns: The slot that the window had; nil if the window was unknown.
    @discardableResult
    package mutating func remove(_ xid: UInt32) -> Int? {
        guard let slot = slots.removeValue(forKey: xid) else { return nil }
        texts[Int(slot)] = WindowText()
        facts[Int(slot)].isGone = true
        free.append(slot)
        return Int(slot)
    }

    /// Changes the strings of the window in a slot, and updates its group.
    package mutating func rename(_ slot: Int, _ change: (inout WindowText) -> Void) {
        let (oldApplication, oldGroup) = (texts[slot].application, texts[slot].group)
        change(&texts[slot])
        facts[slot].hasName = texts[slot].isName
        let (application, group) = (texts[slot].application, texts[slot].group)
        if application == oldApplication && group == oldGroup { return }
        facts[slot].group = names.intern(application: application, group: group)
    }

    /// Changes the title of the window in a slot. Titles change often, names rarely.
    package mutating func retitle(_ slot: Int, _ title: String?) {
        if texts[slot].title == title { return }
        texts[slot].title = title
        facts[slot].hasName = texts[slot].isName
    }

    /// Removes the names that neither a window nor `others` uses, if the table has grown enough.
    package mutating func reclaimNames(keeping others: @autoclosure () -> [GroupName]) {
        guard names.isOvergrown else { return }
        names.reclaim(keeping: others() + usedSlots.map { facts[$0].group })
    }
}

/// Access to copies of whole windows.
extension WindowTable: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral windows: (UInt32, SeenWindow)...) {
        for (xid, window) in windows { self[xid] = window }
    }

    /// A copy of all facts and strings of a window.
    package subscript(xid: UInt32) -> SeenWindow? {
        get { slot(of: xid).map { SeenWindow(facts[$0], texts[$0]) } }
        set {
            guard let newValue else {
                remove(xid)
                return
            }
            if let slot = slot(of: newValue.id) {
                let group = facts[slot].group
                facts[slot] = newValue.facts
                facts[slot].group = group
            } else {
                add(newValue.facts)
            }
            if let slot = slot(of: xid) { rename(slot) { $0 = newValue.text } }
        }
    }

    /// Copies of all windows, in no order.
    package var windows: some Collection<SeenWindow> {
        usedSlots.lazy.map { SeenWindow(facts[$0], texts[$0]) }
    }
}
