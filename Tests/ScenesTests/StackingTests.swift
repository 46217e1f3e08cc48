import Testing

@testable import Scenes

@Suite struct StackingTests {
    @Test func everyChangeGivesTheOrderOfTheServerAndKeepsTheData() {
        let changes: [([UInt32], (inout Stacking) -> Void)] = [
            ([4, 1, 3, 2], { $0.replace(with: [4, 1, 3, 2]) }), ([1, 2, 3, 9], { $0.add(9) }),
            ([2, 3, 1], { $0.add(1) }), ([1, 3, 2], { $0.raise(2) }), ([1, 2, 3], { $0.raise(9) }),
            ([1, 3], { $0.remove(2) }), ([3, 1, 2], { $0.move(3, above: 0) }),
            ([2, 1, 3], { $0.move(1, above: 2) }), ([1, 3, 2], { $0.move(3, above: 1) }),
            ([1, 2, 3], { $0.move(1, above: 9) }), ([1, 2, 3], { $0.move(1, above: 1) }),
            ([1, 2, 3], { $0.move(9, above: 1) }),
        ]
        for (order, change) in changes {
            var stacking = Stacking()
            stacking.replace(with: [1, 2, 3])
            stacking[1]?.isMapped = true
            change(&stacking)
            #expect(stacking.children.map(\.window) == order)
            #expect(stacking.children.filter(\.isMapped).map(\.window) == [1])
        }
    }
}
