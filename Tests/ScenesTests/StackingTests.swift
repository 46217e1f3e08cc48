import Testing

@testable import Scenes

/// The order of the root window's children, compared with an array of ids.
@Suite struct StackingTests {
    private func order(_ stacking: Stacking) -> [UInt32] { stacking.children.map(\.window) }

    @Test func aThousandRandomChangesGiveTheOrderOfAnArray() {
        var random = SystemRandomNumberGenerator()
        var stacking = Stacking()
        var truth: [UInt32] = []
        for step in 0..<1000 {
            // Some of these windows are not children.
            let window = UInt32.random(in: 100..<130, using: &random)
            let sibling = truth.filter { $0 != window }.randomElement(using: &random) ?? 0
            let isChild = truth.contains(window)
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                stacking.add(window)
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
                stacking.replace(with: truth)
            default:
                stacking.move(window, above: sibling)
                truth.removeAll { $0 == window }
                if isChild { truth.insert(window, at: (truth.firstIndex(of: sibling) ?? -1) + 1) }
            }
            #expect(order(stacking) == truth)
        }
    }

    @Test func aChildThatRemainsKeepsItsData() throws {
        var stacking = Stacking()
        stacking.replace(with: [1, 2, 3])
        let index = try #require(stacking.index(of: 2))
        stacking[index].isMapped = true
        stacking.replace(with: [4, 2])
        stacking.raise(4)
        #expect(order(stacking) == [2, 4] && stacking.children.map(\.isMapped) == [true, false])
    }

    @Test func aSiblingThatIsNoChildChangesNothing() {
        var stacking = Stacking()
        stacking.replace(with: [1, 2])
        stacking.move(1, above: 9)
        stacking.move(1, above: 1)
        stacking.move(9, above: 1)
        #expect(order(stacking) == [1, 2])
    }
}
