import Testing

@testable import Service

@Suite struct OutputLinesTests {
    private static let long = String(repeating: "x", count: 1023)

    private static let cases: [(chunks: [String], lines: [String], dropped: Int)] = [
        (["one\ntw", "o\n\n"], ["one", "two", ""], 0),
        (["end"], ["end"], 0),
        ([String(repeating: "x", count: 5000)], [4095, 905].map { String(repeating: "x", count: $0) }, 0),
        ([String](repeating: long + "\n", count: 64) + ["more\n"], [String](repeating: long, count: 64), 5),
        // Many short lines are too much, too.
        (
            [String](repeating: "y\n", count: 32 << 10) + ["y"], [String](repeating: "y", count: 2048),
            (64 << 10) + 1 - 2 * 2048
        ),
    ]

    @Test(arguments: cases)
    func outputIsCutIntoLinesUpToABound(chunks: [String], lines: [String], dropped: Int) {
        var splitter = OutputLines()
        let found = chunks.flatMap { splitter.split($0.utf8) } + splitter.rest()
        #expect(found == lines && splitter.dropped == dropped && splitter.rest().isEmpty)
    }

    @Test func bytesThatAreNoTextAreReplaced() {
        var splitter = OutputLines()
        #expect(splitter.split([0x61, 0xFF, 0x0A]) == ["a\u{FFFD}"])
    }
}
