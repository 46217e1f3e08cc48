import PhaseWatch
import Testing

@testable import Hooks

@Suite struct NearestWordTests {
    private static let words = [
        "timeout", "title", "to", "from", "while", "Firefox", "show-desktop", "cat", "hat",
    ]

    @Test(arguments: [
        ("timeot", "timeout"), ("timoeut", "timeout"), ("TIMEOUT", "timeout"), ("titel", "title"),
        ("form", "from"), ("t", "to"), ("whil", "while"), ("wihle", "while"), ("firefx", "Firefox"),
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
}
