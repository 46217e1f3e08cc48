import Testing

@testable import Service
@testable import System

@Suite struct OutputLinesTests {
    @Test func linesAreCutAtNewlines() {
        var lines = OutputLines()
        #expect(lines.split(Array("one\ntw".utf8)) == ["one"])
        #expect(lines.split(Array("o\n\n".utf8)) == ["two", ""])
        #expect(lines.rest().isEmpty)
    }

    @Test func theLastLineNeedsNoNewline() {
        var lines = OutputLines()
        #expect(lines.split(Array("end".utf8)).isEmpty)
        #expect(lines.rest() == ["end"])
        #expect(lines.rest().isEmpty)
    }

    @Test func whatIsMoreThanTheBoundIsCounted() {
        var lines = OutputLines()
        for _ in 0..<64 { _ = lines.split([UInt8](repeating: UInt8(ascii: "x"), count: 1023) + [0x0A]) }
        #expect(lines.split(Array("more\n".utf8)).isEmpty && lines.rest().isEmpty)
        #expect(lines.dropped == 5)
    }

    @Test func manyShortLinesAreTooMuchToo() {
        var lines = OutputLines()
        let taken = lines.split(Array(String(repeating: "y\n", count: 32 << 10).utf8))
        #expect(taken.count == 2048)
        #expect(lines.split(Array("y".utf8)).isEmpty && lines.rest().isEmpty)
        #expect(lines.dropped == (64 << 10) + 1 - 2 * 2048)
    }

    @Test func aLineWithoutEndIsCut() {
        var lines = OutputLines()
        let taken = lines.split([UInt8](repeating: UInt8(ascii: "x"), count: 5000))
        #expect(taken.map(\.utf8.count) == [4095])
        #expect(lines.rest().map(\.utf8.count) == [905])
    }

    @Test func bytesThatAreNoTextAreReplaced() {
        var lines = OutputLines()
        #expect(lines.split([0x61, 0xFF, 0x0A]) == ["a\u{FFFD}"])
    }
}
