import Hooks
import PhaseWatch
import Testing

@testable import Scenes
@testable import xphase

struct TreeTests {
    private static func tree(_ changes: [Change], _ freezes: Freezes = Freezes([])) -> [String] {
        Tree(palette: Palette(isColoured: false), freezes: freezes).text(of: changes)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the application, the group or the scene of one, two or three names, of which the last is an ID.
    private static func subject(_ names: [String], title: String? = nil) -> Change {
        .bareScene.with {
            let members = Change.Members(counts: .init(inactive: 1), pids: [], groups: [])
            ($0.application, $0.group) = (names[0], names.count > 1 ? names[1] : nil)
            switch names.count {
            case 1: $0.subject = .application(members)
            case 2: $0.subject = .group(members)
            default:
                let id = WindowID(UInt32(names[2], radix: 16) ?? 0)
                $0.subject = .scene(.init(id: id, title: title, desktop: title == nil ? nil : -1))
            }
        }
    }

    @Test func applicationsGroupsAndScenesAreIndentedAndAligned() {
        let film = Self.subject(["mpv", "gl", "7"], title: "a film")
        let others = [["mpv"], ["mpv", "gl"], ["mpv", "gl", "8"]].map { Self.subject($0) }
        #expect(
            Self.tree(Change.samples + [film] + others) == [
                "APPLICATION    PHASE       SCENES        PID  DESKTOP  TITLE",
                "Firefox        background       2       2131",
                "  Navigator    inactive         3  2131,2140",
                "    0x2c00007  background               2131        0  Inbox",
                "mpv            inactive         1          -",
                "  gl           inactive         1          -",
                "    0x7        inactive                    -      all  a film",
                "    0x8        inactive                    -        -", "",
            ])
    }

    @Test func onlyTheRowOfAFrozenApplicationSaysSoWhereScenesHaveTitles() {
        var state = HookStatus("sleep", .entered, of: ("mpv", "mpv"))
        state.reactions = ["freeze"]
        state.processes = 1
        let rows = Self.tree([["mpv"], ["mpv", "mpv"], ["vlc"]].map { Self.subject($0) }, Freezes([state]))
        let areFrozen = rows.map { $0.hasSuffix("  frozen by 'sleep'") }
        #expect(areFrozen == [false, true, false, false, false], "\(rows)")
    }

    /// Names may be written with combining characters.
    @Test func applicationsAreInTheOrderOfTheAlphabetWhateverTheirCase() {
        let names = ["mpv", "Firefox", "firefox", "Café müller", "Cafe\u{301} mu\u{308}ller 2"]
        let rows = Self.tree(names.map { Self.subject([$0]) }).dropFirst().dropLast()
        #expect(rows.map { $0.prefix(4) } == ["Café", "Café", "Fire", "fire", "mpv "])
        #expect(rows.allSatisfy { $0.dropFirst(15).hasPrefix("inactive") })
    }

    @Test func groupsAndScenesStandBelowTheirApplicationInWhateverOrderTheyCome() {
        let changes = [
            "App", "App a", "App a 9", "App a 10", "App a a000000", "App b", "App b 1", "App2", "App2 a",
        ].map { Self.subject($0.split(separator: " ").map(String.init)) }
        let rows = Self.tree(changes)
        #expect(
            rows.dropFirst().dropLast().map { $0.split(separator: " ").first }
                == ["App", "a", "0x9", "0x10", "0xa000000", "b", "0x1", "App2", "a"])
        #expect(Self.tree(changes.reversed()) == rows)
        #expect(Self.tree(changes.sorted { $0.level.rawValue > $1.level.rawValue }) == rows)
    }

    @Test func namesAndTitlesAreEscapedBeforeTheyAreMeasured() {
        let names = ["a\nb\u{1B}[2J\u{85}cd", "\t", "1"]
        #expect(
            Self.tree((1...3).map { Self.subject(Array(names.prefix($0)), title: "two\nlines") }) == [
                #"APPLICATION        PHASE     SCENES  PID  DESKTOP  TITLE"#,
                #"a\nb\e[2J\u{85}cd  inactive       1    -"#, #"  \t               inactive       1    -"#,
                #"    0x1            inactive            -      all  two\nlines"#, "",
            ])
    }
}
