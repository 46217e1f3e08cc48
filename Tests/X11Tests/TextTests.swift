import Testing

@testable import X11

@Suite struct TextTests {
    @Test(arguments: [
        ("plain", Array("plain".utf8), "plain"),
        ("empty", [], ""),
        ("UTF-8", Array("Größe".utf8), "Größe"),
        ("Latin-1", [0x47, 0xF6, 0xDF], "Göß"),
        ("a mixture, which is not UTF-8", Array("é".utf8) + [0xE9], "Ã©é"),
        ("a surrogate, which is not UTF-8", [0xED, 0xA0, 0x80], "í\u{A0}\u{80}"),
    ])
    func isUTF8WhereItCanBeAndLatin1Otherwise(_ what: String, _ bytes: [UInt8], _ text: String) {
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
