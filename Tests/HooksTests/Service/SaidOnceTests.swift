import Testing

@testable import Service

@Suite struct SaidOnceTests {
    @Test func aRemarkIsMadeOnce() {
        var said = SaidOnce(["a"])
        let areNew = ["a", "b", "b", "a"].map { said.insert($0) }
        #expect(areNew == [false, true, false, false])
    }

    @Test func endlessRemarksTakeNoMemory() {
        var said = SaidOnce([])
        let counts = (0..<10_000).map {
            _ = said.insert("\($0)")
            return said.count
        }
        #expect(counts.max() == SaidOnce.most)
    }
}
