import Testing

@testable import Scenes

/// The order of a root window's children beside an array, which needs no thought.
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
            // Some are no children.
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

    /// Raises that go on for years, or for an hour where a client does nothing else, must not come to an end of the numbers.
    @Test(arguments: [Int64.max >> 2, Int64.min >> 2])
    func levelsAreSpreadBeforeTheyAreTooLarge(limit: Int64) throws {
        var stacking = Stacking()
        stacking.replace(with: [1, 2, 3], screen: 0)
        let (lowest, topmost) = (try #require(stacking.slot(of: 1)), try #require(stacking.slot(of: 3)))
        stacking[at: limit < 0 ? lowest : topmost].level = limit
        for _ in 0..<4 {
            if limit < 0 { stacking.move(3, above: 0) } else { stacking.raise(1) }
            stacking.move(2, above: limit < 0 ? 3 : 1)
        }
        let levels = stacking.fromTop(0).map { stacking[at: $0].level }
        #expect(order(stacking) == (limit < 0 ? [3, 2, 1] : [3, 1, 2]))
        #expect(levels == levels.sorted(by: >) && Set(levels).count == 3)
        #expect(levels.allSatisfy { $0.magnitude <= 1 << 61 })
    }

    @Test func theNextOfAChildAreThoseBesideIt() throws {
        var stacking = Stacking()
        stacking.replace(with: [1, 2, 3], screen: 0)
        let middle = try #require(stacking.slot(of: 2))
        #expect(stacking.topmost(0).map(stacking.window) == 3)
        #expect(stacking.next(above: middle).map(stacking.window) == 3)
        #expect(stacking.next(below: middle).map(stacking.window) == 1)
        #expect(stacking.slot(of: 1).flatMap(stacking.next(below:)) == nil)
        #expect(stacking.slot(of: 3).flatMap(stacking.next(above:)) == nil)
    }

    @Test func whatStaysKeepsItsSlot() {
        var stacking = Stacking()
        stacking.replace(with: [1, 2, 3], screen: 0)
        let slot = stacking.slot(of: 2)
        stacking.replace(with: [4, 2], screen: 0)
        #expect(order(stacking) == [4, 2] && stacking.slot(of: 2) == slot)
        stacking.replace(with: [], screen: 0)
        #expect(order(stacking) == [] && stacking.topmost(0) == nil)
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
