import FoundationEssentials
import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct JSONEscapingTests {
    private struct Texts: Decodable {
        let title: String
        let application: String
        let group: String
    }

    private struct Text: Decodable {
        let notice: String
        let text: String
    }

    static let hostile = [
        "", "Inbox", #"say "hi""#, #"C:\new\table"#, #"ends with \"#, "two\nlines", "a\tb", "a\r\nb",
        "\u{1B}]0;owned\u{7}", "nul\0nul", "\u{7F}", "\u{85}\u{9B}31m", "\u{2028}\u{2029}", "👩‍👩‍👧‍👦 🇩🇪",
        "\u{301}", "\u{301}\"\u{301}", "e\u{301} is not é", "\u{202E}txt.exe", "\u{FFFD}\u{FFFF}\u{10FFFF}",
        "</script>", "{}[]:,", "\u{FEFF}bom", "日本語", "\\u0041",
    ]

    @Test(arguments: [
        ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\t", #"\t"#), ("\r", #"\r"#), ("\r\n", #"\r\n"#),
        ("\u{1B}", #"\u001b"#), ("\0", #"\u0000"#), ("\u{7F}", #"\u007f"#), ("\u{85}", #"\u0085"#),
        ("\u{9F}", #"\u009f"#), ("\u{A0}", "\u{A0}"),
        ("\u{2028}", #"\u2028"#), ("a\u{2029}b", #"a\u2029b"#), ("\u{2027}\u{202A}", "\u{2027}\u{202A}"),
        ("\u{3028}", "\u{3028}"), ("/", "/"), ("😀", "😀"), ("\u{301}", "\u{301}"),
    ])
    func controlCharactersAndOnlyTheyAreEscaped(raw: String, escaped: String) throws {
        let line = Event.change(.sampleScene.titled(raw)).json(sequence: 1, time: .sample)
        // Compared as bytes: a combining mark would become one Character with the quote before it.
        let wanted = Array((#""title":"# + "\"").utf8) + Array(escaped.utf8) + Array(#"","pid":"#.utf8)
        #expect(line.contains(wanted))
    }

    @Test(arguments: hostile)
    func titlesAndNamesComeBackAsTheyWere(text: String) throws {
        let change = Change.sampleScene.titled(text).with {
            $0.application = text
            $0.group = "instance of " + text
        }
        let line = Event.change(change).json(sequence: 1, time: .sample)
        let read = try JSONDecoder().decode(Texts.self, from: Data(line))
        #expect(Array(read.title.utf8) == Array(text.utf8))
        #expect(Array(read.application.utf8) == Array(text.utf8))
        #expect(Array(read.group.utf8) == Array("instance of \(text)".utf8))
    }

    @Test(arguments: hostile)
    func noticesComeBackAsTheyWere(text: String) throws {
        let notice = Notice(name: text, text: text)
        let line = Event.notice(notice).json(sequence: 1, time: .sample)
        let read = try JSONDecoder().decode(Text.self, from: Data(line))
        #expect(Array(read.notice.utf8) == Array(text.utf8))
        #expect(Array(read.text.utf8) == Array(text.utf8))
    }

    @Test func everyCharacterUpToTheGreekOnesComesBack() throws {
        let title = String(String.UnicodeScalarView((0..<0x400).compactMap { Unicode.Scalar(UInt32($0)) }))
        let line = Event.change(.sampleScene.titled(title)).json(sequence: 1, time: .sample)
        let read = try JSONDecoder().decode(Texts.self, from: Data(line)).title
        #expect(Array(read.unicodeScalars) == Array(title.unicodeScalars))
    }

    @Test func invalidUTF8IsRepairedBeforeItIsWritten() throws {
        let title = String(decoding: [0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80] as [UInt8], as: UTF8.self)
        let line = Event.change(.sampleScene.titled(title)).json(sequence: 1, time: .sample)
        #expect(String(validating: line, as: UTF8.self) != nil)
        #expect(try JSONDecoder().decode(Texts.self, from: Data(line)).title == title)
    }
}
