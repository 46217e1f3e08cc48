import Testing

@testable import System

@Suite struct RecentLinesTests {
    private static let few = RecentLines.mostWritten

    /// The first few, then one each second.
    @Test func aLineInALoopIsCounted() {
        var lines = RecentLines()
        let written = (0..<3000).flatMap { lines.add("a", at: .milliseconds($0)) }
        let first = "a (\(1000 - Self.few + 1) times more)"
        #expect(written == [String](repeating: "a", count: Self.few) + [first, "a (1000 times more)"])
        #expect(lines.end() == ["a (999 times more)"])
        #expect(lines.end().isEmpty)
    }

    @Test func theCountComesWithTheNextLine() {
        var lines = RecentLines()
        for _ in 0..<Self.few { #expect(lines.add("a", at: .zero) == ["a"]) }
        #expect(lines.add("a", at: .milliseconds(500)).isEmpty)
        // There may be more in this second.
        #expect(lines.add("b", at: .milliseconds(999)) == ["b"])
        #expect(lines.add("c", at: .seconds(1)) == ["a (once more)", "c"])
        #expect(lines.add("a", at: .seconds(1)) == ["a"])
    }

    @Test func aLineThatComesSlowlyIsAlwaysWritten() {
        var lines = RecentLines()
        for number in 0..<10 { #expect(lines.add("a", at: .seconds(number)) == ["a"]) }
        #expect(lines.end().isEmpty)
    }

    @Test func linesThatAlternateAreCounted() {
        var lines = RecentLines()
        let written = (0..<100).flatMap { lines.add($0 % 2 == 0 ? "a" : "b", at: .milliseconds($0)) }
        #expect(written == (0..<Self.few).flatMap { _ in ["a", "b"] })
        #expect(lines.end() == ["a", "b"].map { "\($0) (\(50 - Self.few) times more)" })
    }

    @Test func manyDifferentLinesAreNotKept() {
        var lines = RecentLines()
        for number in 0..<1000 {
            #expect(lines.add("\(number)", at: .zero) == ["\(number)"])
            #expect(lines.count <= RecentLines.mostLines)
        }
    }
}
