/// The viewable windows with _NET_WM_STATE_HIDDEN. Such a window is behind a tab if another window covers it.
package struct ConcealedWindows: Sendable {
    /// The facts of a window that determine whether it is concealed or covers others.
    private struct Window: Equatable {
        let xid: UInt32
        let screen: Int
        let place: Rectangle?
        let isConcealed: Bool
        /// The rectangle that the window covers; nil if it covers nothing.
        let covered: Rectangle?
    }

    /// The windows by slot; empty while no window is concealed.
    private var windows: [Window?] = []
    /// The slots of the concealed windows.
    private(set) var slots: [Int32] = []
    /// The concealed windows that other windows cover.
    private(set) var covered: Set<UInt32> = []
    /// These windows, and the ones in front that occupy exactly the place of one of them.
    package private(set) var tabs: Set<UInt32> = []

    init() {}

    package init(on desktop: Desktop) { update(Array(0..<Int32(desktop.windows.slotCount)), on: desktop) }

    var isEmpty: Bool { slots.isEmpty }

    /// Updates the affected windows. Compares the windows only if one was moved, shown, hidden or concealed.
    ///
    /// - Parameter affected: The slots of windows with changes in the facts that the rule uses; may contain duplicates.
    mutating func update(_ affected: [Int32], on desktop: Desktop) {
        if isEmpty && !affected.contains(where: { Self.isConcealed($0, on: desktop) }) { return }
        var hasChanged = isEmpty
        if isEmpty {
            windows = desktop.windows.facts.indices.map { Self.window($0, on: desktop) }
        } else {
            while windows.count < desktop.windows.slotCount { windows.append(nil) }
            for slot in affected.lazy.map({ Int($0) }) {
                let window = Self.window(slot, on: desktop)
                if windows[slot] == window { continue }
                windows[slot] = window
                hasChanged = true
            }
        }
        if hasChanged { compare() }
    }

    /// Returns whether a window is concealed. Most changes reach this function, so it copies nothing.
    private static func isConcealed(_ slot: Int32, on desktop: Desktop) -> Bool {
        desktop.windows.facts[Int(slot)].states.contains(.hidden)
            && desktop.windows.facts[Int(slot)].mapState == .viewable
            && !desktop.windows.facts[Int(slot)].isGone
    }

    private static func window(_ slot: Int, on desktop: Desktop) -> Window? {
        let window = desktop.windows.facts[slot]
        return window.isGone
            ? nil
            : Window(
                xid: window.id.xid, screen: window.screen, place: window.place,
                isConcealed: isConcealed(Int32(slot), on: desktop), covered: desktop.placeCovered(by: window))
    }

    private mutating func compare() {
        let compared = windows.lazy.compactMap { $0 }.prefix(Desktop.mostCompared).filter {
            $0.covered != nil
        }
        let covering = Array(compared)
        slots = []
        covered = []
        tabs = []
        for (slot, window) in windows.enumerated() {
            guard let window, window.isConcealed, let place = window.place else { continue }
            slots.append(Int32(slot))
            let above = covering.filter {
                $0.xid != window.xid && $0.screen == window.screen && $0.covered?.contains(place) == true
            }
            if above.isEmpty { continue }
            covered.insert(window.xid)
            tabs.formUnion([window.xid] + above.filter { $0.place == place }.map(\.xid))
        }
        if isEmpty { windows = [] }
    }
}
