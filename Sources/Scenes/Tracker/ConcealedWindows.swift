/// The windows that say that they are hidden, though all else says that they can be seen: they are behind a tab if another
/// window covers them.
///
/// How many do is kept from what changes. To look for one for each of them at each change would take the square of their
/// number.
struct ConcealedWindows: Sendable {
    private struct Concealed: Equatable {
        let xid: UInt32
        let area: Area
    }

    private struct Area: Equatable {
        let screen: Int
        let place: Rectangle
    }

    private var windows: [Int32: Concealed] = [:]
    /// By id: how many other windows cover it.
    private(set) var coverCounts: [UInt32: Int] = [:]
    /// By slot: what a window covers of others. Empty while nothing is concealed.
    private var covered: [Area?] = []
    /// How many windows were compared with one that is concealed, in all.
    private(set) var comparisons = 0

    var isEmpty: Bool { windows.isEmpty }
    var slots: some Collection<Int32> { windows.keys }

    /// Takes in what has become of windows.
    ///
    /// - Parameter affected: The slots of those of which anything is new that the rule asks for; some more than once.
    mutating func update(_ affected: [Int32], on desktop: Desktop) {
        var new: [Int32] = []
        for slot in affected where conceal(slot, on: desktop) { new.append(slot) }
        if windows.isEmpty {
            covered = []
        } else if covered.isEmpty {
            covered = (0..<desktop.windows.slotCount).map { area(coveredBy: $0, on: desktop) }
        } else {
            while covered.count < desktop.windows.slotCount { covered.append(nil) }
            for slot in affected { move(slot, to: area(coveredBy: Int(slot), on: desktop)) }
        }
        for slot in new {
            if let window = windows[slot] { coverCounts[window.xid] = count(slot, window.area) }
        }
    }

    /// Takes in whether a window is concealed, and where.
    ///
    /// - Returns: Whether it is counted anew what covers it.
    private mutating func conceal(_ slot: Int32, on desktop: Desktop) -> Bool {
        let isConcealed =
            desktop.windows.facts[Int(slot)].states.contains(.hidden)
            && desktop.windows.facts[Int(slot)].mapState == .viewable
            && !desktop.windows.facts[Int(slot)].isGone
        if !isConcealed && windows.isEmpty { return false }
        let window = desktop.windows.facts[Int(slot)]
        let new = isConcealed ? window.place.map { Area(screen: window.screen, place: $0) } : nil
        let concealed = new.map { Concealed(xid: window.id.xid, area: $0) }
        let old = windows[slot]
        if concealed == old { return false }
        if let old { coverCounts[old.xid] = nil }
        windows[slot] = concealed
        return concealed != nil
    }

    private mutating func move(_ slot: Int32, to new: Area?) {
        let old = covered[Int(slot)]
        if new == old { return }
        covered[Int(slot)] = new
        for (other, window) in windows where other != slot {
            let change = (covers(new, window.area) ? 1 : 0) - (covers(old, window.area) ? 1 : 0)
            if change != 0 { coverCounts[window.xid, default: 0] += change }
        }
    }

    private mutating func count(_ slot: Int32, _ area: Area) -> Int {
        covered.indices.reduce(0) { $0 + ($1 != Int(slot) && covers(covered[$1], area) ? 1 : 0) }
    }

    private mutating func covers(_ other: Area?, _ area: Area) -> Bool {
        comparisons += 1
        return other.map { $0.screen == area.screen && $0.place.contains(area.place) } ?? false
    }

    private func area(coveredBy slot: Int, on desktop: Desktop) -> Area? {
        let window = desktop.windows.facts[slot]
        return desktop.placeCovered(by: window).map { Area(screen: window.screen, place: $0) }
    }
}
