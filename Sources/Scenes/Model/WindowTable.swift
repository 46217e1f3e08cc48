/// The known windows, managed or not. Each has a slot for as long as it lives.
package struct WindowTable: Sendable {
    @usableFromInline var slots: [UInt32: Int32] = [:]
    /// By slot: the facts of its window, or of the one that had it last. Stored here for all to read and write, since an
    /// accessor is a call with a frame in memory for each answer that another module takes in.
    package var facts: [WindowFacts] = []
    @usableFromInline var texts: [WindowText] = []
    private var free: [Int32] = []
    package private(set) var names = GroupNames()

    package init() {}

    /// The slot of a window; nil for one that is not known.
    @inlinable @inline(__always)
    package func slot(of xid: UInt32) -> Int? { slots[xid].map { Int($0) } }

    /// The slot of a window; nil for one that is not known, or is another one with this id.
    package func slot(of id: WindowID) -> Int? {
        slot(of: id.xid).flatMap { facts[$0].id == id ? $0 : nil }
    }

    /// How many slots there are, free ones included.
    package var slotCount: Int { facts.count }

    /// The slots that windows have, in no order.
    package var usedSlots: some Collection<Int> { slots.values.lazy.map { Int($0) } }

    package func text(_ slot: Int) -> WindowText { texts[slot] }

    /// What only a scene has of the window in a slot.
    func sceneText(_ slot: Int) -> SceneText {
        SceneText(
            title: texts[slot].title, role: texts[slot].role, monitor: texts[slot].monitor,
            desktopName: texts[slot].desktopName, extent: extent(slot))
    }

    func extent(_ slot: Int) -> Change.Extent {
        let states = facts[slot].states.rawValue
        let maximized =
            WindowFacts.States.maximizedVertically.rawValue
            | WindowFacts.States.maximizedHorizontally.rawValue
        if states & WindowFacts.States.fullscreen.rawValue != 0 { return .fullscreen }
        return states & maximized == maximized ? .maximized : .window
    }

    /// Names the place of the window in a slot.
    package mutating func setPlace(_ slot: Int, monitor: String?, desktopName: String?) {
        if texts[slot].monitor != monitor { texts[slot].monitor = monitor }
        if texts[slot].desktopName != desktopName { texts[slot].desktopName = desktopName }
    }

    /// Whether the second string of WM_CLASS is set.
    @inlinable package func hasClassName(_ slot: Int) -> Bool { texts[slot].className != nil }

    func facts(inSlot slot: Int) -> ImmediateFacts {
        ImmediateFacts(
            pid: facts[slot].pid ?? 0,
            desktop: facts[slot].desktop.map { $0 == WindowFacts.allDesktops ? -1 : Int($0) },
            process: texts[slot].executable)
    }

    /// The facts of a window; nil for one that is not known.
    package func facts(of xid: UInt32) -> WindowFacts? { slot(of: xid).map { facts[$0] } }

    /// Adds a window in place of the one with its id, if there was one.
    ///
    /// - Returns: Its slot.
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
    /// - Returns: The slot that it had; nil for one that was not known.
    @discardableResult
    package mutating func remove(_ xid: UInt32) -> Int? {
        guard let slot = slots.removeValue(forKey: xid) else { return nil }
        texts[Int(slot)] = WindowText()
        facts[Int(slot)].isGone = true
        free.append(slot)
        return Int(slot)
    }

    /// Changes what the window in a slot is called.
    package mutating func rename(_ slot: Int, _ change: (inout WindowText) -> Void) {
        let (oldApplication, oldGroup) = (texts[slot].application, texts[slot].group)
        change(&texts[slot])
        facts[slot].hasName = texts[slot].isName
        let (application, group) = (texts[slot].application, texts[slot].group)
        if application == oldApplication && group == oldGroup { return }
        facts[slot].group = names.intern(application: application, group: group)
    }

    /// Changes the title of the window in a slot: titles change often, names hardly ever.
    package mutating func retitle(_ slot: Int, _ title: String?) {
        if texts[slot].title == title { return }
        texts[slot].title = title
        facts[slot].hasName = texts[slot].isName
    }

    /// Forgets the names that no window has and that are not in `others`, if there are many of them.
    package mutating func reclaimNames(keeping others: @autoclosure () -> [GroupName]) {
        guard names.isOvergrown else { return }
        names.reclaim(keeping: others() + usedSlots.map { facts[$0].group })
    }
}

/// Whole windows, copied.
extension WindowTable: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral windows: (UInt32, SeenWindow)...) {
        for (xid, window) in windows { self[xid] = window }
    }

    /// All that is known of a window.
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

    /// All windows, in no order.
    package var windows: some Collection<SeenWindow> {
        usedSlots.lazy.map { SeenWindow(facts[$0], texts[$0]) }
    }
}
