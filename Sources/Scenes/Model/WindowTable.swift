/// The known windows, managed or not. A window keeps its slot until it is removed.
package struct WindowTable: Sendable {
    private var slots: [UInt32: Int32] = [:]
    /// The facts by slot. A free slot keeps those of its last window.
    package var facts: [WindowFacts] = []
    /// The names of groups and applications by slot, which follow from the texts.
    package private(set) var groups: [GroupName] = []
    private(set) var texts: [ReadText] = []
    private var free: [Int32] = []

    package init() {}

    /// Returns the slot of a window; nil if the window is unknown.
    package func slot(of xid: UInt32) -> Int? { slots[xid].map { Int($0) } }

    /// Returns the slot of a window; nil if the window is unknown or its X resource ID belongs to another window.
    package func slot(of id: WindowID) -> Int? {
        slot(of: id.xid).flatMap { facts[$0].id == id ? $0 : nil }
    }

    package var count: Int { slots.count }

    /// The number of slots, including free ones.
    package var slotCount: Int { facts.count }

    /// The used slots, in no order.
    package var usedSlots: some Collection<Int> { slots.values.lazy.map { Int($0) } }

    package func text(_ slot: Int) -> WindowText { texts[slot].text }

    /// Returns whether WM_CLASS or a title of a window is set.
    func hasName(_ xid: UInt32) -> Bool { slot(of: xid).map { texts[$0].text.isName } ?? false }

    func sceneFacts(_ slot: Int, among tabs: Tabs) -> Change.SceneFacts {
        let text = texts[slot].text
        return Change.SceneFacts(
            id: facts[slot].id, title: text.title, pid: facts[slot].pid,
            desktop: facts[slot].reportedDesktop, process: text.executable, role: text.role,
            monitor: text.monitor, desktopName: text.desktopName, extent: extent(slot, among: tabs))
    }

    package func extent(_ slot: Int, among tabs: Tabs) -> Change.Extent {
        let states = facts[slot].states
        if states.contains(.fullscreen) { return .fullscreen }
        if !tabs.all.isEmpty && tabs.all.contains(facts[slot].id.xid) { return .tab }
        let isMaximized = states.contains(.maximizedVertically) && states.contains(.maximizedHorizontally)
        return isMaximized ? .maximized : .window
    }

    package func facts(of xid: UInt32) -> WindowFacts? { slot(of: xid).map { facts[$0] } }

    /// Adds a window, instead of any with the same X resource ID, and returns its slot.
    @discardableResult
    package mutating func add(_ window: WindowFacts) -> Int {
        remove(window.id.xid)
        let slot = free.popLast().map { Int($0) } ?? facts.count
        if slot == facts.count {
            facts.append(window)
            texts.append(.none)
            groups.append(.unknown)
        } else {
            facts[slot] = window
            groups[slot] = .unknown
        }
        slots[window.id.xid] = Int32(slot)
        return slot
    }

    /// Removes a window, and returns the slot that it had; nil if it was unknown.
    @discardableResult
    package mutating func remove(_ xid: UInt32) -> Int? {
        guard let slot = slots.removeValue(forKey: xid) else { return nil }
        texts[Int(slot)] = .none
        facts[Int(slot)].isGone = true
        free.append(slot)
        return Int(slot)
    }

    /// Changes the strings of the window in a slot, and updates its group.
    package mutating func rename(_ slot: Int, _ change: (inout WindowText) -> Void) {
        var text = texts[slot].text
        change(&text)
        if text != texts[slot].text { texts[slot] = ReadText(text) }
        let name = GroupName(application: text.application, group: text.group)
        if groups[slot] != name { groups[slot] = name }
    }

    /// A copy of all facts and strings of a window.
    package subscript(xid: UInt32) -> SeenWindow? {
        get { slot(of: xid).map { SeenWindow(facts[$0], texts[$0].text) } }
        set {
            guard let newValue else {
                remove(xid)
                return
            }
            let slot = slot(of: newValue.id) ?? add(newValue.facts)
            facts[slot] = newValue.facts
            rename(slot) { $0 = newValue.text }
        }
    }

    /// Copies of all windows, in no order.
    package var windows: some Collection<SeenWindow> {
        usedSlots.lazy.map { SeenWindow(facts[$0], texts[$0].text) }
    }
}

/// The strings of a window as an object, whose identity stands for all of them.
final class ReadText: Sendable {
    let text: WindowText

    init(_ text: WindowText) { self.text = text }

    /// The strings of a window of which none has been read.
    static let none = ReadText(WindowText())
}
