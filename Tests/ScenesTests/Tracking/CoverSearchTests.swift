import TestDesktop
import Testing

@testable import Scenes

@Suite struct CoverSearchTests {
    /// There are few edges, so that many lie in the same place.
    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func itFindsWhatComparingEveryTwoFinds(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let windows = (0..<Int32.random(in: 0...40, using: &chance)).map { slot in
            let (x, y) = (Int32.random(in: 0...4, using: &chance), Int32.random(in: 0...4, using: &chance))
            let place = Rectangle(
                x: x, y: y, width: .random(in: 0...(5 - x), using: &chance),
                height: .random(in: 0...(5 - y), using: &chance))
            return CoverSearch.Window(
                slot: slot, area: .init(screen: .random(in: 0...1, using: &chance), place: place),
                mayCover: .random(using: &chance), isAsked: .random(using: &chance))
        }
        let found = CoverSearch(windows).found
        for window in windows {
            let covers = windows.filter {
                $0.slot != window.slot && $0.mayCover && $0.area.covers(window.area)
            }
            if let cover = found[window.slot] {
                #expect(window.isAsked && covers.contains { $0.slot == cover })
            } else {
                #expect(!window.isAsked || covers.isEmpty)
            }
        }
    }

    /// Edges as a client may choose them that wants many comparisons: side by side, one in another, all but one outside.
    @Test(
        arguments: [
            { Rectangle(x: $0, y: 3_000 - $0, width: 8, height: 8) },
            { Rectangle(x: $0, y: $0, width: 9_000 - 2 * $0, height: 9_000 - 2 * $0) },
            { Rectangle(x: $0, y: $0, width: 9_000 - $0, height: 9_000 + $0) },
            { Rectangle(x: -$0, y: $0, width: 9_000, height: 9_000) },
        ] as [@Sendable (Int32) -> Rectangle])
    func manyWindowsThatSayThatTheyAreHiddenAreNotComparedWithEachOther(place: @Sendable (Int32) -> Rectangle)
    {
        let count: UInt32 = 1_000
        var desktop = Desktop.managed()
        for xid in 1...count {
            var window = SeenWindow.client(WindowID(xid))
            window.states = .hidden
            window.place = place(Int32(xid))
            desktop.add(window)
        }
        var concealed = ConcealedWindows()
        /// Each window takes part in 10 halvings, and is noted in 10 places in each at most.
        func expectFewComparisons(_ edit: (inout Desktop) -> Void) {
            let (before, old) = (concealed.comparisons, desktop)
            edit(&desktop)
            concealed.update(desktop.touched(since: old), on: desktop)
            #expect(concealed.comparisons - before <= Int(count) * 10 * 10 * 2)
            for window in desktop.windows.windows where window.states.contains(.hidden) {
                let isCovered = (concealed.coverCounts[window.id.xid] ?? 0) > 0
                if window.id.xid % 47 == 0 {
                    #expect(isCovered == desktop.isCoveredByAny(window.id.xid), "\(window.id)")
                }
            }
        }
        concealed.update(Array(0..<Int32(count)), on: desktop)
        expectFewComparisons { _ in }
        // One that covers all of them, and goes away while each is known to be covered by one only.
        let wide = Rectangle(x: -9_000, y: -9_000, width: 32_000, height: 32_000)
        expectFewComparisons { $0.edit(1) { ($0.place, $0.states) = (wide, []) } }
        concealed = ConcealedWindows()
        concealed.update(Array(0..<Int32(count)), on: desktop)
        expectFewComparisons { $0.edit(1) { $0.place = Rectangle(width: 1, height: 1) } }
    }
}

extension Desktop {
    fileprivate func isCoveredByAny(_ xid: UInt32) -> Bool {
        guard let place = windows[xid]?.place else { return false }
        return windows.usedSlots.contains { slot in
            let other = windows.facts[slot]
            return other.id.xid != xid && placeCovered(by: other)?.contains(place) == true
        }
    }
}
