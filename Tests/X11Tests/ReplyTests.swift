import Scenes
import Testing

@testable import X11

/// Replies of the server are as untrusted as data of clients: impossible numbers are rejected.
@Suite struct ReplyTests {
    /// Calls `body` with a reply that is filled with `byte`, except for `parts` by offset. `more` words follow the
    /// first 32 bytes.
    private func withReply<Result>(
        _ byte: UInt8, _ parts: [Int: [UInt8]], more: UInt8 = 0, _ body: (Reply) throws -> Result
    ) rethrows -> Result {
        var bytes = [UInt8](repeating: byte, count: 32 + 4 * Int(more))
        bytes.replaceSubrange(4..<8, with: [more, 0, 0, 0])
        for (place, part) in parts { bytes.replaceSubrange(place..<(place + part.count), with: part) }
        return try bytes.withUnsafeBytes { try body(Reply(start: $0.baseAddress)) }
    }

    @Test(arguments: [0x00, 0x7F, 0x80, 0xFF] as [UInt8], [0, 1, 8] as [UInt8])
    func noNumberOfAReplyIsTooLarge(byte: UInt8, more: UInt8) {
        withReply(byte, [:], more: more) { reply in
            #expect(reply.counterValue.map { $0 >= 0 } ?? true)
            #expect(reply.saverAge.map { $0 > 0 } ?? true)
            #expect((reply.monitors?.count ?? 0) <= 1)
            #expect((reply.atomName?.utf8.count ?? 0) <= 4 * Int(more))
            #expect(reply.counter(named: "IDLETIME") == nil)
            #expect(reply.tree.map { $0.children.count <= Int(more) } ?? true)
            #expect(reply.keySymbols.symbols.count <= Int(more))
            #expect(reply.process == nil || more >= 4)
            let type = reply.property?.type ?? 0
            #expect((reply.property?.words(type)?.count ?? 0) <= Int(more))
            #expect((reply.property?.text(type)?.count ?? 0) <= 4 * Int(more))
        }
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0x80], [0, 0, 0, 0], nil), ([255, 255, 255, 255], [255, 255, 255, 255], nil),
            ([0, 0, 0, 0], [0x88, 0x13, 0, 0], 5000),
            ([255, 255, 255, 0x7F], [255, 255, 255, 255], Int64.max),
        ] as [([UInt8], [UInt8], Int64?)])
    func aTimeSinceAnInputIsNotNegative(high: [UInt8], low: [UInt8], value: Int64?) {
        withReply(0, [8: high, 12: low]) { #expect($0.counterValue == value) }
    }

    /// The monitors in a reply follow each other with their outputs: here, 1 and 0, or more than there are.
    @Test(
        arguments: [(0, 1, 0), (1, 1, 1), (2, 1, 2), (255, 1, 2), (2, 2, 1), (2, 255, 1)]
            as [(UInt8, UInt8, Int)])
    func monitorsThatAreNotThereAreNotRead(claimed: UInt8, outputs: UInt8, count: Int) {
        let place: [UInt8] = [10, 0, 20, 0, 30, 0, 40, 0]
        let parts = [
            12: [claimed, 0, 0, 0], 32: [7, 0, 0, 0, 1, 1, outputs, 0] + place, 60: [8], 68: place,
        ]
        withReply(0, parts, more: 13) {
            #expect($0.monitors?.map(\.name) == [7, 8].dropLast(2 - count))
            let area = Rectangle(x: 10, y: 20, width: 30, height: 40)
            #expect($0.monitors?.allSatisfy { $0.area == area } == true)
        }
    }

    @Test func aServerBeforeRandR15ReportsNoMonitors() {
        #expect(Reply(start: nil).monitors == nil)
    }

    /// The last sizes exceed the reply.
    @Test(
        arguments: [
            (1, [8, 0], 7), (0, [8, 0], nil), (1, [7, 0], nil), (1, [9, 0], nil), (1, [255, 255], nil),
        ]
            as [(UInt8, [UInt8], UInt32?)])
    func aCounterIsFoundByItsNameWithinTheReply(count: UInt8, size: [UInt8], id: UInt32?) {
        let name = Array("IDLETIME".utf8)
        let parts = [8: [count, 0, 0, 0], 32: [7, 0, 0, 0], 44: size, 46: name]
        withReply(0, parts, more: 6) { #expect($0.counter(named: "IDLETIME") == id) }
    }
}

@Suite struct TextTests {
    @Test(arguments: [
        ("plain", Array("plain".utf8), "plain"),
        ("empty", [], ""),
        ("UTF-8", Array("Größe".utf8), "Größe"),
        ("Latin-1", [0x47, 0xF6, 0xDF], "Göß"),
        ("a mixture, which is not UTF-8", Array("é".utf8) + [0xE9], "Ã©é"),
        ("a surrogate, which is not UTF-8", [0xED, 0xA0, 0x80], "í\u{A0}\u{80}"),
    ])
    func aStringIsUTF8WhereItCanBeAndLatin1Otherwise(_ what: String, _ bytes: [UInt8], _ text: String) {
        #expect(Text.decode(bytes[...]) == text)
    }

    @Test func invalidSequencesOfDeclaredUTF8AreReplaced() {
        #expect(Text.decodeUTF8([0x61, 0xFF, 0x62][...]) == "a\u{FFFD}b")
        #expect(Text.decodeUTF8([0xC3][...]) == "\u{FFFD}")
    }

    @Test(arguments: ["x", "é", "€", "😀"])
    func longTextIsCutBetweenCharactersAtOneKibibyte(_ character: String) {
        let text = Text.decode(Array(String(repeating: character, count: 2000).utf8)[...])
        #expect(text == String(repeating: character, count: 1024 / character.utf8.count))
        let latin = Text.decode([UInt8](repeating: 0xE9, count: 2000)[...])
        #expect(latin == String(repeating: "é", count: 512))
    }

    @Test(arguments: [
        ("a\0b\0", "a", "b\0"), ("a\0", "a", ""), ("\0b", "", "b"),
    ])
    func splitsAtTheFirstNUL(_ text: String, _ first: String, _ rest: String) throws {
        let parts = Text.split(Array(text.utf8))
        #expect(Array(parts.first) == Array(first.utf8))
        #expect(try Array(#require(parts.rest)) == Array(rest.utf8))
    }

    @Test(arguments: ["é", "€", "😀"])
    func theBeginningOfACharacterAtTheEndIsDropped(_ character: String) {
        let bytes = Array("ab\(character)".utf8)
        #expect(Array(Text.withoutPartialCharacter(bytes)) == bytes)
        for count in 1..<character.utf8.count {
            #expect(Array(Text.withoutPartialCharacter(bytes.dropLast(count))) == Array("ab".utf8))
        }
        #expect(Text.withoutPartialCharacter([0x80, 0x80]) == [0x80, 0x80])
        #expect(Text.withoutPartialCharacter([]) == [])
    }

    @Test func withoutNULThereIsNoRest() {
        #expect(Text.split(Array("abc".utf8)).rest == nil)
    }
}
