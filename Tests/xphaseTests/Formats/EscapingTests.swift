import FoundationEssentials
import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

/// Names and texts that windows set, in every format.
@Suite struct EscapingTests {
    private struct Texts: Decodable {
        let application, group, title, notice, text: String?
    }

    private static let hostile = [
        "", "Inbox", #"say "hi""#, #"C:\new\table"#, #"ends with \"#, "two\nlines", "a\tb", "a\r\nb",
        "\u{1B}]0;owned\u{7}", "nul\0nul", "\u{7F}", "\u{85}\u{9B}31m", "\u{2028}\u{2029}", "👩‍👩‍👧‍👦 🇩🇪",
        "\u{301}", "\u{301}\"\u{301}", "e\u{301} is not é", "\u{202E}txt.exe", "\u{FFFD}\u{FFFF}\u{10FFFF}",
        "</script>", "{}[]:,", "\u{FEFF}bom", "日本語", "\\u0041",
        String(String.UnicodeScalarView((0..<0x400).compactMap { Unicode.Scalar(UInt32($0)) })),
        String(decoding: [0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80] as [UInt8], as: UTF8.self),
    ]

    @Test(arguments: hostile)
    func anEventIsOneLineThatDrivesNoTerminalAndJSONKeepsTheText(text: String) throws {
        let change = Change.sampleScene.titled(text).with { ($0.application, $0.group) = (text, text) }
        let formats =
            [
                .json, .text(TextLine(palette: Palette(isColoured: false))),
                .template(try Template("{application} {group} {scene} {title} {text}")),
            ] as [LineFormat]
        for (event, count) in [(Event.change(change), 3), (.notice(Notice(name: text, text: text)), 2)] {
            for format in formats {
                let line = try #require(format.text(event))
                let controls = line.unicodeScalars.dropLast().filter {
                    $0.properties.generalCategory == .control
                }
                #expect(line.last == "\n" && controls.isEmpty)
            }
            let json = event.json(sequence: 1, time: .sample)
            let read = try JSONDecoder().decode(Texts.self, from: Data(json))
            let values = [read.application, read.group, read.title, read.notice, read.text]
            // Compared as bytes, since characters with the same meaning are equal.
            #expect(
                values.compactMap(\.self).map { Array($0.utf8) }
                    == Array(repeating: Array(text.utf8), count: count))
        }
    }

    @Test(arguments: [
        ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\t", #"\t"#), ("\r", #"\r"#), ("\r\n", #"\r\n"#),
        ("\u{1B}", #"\u001b"#), ("\0", #"\u0000"#), ("\u{7F}", #"\u007f"#), ("\u{85}", #"\u0085"#),
        ("\u{9F}", #"\u009f"#), ("\u{A0}", "\u{A0}"),
        ("\u{2028}", #"\u2028"#), ("a\u{2029}b", #"a\u2029b"#), ("\u{2027}\u{202A}", "\u{2027}\u{202A}"),
        ("\u{3028}", "\u{3028}"), ("/", "/"), ("😀", "😀"), ("\u{301}", "\u{301}"),
    ])
    func inJSONControlCharactersAndOnlyTheyAreEscaped(raw: String, escaped: String) throws {
        let line = Event.change(.sampleScene.titled(raw)).json(sequence: 1, time: .sample)
        // Compared as bytes: a combining mark would become one Character with the quote before it.
        let wanted = Array((#""title":"# + "\"").utf8) + Array(escaped.utf8) + Array(#"","pid":"#.utf8)
        #expect(line.contains(wanted))
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("\u{1B}[31m", #"\e[31m"#), ("two\nlines", #"two\nlines"#),
        ("a\tb", #"a\tb"#), ("a\rb", #"a\rb"#), ("a\r\nb", #"a\r\nb"#), ("\u{85}", #"\u{85}"#),
        ("\0", #"\u{0}"#), ("\u{7}", #"\u{7}"#), ("\u{7F}", #"\u{7f}"#), ("\u{9B}31m", #"\u{9b}31m"#),
        ("\u{9F}", #"\u{9f}"#), ("\u{A0}", "\u{A0}"), ("\u{2028}", #"\u{2028}"#), ("\u{2029}", #"\u{2029}"#),
        ("\u{202E}fdp.exe", #"\u{202e}fdp.exe"#), ("\u{2066}", #"\u{2066}"#), ("\u{200F}", #"\u{200f}"#),
        ("Grüße, 世界 👩‍👧", "Grüße, 世界 👩‍👧"), ("e\u{301}", "e\u{301}"), ("\u{301}", "\u{301}"),
        ("\n\u{301}", "\\n\u{301}"),
    ])
    func inTextWhatDrivesATerminalIsShownInstead(raw: String, shown: String) {
        #expect(Array(raw.escapedForTerminal.utf8) == Array(shown.utf8))
    }

    @Test(arguments: [
        ("", 3, "   ", "   "), ("ab", 3, "ab ", " ab"), ("abc", 3, "abc", "abc"), ("abcd", 3, "abcd", "abcd"),
        ("é", 2, "é ", " é"), ("e\u{301}", 2, "e\u{301} ", " e\u{301}"),
    ])
    func paddingFillsUpAndNeverCuts(text: String, width: Int, left: String, right: String) {
        #expect(text.padded(to: width) == left)
        #expect(text.padded(leftTo: width) == right)
    }
}
