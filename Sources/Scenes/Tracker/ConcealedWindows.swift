/// The viewable windows with _NET_WM_STATE_HIDDEN: one is behind a tab if another window covers it.
///
/// Counts of covering windows are updated with each change: to count again each time would take quadratic time, as would the
/// first count of many.
struct ConcealedWindows: Sendable {
    typealias Area = CoverSearch.Area

    private struct Concealed: Equatable {
        let xid: UInt32
        let area: Area
    }

    /// If there are more, one that covers each is searched for, for all of them together.
    private static let mostCounted = 512

    private var windows: [Int32: Concealed] = [:]
    /// By id: how many other windows cover it; 1 where no more were counted.
    private(set) var coverCounts: [UInt32: Int] = [:]
    /// By slot: one window that covers that in the slot, if no others were counted.
    private var knownCovers: [Int32: Int32] = [:]
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
        var uncounted: Set<Int32> = []
        for slot in affected where conceal(slot, on: desktop) { uncounted.insert(slot) }
        if windows.isEmpty {
            covered = []
        } else if covered.isEmpty {
            covered = (0..<desktop.windows.slotCount).map { area(coveredBy: $0, on: desktop) }
        } else {
            while covered.count < desktop.windows.slotCount { covered.append(nil) }
            for slot in affected { move(slot, to: area(coveredBy: Int(slot), on: desktop), &uncounted) }
        }
        if uncounted.count > Self.mostCounted {
            search(for: uncounted)
        } else {
            for slot in uncounted {
                if let window = windows[slot] { coverCounts[window.xid] = count(slot, window.area) }
            }
        }
    }

    /// Takes in whether a window is concealed, and where.
    ///
    /// - Returns: Whether the windows that cover it must be counted again.
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
        knownCovers[slot] = nil
        windows[slot] = concealed
        return concealed != nil
    }

    private mutating func move(_ slot: Int32, to new: Area?, _ uncounted: inout Set<Int32>) {
        let old = covered[Int(slot)]
        if new == old { return }
        covered[Int(slot)] = new
        for (other, window) in windows where other != slot {
            if let known = knownCovers[other] {
                guard known == slot, !covers(new, window.area) else { continue }
                knownCovers[other] = nil
                coverCounts[window.xid] = nil
                uncounted.insert(other)
            }
            if uncounted.contains(other) { continue }
            let change = (covers(new, window.area) ? 1 : 0) - (covers(old, window.area) ? 1 : 0)
            if change != 0 { coverCounts[window.xid, default: 0] += change }
        }
    }

    private mutating func search(for asked: Set<Int32>) {
        let search = CoverSearch(
            covered.indices.compactMap { index in
                let (slot, place) = (Int32(index), covered[index])
                guard let area = asked.contains(slot) ? windows[slot]?.area : place else { return nil }
                return CoverSearch.Window(
                    slot: slot, area: area, mayCover: place != nil, isAsked: asked.contains(slot))
            })
        comparisons += search.comparisons
        for slot in asked {
            guard let window = windows[slot] else { continue }
            coverCounts[window.xid] = search.found[slot] == nil ? 0 : 1
            knownCovers[slot] = search.found[slot]
        }
    }

    private mutating func count(_ slot: Int32, _ area: Area) -> Int {
        covered.indices.reduce(0) { $0 + ($1 != Int(slot) && covers(covered[$1], area) ? 1 : 0) }
    }

    private mutating func covers(_ other: Area?, _ area: Area) -> Bool {
        comparisons += 1
        return other?.covers(area) == true
    }

    private func area(coveredBy slot: Int, on desktop: Desktop) -> Area? {
        let window = desktop.windows.facts[slot]
        return desktop.placeCovered(by: window).map { Area(screen: window.screen, place: $0) }
    }
}
