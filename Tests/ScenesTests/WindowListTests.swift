import Testing

@testable import Scenes

@Suite struct WindowListTests {
    @Test(
        arguments: [
            ([], [1, 2]), ([1, 2], []), ([1, 2, 3], [1, 3]), ([1, 2, 3], [1, 2, 3, 4]),
            ([1, 2, 3], [3, 2, 1]),
            ([1, 1], [1]), ([1, 2, 1], [1, 2]), ([1], [1, 1]), ([1, 2], [2, 1, 2]),
        ] as [([UInt32], [UInt32])])
    func afterEveryRewriteItHoldsWhatWasWritten(_ old: [UInt32], _ new: [UInt32]) {
        var list = WindowList(old)
        let came = Set(list.replace(with: new))
        #expect(list.order == new)
        for xid in 0...5 as ClosedRange<UInt32> { #expect(list.contains(xid) == new.contains(xid)) }
        #expect(came.isSuperset(of: Set(new).subtracting(old)))
    }

    @Test func oneNewWindowAmongManyIsTheOnlyChange() {
        let many = Array(1...10_000 as ClosedRange<UInt32>)
        var list = WindowList(many)
        #expect(Array(list.replace(with: many + [20_000])) == [20_000])
    }
}
