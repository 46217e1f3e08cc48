import FoundationEssentials
import PhaseWatch
import TestDesktop
import Testing

@testable import Console
@testable import Scenes
@testable import System
@testable import xphase

/// Names and texts that windows set, in every format.
struct EscapingTests {
    private struct Texts: Decodable { let application, group, title, notice, text: String? }

    @Test(arguments: [
        "", "Inbox", #"say "hi""#, #"C:\new\table"#, #"ends with \"#, "a\tb", "a\r\nb", "nul\0nul",
        "\u{1B}]0;owned\u{7}", "\u{7F}", "\u{85}\u{9B}31m", "\u{2028}\u{2029}", "👩‍👩‍👧‍👦 🇩🇪",
        "\u{301}\"\u{301}", "e\u{301} is not é", "\u{202E}txt.exe", "\u{FFFD}\u{FFFF}\u{10FFFF}",
        "</script>", "{}[]:,", "\u{FEFF}bom", "日本語", "\\u0041",
        String(String.UnicodeScalarView((0..<0x400).compactMap { Unicode.Scalar(UInt32($0)) })),
        String(decoding: [0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80] as [UInt8], as: UTF8.self),
    ])
    func anEventIsOneLineThatDrivesNoTerminalAndJSONKeepsTheText(text: String) throws {
        let change = Change.sampleScene.titled(text).with { ($0.application, $0.group) = (text, text) }
        let formats: [LineFormat] = [
            .json, .text(TextLine(palette: Palette(isColoured: false))),
            .template(try Template("{application} {group} {scene} {title} {text}")),
        ]
        for (event, count) in [(Event.change(change), 3), (.notice(Notice(name: text, text: text)), 2)] {
            for format in formats {
                let line = try #require(format.text(event))
                let scalars = line.unicodeScalars.dropLast()
                #expect(line.last == "\n")
                #expect(scalars.allSatisfy { $0.properties.generalCategory != .control })
            }
            let read = try JSONDecoder().decode(
                Texts.self, from: Data(event.json(sequence: 1, time: .sample)))
            let values = [read.application, read.group, read.title, read.notice, read.text]
            // Compared as bytes, since characters with the same meaning are equal.
            let bytes = values.compactMap { $0.map { Array($0.utf8) } }
            #expect(bytes == Array(repeating: Array(text.utf8), count: count))
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

struct TimeTextTests {
    @Test(arguments: [
        (0, 0, "1970-01-01T00:00:00.000000Z"), (0, 1000, "1970-01-01T00:00:00.000001Z"),
        (1_795_172_621, 207_113_999, "2026-11-20T11:03:41.207113Z"),
        (1_795_172_621, 999_999_999, "2026-11-20T11:03:41.999999Z"),
        (951_782_400, 0, "2000-02-29T00:00:00.000000Z"),
        (4_102_444_799, 50_000_000, "2099-12-31T23:59:59.050000Z"),
        (2_147_483_648, 0, "2038-01-19T03:14:08.000000Z"),
    ])
    func utcIsToTheMicrosecondAndLocalTimeToTheMillisecond(seconds: Int, nanoseconds: Int, text: String) {
        let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        #expect(TimeText.utc(time) == text)
        // The time zone is unknown, but every current UTC offset is a whole number of minutes.
        let local = TimeText.local(time)
        #expect(local.wholeMatch(of: /[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}/) != nil)
        #expect(seconds < 1_000_000_000 || local.suffix(7) == text.dropLast(4).suffix(7))
    }

    @Test(arguments: [
        (Duration.zero, "0.000", "0ms"), (.nanoseconds(999_999), "0.000", "0ms"),
        (.milliseconds(10), "0.010", "10ms"), (.milliseconds(999), "0.999", "999ms"),
        (.milliseconds(1099), "1.099", "1.0s"), (.milliseconds(59_999), "59.999", "59.9s"),
        (.milliseconds(252_114), "252.114", "4m12s"), (.milliseconds(3_599_999), "3599.999", "59m59s"),
        (.seconds(3600), "3600.000", "1h00m"), (.seconds(7500), "7500.000", "2h05m"),
        (.seconds(86_399), "86399.000", "23h59m"), (.seconds(273_600), "273600.000", "3d04h"),
        (.seconds(86_400 * 365), "31536000.000", "365d00h"),
    ])
    func aDurationHasThreeDecimalsOrItsTwoGreatestUnits(duration: Duration, decimals: String, short: String) {
        #expect(TimeText.seconds(duration) == decimals && TimeText.short(duration) == short)
    }

    /// A freeze for a day ended "until" the present time.
    @Test func aMomentOfAnotherDayHasItsDate() {
        let now = Timestamp.now()
        let (clock, tomorrow) = (TimeText.local(now).prefix(8), now + .seconds(86_400))
        #expect(TimeText.moment(now, now: now) == clock)
        #expect(
            TimeText.moment(tomorrow, now: now)
                == "\(tomorrow.local.date) \(TimeText.local(tomorrow).prefix(8))")
    }
}
