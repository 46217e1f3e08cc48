import FoundationEssentials
import PhaseWatch
import TestDesktop
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

/// Names and texts that windows set, in every format.
@Suite struct EscapingTests {
    private struct Texts: Decodable { let application, group, title, notice, text: String? }

    private static let hostile = [
        "", "Inbox", #"say "hi""#, #"C:\new\table"#, #"ends with \"#, "a\tb", "a\r\nb", "nul\0nul",
        "\u{1B}]0;owned\u{7}", "\u{7F}", "\u{85}\u{9B}31m", "\u{2028}\u{2029}", "👩‍👩‍👧‍👦 🇩🇪",
        "\u{301}\"\u{301}", "e\u{301} is not é", "\u{202E}txt.exe", "\u{FFFD}\u{FFFF}\u{10FFFF}",
        "</script>", "{}[]:,", "\u{FEFF}bom", "日本語", "\\u0041",
        String(String.UnicodeScalarView((0..<0x400).compactMap { Unicode.Scalar(UInt32($0)) })),
        String(decoding: [0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80] as [UInt8], as: UTF8.self),
    ]

    @Test(arguments: hostile)
    func anEventIsOneLineThatDrivesNoTerminalAndJSONKeepsTheText(text: String) throws {
        let change = Change.sampleScene.titled(text).with { ($0.application, $0.group) = (text, text) }
        let formats: [LineFormat] = [
            .json, .text(TextLine(palette: Palette(isColoured: false))),
            .template(try Template("{application} {group} {scene} {title} {text}")),
        ]
        for (event, count) in [(Event.change(change), 3), (.notice(Notice(name: text, text: text)), 2)] {
            for format in formats {
                let line = try #require(format.text(event))
                let controls = line.unicodeScalars.dropLast().filter {
                    $0.properties.generalCategory == .control
                }
                #expect(line.last == "\n" && controls.isEmpty)
            }
            let read = try JSONDecoder().decode(
                Texts.self, from: Data(event.json(sequence: 1, time: .sample)))
            let values = [read.application, read.group, read.title, read.notice, read.text]
            // Compared as bytes, since characters with the same meaning are equal.
            #expect(
                values.compactMap(\.self).map { Array($0.utf8) }
                    == Array(repeating: Array(text.utf8), count: count))
        }
    }

    /// What JSON and a terminal show.
    @Test(arguments: [
        ("", "", ""), ("\"", #"\""#, "\""), ("a\\", #"a\\"#, "a\\"), ("\r\n", #"\r\n"#, #"\r\n"#),
        ("\t", #"\t"#, #"\t"#), ("\u{1B}[31m", #"\u001b[31m"#, #"\e[31m"#), ("\0", #"\u0000"#, #"\u{0}"#),
        ("\u{7}", #"\u0007"#, #"\u{7}"#), ("\u{7F}", #"\u007f"#, #"\u{7f}"#),
        ("\u{85}", #"\u0085"#, #"\u{85}"#), ("\u{9F}", #"\u009f"#, #"\u{9f}"#),
        ("\u{A0}", "\u{A0}", "\u{A0}"), ("\u{2028}", #"\u2028"#, #"\u{2028}"#),
        ("a\u{2029}b", #"a\u2029b"#, #"a\u{2029}b"#), ("\u{202E}fdp", "\u{202E}fdp", #"\u{202e}fdp"#),
        ("\u{2066}", "\u{2066}", #"\u{2066}"#), ("\u{200F}", "\u{200F}", #"\u{200f}"#),
        ("\u{2027}\u{3028}/", "\u{2027}\u{3028}/", "\u{2027}\u{3028}/"), ("\u{301}", "\u{301}", "\u{301}"),
        ("Grüße, 世界 👩‍👧", "Grüße, 世界 👩‍👧", "Grüße, 世界 👩‍👧"), ("\n\u{301}", "\\n\u{301}", "\\n\u{301}"),
    ])
    func controlCharactersAndOnlyTheyAreEscaped(raw: String, json: String, shown: String) throws {
        let line = Event.change(.sampleScene.titled(raw)).json(sequence: 1, time: .sample)
        // Compared as bytes: a combining mark would become one Character with the quote before it.
        let wanted = Array((#""title":"# + "\"").utf8) + Array(json.utf8) + Array(#"","pid":"#.utf8)
        #expect(line.contains(wanted))
        #expect(Array(raw.escapedForTerminal.utf8) == Array(shown.utf8))
    }

    /// In commands that messages suggest.
    @Test(arguments: [
        ("CPUWeight=10", "CPUWeight=10"), ("/a/b-c_d.e", "/a/b-c_d.e"), ("über", "über"), ("", "''"),
        ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$HOME", "'$HOME'"), ("a;b", "'a;b'"), ("~", "'~'"),
        ("*", "'*'"),
    ])
    func aWordForAShellIsQuotedWhereItMustBe(text: String, word: String) throws {
        #expect(text.quotedForShell == word)
        #expect(try Program.run("sh", ["-c", "printf %s \(word)"]).output.joined() == text)
    }
}
