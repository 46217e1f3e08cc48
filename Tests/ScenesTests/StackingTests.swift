import Testing

@testable import Scenes

/// The stacking order of a root window's children, compared with an array of ids.
@Suite struct StackingTests {
    private func order(_ stacking: Stacking, _ screen: Int = 0) -> [UInt32] {
        stacking.fromTop(screen).map { stacking.window(at: $0) }.reversed()
    }

    @Test func aThousandRandomChangesGiveTheOrderOfAnArray() {
        var random = SystemRandomNumberGenerator()
        var stacking = Stacking(screenCount: 2)
        var truth: [UInt32] = []
        stacking.add(7, screen: 1)
        for step in 0..<1000 {
            // Some of these windows are not children.
            let window = UInt32.random(in: 100..<130, using: &random)
            let sibling = truth.filter { $0 != window }.randomElement(using: &random) ?? 0
            let isChild = truth.contains(window)
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                stacking.add(window, screen: 0)
                truth.removeAll { $0 == window }
                truth.append(window)
            case 1:
                stacking.remove(window)
                truth.removeAll { $0 == window }
            case 2:
                stacking.raise(window)
                truth.removeAll { $0 == window }
                if isChild { truth.append(window) }
            case 3:
                stacking.move(window, above: 0)
                truth.removeAll { $0 == window }
                if isChild { truth.insert(window, at: 0) }
            case 4 where step % 20 == 0:
                truth = truth.shuffled(using: &random).dropLast(5) + (200..<203).map { $0 + UInt32(step) }
                stacking.replace(with: truth, screen: 0)
            default:
                stacking.move(window, above: sibling)
                truth.removeAll { $0 == window }
                if isChild { truth.insert(window, at: (truth.firstIndex(of: sibling) ?? -1) + 1) }
            }
            #expect(order(stacking) == truth)
        }
        #expect(order(stacking, 1) == [7])
    }

    @Test func whatStaysKeepsItsSlot() {
        var stacking = Stacking()
        stacking.replace(with: [1, 2, 3], screen: 0)
        let slot = stacking.slot(of: 2)
        stacking.replace(with: [4, 2], screen: 0)
        #expect(order(stacking) == [4, 2] && stacking.slot(of: 2) == slot)
        stacking.replace(with: [], screen: 0)
        #expect(order(stacking) == [])
    }

    @Test func aSiblingThatIsNotThereOrOnAnotherScreenChangesNothing() {
        var stacking = Stacking(screenCount: 2)
        stacking.replace(with: [1, 2], screen: 0)
        stacking.replace(with: [3], screen: 1)
        stacking.move(1, above: 9)
        stacking.move(1, above: 3)
        stacking.move(1, above: 1)
        stacking.move(9, above: 1)
        #expect(order(stacking) == [1, 2] && order(stacking, 1) == [3])
    }
}
