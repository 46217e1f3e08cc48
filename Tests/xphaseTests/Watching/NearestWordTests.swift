import PhaseWatch
import Testing

@testable import Hooks

@Suite struct NearestWordTests {
    private static let words = ["timeout", "title", "to", "from", "while", "Firefox", "show-desktop"]

    @Test(arguments: [
        ("timeot", "timeout"), ("timoeut", "timeout"), ("TIMEOUT", "timeout"), ("titel", "title"),
        ("form", "from"), ("t", "to"), ("whil", "while"), ("wihle", "while"), ("firefx", "Firefox"),
        ("showdesktop", "show-desktop"),
    ])
    func isTheOneThatWasMeant(typed: String, meant: String) {
        #expect(NearestWord.to(typed, among: Self.words) == meant)
    }

    @Test(arguments: [
        "", "xyz", "background", "timetable", "fi", "show_desk", String(repeating: "timeout", count: 100_000),
    ])
    func isNoneWhereNothingIsNear(typed: String) {
        #expect(NearestWord.to(typed, among: Self.words) == nil)
    }

    @Test func ofTwoThatAreAsNearTheFirstIsTaken() {
        #expect(NearestWord.to("bat", among: ["cat", "hat"]) == "cat")
        #expect(NearestWord.to("bat", among: []) == nil)
    }
}
