import TestDesktop
import Testing

@testable import Scenes

@Suite struct ConcealedWindowsTests {
    /// There are few possible edges, so many windows have the same place.
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func theCoveredOnesAreThoseThatComparingEveryTwoFinds(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var desktop = Desktop()
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 1...3, using: &chance) { change(&desktop, &chance) }
            #expect(ConcealedWindows(on: desktop).covered == desktop.coveredByAny())
        }
    }

    private func change(_ desktop: inout Desktop, _ chance: inout SeededGenerator) {
        let xid = UInt32.random(in: 1...20, using: &chance)
        if desktop.windows[xid] == nil {
            desktop.add(.client(xid))
        } else if Int.random(in: 0..<6, using: &chance) == 0 {
            desktop.remove(xid)
        }
        let (x, y) = (Int32.random(in: 0...4, using: &chance), Int32.random(in: 0...4, using: &chance))
        let place = Rectangle(
            x: x, y: y, width: .random(in: 0...(5 - x), using: &chance),
            height: .random(in: 0...(5 - y), using: &chance))
        let (isHidden, isMapped) = (Bool.random(using: &chance), Int.random(in: 0..<4, using: &chance) > 0)
        desktop.edit(xid) {
            ($0.place, $0.states) = (place, isHidden ? .hidden : [])
            $0.mapState = isMapped ? .viewable : .unmapped
        }
    }

    /// i3 gives all windows of a tabbed container one place, and hides those behind the first.
    @Test func windowsInOnePlaceAreTabsWhileOneIsConcealed() {
        var timeline = Timeline("a", "b", "c", focus: "a")
        timeline.edit("a") { $0.place = Rectangle(width: 100, height: 80) }
        timeline.edit("b") { ($0.place, $0.states) = (Rectangle(width: 100, height: 80), .hidden) }
        timeline.edit("c") { $0.place = Rectangle(x: 200, width: 100, height: 80) }
        timeline.wait(500)
        #expect(timeline.extents == ["a": .tab, "b": .tab, "c": .window])
        timeline.edit("a") { $0.states = .fullscreen }
        timeline.wait(500)
        #expect(timeline.extents == ["a": .fullscreen, "b": .tab, "c": .window])
        timeline.edit("a") { $0.states = [] }
        timeline.destroy("b")
        timeline.wait(500)
        #expect(timeline.extents == ["a": .window, "c": .window])
    }

    @Test func onlyTheFirst512WindowsCoverOthers() {
        var desktop = Desktop.managed()
        for xid in 1...1_000 as ClosedRange<UInt32> {
            desktop.add(
                .client(xid).with {
                    $0.states = .hidden
                    $0.place = Rectangle(
                        x: Int32(xid % 40) * 10, y: Int32(xid / 40) * 10, width: 8, height: 8)
                })
        }
        func coveredCount(by xid: UInt32) -> Int {
            var desktop = desktop
            #expect(ConcealedWindows(on: desktop).covered.isEmpty)
            desktop.edit(xid) { ($0.place, $0.states) = (Rectangle(width: 2_000, height: 2_000), []) }
            let concealed = ConcealedWindows(on: desktop)
            let readings = desktop.windows.facts.map { desktop.visibility(of: $0) }
            #expect(readings.count { $0 == .background(.behindTab) } == concealed.covered.count)
            return concealed.covered.count
        }
        #expect(coveredCount(by: 512) == 999)
        #expect(coveredCount(by: 513) == 0)
    }
}

extension Timeline {
    /// The extent of each scene, by the name of its window.
    fileprivate var extents: [String: Change.Extent] {
        let pairs = tracker.present(desktop.windows.names).compactMap { change in
            change.scene?.extent.map { (change.application.lowercased(), $0) }
        }
        return Dictionary(pairs) { $1 }
    }
}

extension Desktop {
    fileprivate func coveredByAny() -> Set<UInt32> {
        let all = windows.windows
        let covered = all.filter { window in
            guard let place = window.place, window.states.contains(.hidden), window.mapState == .viewable
            else { return false }
            return all.contains {
                $0.id != window.id
                    && placeCovered(by: $0.facts)?.contains(place) == true
            }
        }
        return Set(covered.map(\.id.xid))
    }
}
