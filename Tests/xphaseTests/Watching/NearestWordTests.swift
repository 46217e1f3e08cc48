import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes
@testable import xphase

/// Suggestions for words and applications that are not there.
@Suite struct NearestWordTests {
    private static let words = [
        "timeout", "title", "to", "from", "while", "Firefox", "show-desktop", "cat", "hat",
    ]

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
    func isTheOneThatWasMeant(typed: String, meant: String?) {
        #expect(NearestWord.to(typed, among: Self.words) == meant)
    }

    @Test func theNearestApplicationIsNamedOrElseAll() {
        func answer(_ typed: String, _ names: [(group: String, name: String)]) -> String {
            let changes = names.map { group, name in
                Change.sampleGroup.with { ($0.application, $0.group) = (name, group) }
            }
            let message = CommandFailure.noApplication(typed, among: changes).description
            let start = "no application matches '\(typed)': "
            return message.hasPrefix(start) ? String(message.dropFirst(start.count)) : message
        }
        let names = [
            ("Navigator", "firefox-esr"), ("soffice", "libreoffice-writer"),
            ("nautilus", "Org.gnome.Nautilus"), ("mpv", "mpv"), ("evil", "e\u{1B}[2J"),
        ]
        let all = "running now: Org.gnome.Nautilus, e\\e[2J, firefox-esr, libreoffice-writer, mpv"
        for (typed, near) in [
            ("fierfox", "firefox-esr"), ("firefox", "firefox-esr"), ("Firefox-ers", "firefox-esr"),
            ("navigater", "Navigator"), ("libre", "libreoffice-writer"), ("vpm", nil), ("mpc", "mpv"),
            ("nautlius", "Org.gnome.Nautilus"), ("gnmoe", "Org.gnome.Nautilus"), ("thunderbird", nil),
        ] { #expect(answer(typed, names) == near.map { "did you mean '\($0)'?" } ?? all) }
        #expect(answer("a", []) == "no application is running")
        let many = answer("thunderbird", (1...14).map { ("many", "Many\($0)") })
        #expect(many.hasSuffix("Many4, Many5, Many6, Many7 and 2 more"))
    }
}
