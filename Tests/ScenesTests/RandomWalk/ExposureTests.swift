import TestDesktop
import Testing

@testable import Scenes

/// A change causes all windows that it can affect to be judged again, and no others.
@Suite struct ExposureTests {
    private func covered(_ desktop: Desktop) -> Set<UInt32> {
        Set(desktop.windows.windows.filter { desktop.isOccluded($0.facts) }.map(\.id.xid))
    }

    @Test(arguments: 1...4)
    func everyWindowThatIsCoveredOrNoLongerIsConcerned(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var desktop = Desktop.judged(isComposited: seed % 2 == 0)
        var changes = 0
        for step in 0..<400 {
            let before = covered(desktop)
            for _ in 0..<Int.random(in: 1...2, using: &random) { change(&desktop, &random) }
            let concerned = Set(desktop.judge().map { desktop.windows.facts[Int($0)].id.xid })
            let differing = covered(desktop).symmetricDifference(before).filter { desktop.windows[$0] != nil }
            changes += differing.count
            #expect(concerned.isSuperset(of: differing), "seed \(seed), step \(step)")
        }
        #expect(changes > 30)
    }

    private func change(_ desktop: inout Desktop, _ random: inout SeededGenerator) {
        let xid = UInt32.random(in: 1...15, using: &random)
        let other = UInt32.random(in: 1...15, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            desktop.putOnTop(
                xid, .random(in: 0..<600, using: &random), .random(in: 0..<400, using: &random),
                .random(in: 50..<500, using: &random), .random(in: 50..<400, using: &random)
            ) {
                if Int.random(in: 0..<4, using: &random) == 0 { $0.isTranslucent = true }
                if Int.random(in: 0..<8, using: &random) == 0 { $0.isShaped = true }
            }
        case 2: desktop.stacking.raise(xid)
        case 3: desktop.stacking.move(xid, above: 0)
        case 4:
            desktop.stacking.remove(xid)
            desktop.remove(xid)
        case 5:
            guard let slot = desktop.stacking.slot(of: xid) else { return }
            desktop.stacking[at: slot].isMapped.toggle()
            desktop.stacking.markChanged(Int32(slot))
        default: if xid != other { desktop.stacking.move(xid, above: other) }
        }
    }

    /// A thousand windows lie side by side.
    @Test func aRaiseConcernsNobodyThatItDoesNotMeet() {
        var desktop = Desktop.judged()
        for index in 0..<1000 as Range<Int32> {
            desktop.putOnTop(UInt32(index + 1), index % 40 * 30, index / 40 * 30, 29, 29)
        }
        desktop.judge()
        desktop.stacking.raise(1)
        #expect(desktop.judge().map { desktop.windows.facts[Int($0)].id.xid } == [1])
        desktop.putOnTop(1, 30, 0, 29, 29)
        #expect(Set(desktop.judge().map { desktop.windows.facts[Int($0)].id.xid }) == [1, 2])
        #expect(desktop.judge().isEmpty)
    }
}
