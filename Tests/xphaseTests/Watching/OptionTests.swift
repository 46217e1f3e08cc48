import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes
@testable import System
@testable import xphase

/// The options of a watch, and the durations in them.
struct OptionTests {
    private static let file = PhaseMonitor.Options(
        policy: .visible, settle: .seconds(1), hidingStates: [.lock], occlusion: .seconds(2),
        idle: .seconds(3))

    /// Options of the command line override those of the file.
    @Test(arguments: [
        ("", PhaseMonitor.Options(), PhaseMonitor.Options()),
        ("--policy visible --stepwise", .init(), .init(policy: .visible, isStepwise: true)),
        ("--settle 3s", .init(), .init(settle: .seconds(3))), ("--settle 0", .init(), .init(settle: .zero)),
        ("--session lock,away", .init(), .init(hidingStates: [.lock, .away])),
        ("--session none", .init(), .init(hidingStates: [])),
        ("--occlusion 5s --idle 1h", .init(), .init(occlusion: .seconds(5), idle: .seconds(3600))),
        ("", file, file),
        (
            "--policy focus --settle 100ms --session away,lock,display-off --occlusion none --idle none",
            file, .init()
        ),
    ])
    func areThoseOfTheLibrary(
        _ line: String, over file: PhaseMonitor.Options, _ wanted: PhaseMonitor.Options
    ) throws {
        var options = file
        try RuleOptions.parse(line.split(separator: " ").map(String.init)).apply(to: &options)
        #expect(options == wanted)
    }

    /// A duration is written in the largest unit that fits.
    @Test(arguments: [
        ("0", Duration.zero, "0"), ("0h", .zero, "0"), ("1ms", .milliseconds(1), "1ms"),
        ("1500ms", .milliseconds(1500), "1500ms"), ("1000ms", .seconds(1), "1s"), ("007s", .seconds(7), "7s"),
        ("90s", .seconds(90), "90s"), ("60s", .seconds(60), "1m"), ("120m", .seconds(7200), "2h"),
        ("48h", .seconds(172_800), "48h"), ("878400h", .seconds(3_162_240_000), "878400h"),
        ("1.5s", .milliseconds(1500), "1500ms"), ("30", .seconds(30), "30s"), ("30 s", .seconds(30), "30s"),
        ("5min", .seconds(300), "5m"), ("1m30s", .seconds(90), "90s"), ("1h 30 m", .seconds(5400), "90m"),
        ("1d", .seconds(86_400), "24h"), ("1MS", .milliseconds(1), "1ms"), ("0.0001s", .zero, "0"),
    ])
    func aNumberAndItsUnitAreADuration(text: String, duration: Duration, written: String) {
        #expect(Duration(text: text) == duration && duration.text == written)
    }

    @Test(arguments: [
        "", " ", "s", "-1s", "-0s", "+1s", "1,5s", "1us", ".", "1.5.5s", " 5s", "5s\n", "5s\0", "5ss", "5sm",
        "0x5s", "1e3s", "1_000s", "٣s", "５s", "5ſ", "5s\u{301}", "five s", "878401h", "878400h1ms",
        "9223372036854775807ms", "9223372036854775807h", "99999999999999999999s", "infs", "nans",
        // Half past one, or 30 s more?
        "1h30", "1h 30", "30 1h",
    ])
    func anythingElseIsNoDuration(text: String) {
        #expect(Duration(text: text) == nil)
    }
}

/// Suggestions for words and applications that are not there.
struct NearestWordTests {
    @Test(arguments: [
        ("timeot", "timeout"), ("timoeut", "timeout"), ("TIMEOUT", "timeout"), ("titel", "title"),
        ("form", "from"), ("t", "to"), ("whil", "while"), ("firefx", "Firefox"),
        ("showdesktop", "show-desktop"),
        // Of two that are as near, the first is taken.
        ("bat", "cat"),
        // Nothing is near.
        ("", nil), ("xyz", nil), ("background", nil), ("timetable", nil), ("fi", nil), ("show_desk", nil),
        (String(repeating: "timeout", count: 100_000), nil),
    ])
    func theNearestWordIsTheOneThatWasMeant(typed: String, meant: String?) {
        let words = ["timeout", "title", "to", "from", "while", "Firefox", "show-desktop", "cat", "hat"]
        #expect(NearestWord.to(typed, among: words) == meant)
    }

    @Test func theNearestApplicationIsNamedOrElseAll() {
        func answer(_ typed: String, _ names: [(group: String, name: String)]) -> String {
            let changes = names.map { group, name in
                Change.sampleGroup.with { ($0.application, $0.group) = (name, group) }
            }
            return CommandFailure.noApplication(typed, among: changes).description
                .replacing("no application matches '\(typed)'", with: "")
        }
        let names = [
            ("Navigator", "firefox-esr"), ("soffice", "libreoffice-writer"),
            ("nautilus", "Org.gnome.Nautilus"), ("mpv", "mpv"), ("evil", "e\u{1B}[2J"),
        ]
        let all = "; running now: Org.gnome.Nautilus, e\\e[2J, firefox-esr, libreoffice-writer, mpv"
        for (typed, near) in [
            ("fierfox", "firefox-esr"), ("firefox", "firefox-esr"), ("Firefox-ers", "firefox-esr"),
            ("navigater", "Navigator"), ("libre", "libreoffice-writer"), ("vpm", nil), ("mpc", "mpv"),
            ("nautlius", "Org.gnome.Nautilus"), ("gnmoe", "Org.gnome.Nautilus"), ("thunderbird", nil),
        ] { #expect(answer(typed, names) == near.map { ": did you mean '\($0)'?" } ?? all) }
        #expect(answer("a", []) == "; no application is running")
        let many = answer("thunderbird", (1...14).map { ("many", "Many\($0)") })
        #expect(many.hasSuffix("Many4, Many5, Many6, Many7 and 2 more"))
    }
}
