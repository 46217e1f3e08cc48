import PhaseWatch
import Testing

@testable import Scenes
@testable import xphase

@Suite struct TreeTests {
    private static func tree(_ changes: [Change]) -> [String] {
        Tree(palette: Palette(isColoured: false)).text(of: changes)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func application(
        _ name: String, _ phase: ScenePhase = .inactive, scenes: Int = 1, pids: [Int32] = []
    ) -> Change {
        .sampleApplication.with {
            $0.application = name
            $0.to = phase
            $0.subject = .application(.init(counts: .init(inactive: scenes), pids: pids, groups: []))
        }
    }

    private static func group(_ application: String, _ name: String) -> Change {
        .sampleGroup.with {
            $0.application = application
            $0.group = name
            $0.subject = .group(.init(counts: .init(inactive: 1), pids: [], groups: [name]))
        }
    }

    private static func scene(
        _ application: String, _ group: String, _ id: UInt32, title: String? = nil, pid: Int32? = nil,
        desktop: Int? = nil
    ) -> Change {
        .bareScene.with {
            $0.application = application
            $0.group = group
            $0.subject = .scene(.init(id: WindowID(id), title: title, pid: pid, desktop: desktop))
        }
    }

    @Test func applicationsGroupsAndScenesAreIndentedAndAligned() {
        let changes = [
            Self.application("Firefox", .active, scenes: 12, pids: [2131]),
            Self.group("Firefox", "Navigator"),
            Self.scene("Firefox", "Navigator", 0x2c_00007, title: "Inbox", pid: 2131, desktop: 10),
            Self.application("mpv", .background), Self.group("mpv", "gl"),
            Self.scene("mpv", "gl", 0x7, title: "a film", desktop: -1), Self.scene("mpv", "gl", 0x8),
        ]
        #expect(
            Self.tree(changes) == [
                "APPLICATION    PHASE       SCENES   PID  DESKTOP  TITLE",
                "Firefox        active          12  2131",
                "  Navigator    inactive         1     -",
                "    0x2c00007  inactive            2131       10  Inbox",
                "mpv            background       1     -",
                "  gl           inactive         1     -",
                "    0x7        inactive               -      all  a film",
                "    0x8        inactive               -        -",
                "",
            ])
    }

    @Test func applicationsAreInTheOrderOfTheAlphabetWhateverTheirCaseAndNamesAreAligned() {
        let names = ["mpv", "Firefox", "firefox", "Café müller", "Zathura", "Cafe\u{301} mu\u{308}ller 2"]
        let rows = Self.tree(names.map { Self.application($0) }).dropLast()
        #expect(
            rows.dropFirst().map { $0.prefix { $0 != " " } } == [
                "Café", "Café", "Firefox", "firefox", "mpv", "Zathura",
            ])
        let places = rows.map { row in
            row.firstRange(of: /PHASE|inactive/).map { row[..<$0.lowerBound].count }
        }
        #expect(Set(places) == [15])
    }

    @Test func eachStandsBelowWhatItBelongsToInWhateverOrderTheyCome() {
        let changes = [
            Self.application("App"), Self.group("App", "a"), Self.scene("App", "a", 0x9),
            Self.scene("App", "a", 0x10), Self.scene("App", "a", 0xA00_0000), Self.group("App", "b"),
            Self.scene("App", "b", 0x1), Self.application("App2"), Self.group("App2", "a"),
        ]
        let rows = Self.tree(changes)
        #expect(
            rows.dropFirst().dropLast().map { $0.split(separator: " ").first } == [
                "App", "a", "0x9", "0x10", "0xa000000", "b", "0x1", "App2", "a",
            ])
        #expect(Self.tree(changes.reversed()) == rows)
        #expect(Self.tree(changes.sorted { $0.level.rawValue > $1.level.rawValue }) == rows)
    }

    @Test func namesAndTitlesAreEscapedBeforeTheyAreMeasured() {
        let rows = Self.tree([
            Self.application("a\nb\u{1B}[2J\u{85}cd"), Self.group("a\nb\u{1B}[2J\u{85}cd", "\t"),
            Self.scene("a\nb\u{1B}[2J\u{85}cd", "\t", 1, title: "two\nlines"),
        ])
        #expect(
            rows == [
                #"APPLICATION        PHASE     SCENES  PID  DESKTOP  TITLE"#,
                #"a\nb\e[2J\u{85}cd  inactive       1    -"#,
                #"  \t               inactive       1    -"#,
                #"    0x1            inactive            -        -  two\nlines"#,
                "",
            ])
    }
}
