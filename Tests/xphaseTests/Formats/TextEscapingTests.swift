import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct TextEscapingTests {
    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("\u{1B}[31m", #"\e[31m"#), ("two\nlines", #"two\nlines"#),
        ("a\tb", #"a\tb"#), ("a\rb", #"a\rb"#), ("a\r\nb", #"a\r\nb"#), ("\u{85}", #"\u{85}"#),
        ("\0", #"\u{0}"#), ("\u{7}", #"\u{7}"#), ("\u{7F}", #"\u{7f}"#), ("\u{9B}31m", #"\u{9b}31m"#),
        ("\u{9F}", #"\u{9f}"#), ("\u{A0}", "\u{A0}"), ("\u{2028}", #"\u{2028}"#), ("\u{2029}", #"\u{2029}"#),
        ("\u{202E}fdp.exe", #"\u{202e}fdp.exe"#), ("\u{2066}", #"\u{2066}"#), ("\u{200F}", #"\u{200f}"#),
        ("Grüße, 世界 👩‍👧", "Grüße, 世界 👩‍👧"), ("e\u{301}", "e\u{301}"), ("\u{301}", "\u{301}"),
        ("\n\u{301}", "\\n\u{301}"),
    ])
    func whatDrivesATerminalIsShownInstead(raw: String, shown: String) {
        #expect(Array(raw.escapedForTerminal.utf8) == Array(shown.utf8))
    }

    @Test func allControlCharactersAreEscaped() {
        for value in Array(UInt32(0)..<0x20) + Array(0x7F..<0xA0) {
            let text = Unicode.Scalar(value).map { String($0).escapedForTerminal } ?? ""
            #expect(text.hasPrefix("\\"), "U+\(String(value, radix: 16))")
            #expect(text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "U+\(String(value, radix: 16))")
        }
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
