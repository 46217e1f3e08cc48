import Console
import Hooks
import PhaseWatch
import System
import Testing

@testable import Journal
@testable import xphase

/// The page of `xphase top`, without a terminal.
struct TopPageTests {
    private var table = TopTable(past: ["Alpha": PhaseTimes(active: 3_600_000)])

    private mutating func change(
        _ name: String, _ phase: ScenePhase?, _ clock: Int64, _ cause: Cause = .focus
    ) {
        table.take(
            Change(
                kind: .phase, application: name,
                subject: .application(.init(counts: .init(active: 1), pids: [], groups: [])), to: phase,
                cause: cause), at: Timestamp(seconds: Int(clock / 1000), nanoseconds: 0), clock: clock)
    }

    private func lines(_ columns: Int = 100, _ rows: Int = 10) -> [String] {
        let page = TopPage(palette: Palette(isColoured: false), display: ":7")
        return page.lines(
            table, size: TerminalSize(columns: columns, rows: rows),
            now: Timestamp(seconds: 0, nanoseconds: 0))
    }

    private func rows() -> [[String]] {
        lines().dropFirst(3).map { $0.split(separator: " ").map(String.init) }
    }

    @Test mutating func timeOfTheJournalAndOfTheWatchIsAddedUp() {
        change("Alpha", .active, 0, .start)
        change("Beta", .background, 0, .start)
        change("Alpha", .inactive, 120_000)
        table.countAll(300_000)
        #expect(
            rows() == [
                [
                    "Alpha", "inactive", "1h02m", TopPage.clock(Timestamp(seconds: 120, nanoseconds: 0)),
                    "3m", "-",
                ],
                [
                    "Beta", "background", "-", TopPage.clock(Timestamp(seconds: 0, nanoseconds: 0)), "-",
                    "5m",
                ],
            ])
        // An application that returns keeps its times.
        change("Alpha", nil, 300_000)
        #expect(rows().count == 1)
        change("Alpha", .active, 900_000)
        table.countAll(960_000)
        #expect(rows().first?[2] == "1h03m")
        table.beginDay(960_000)
        #expect(rows().first?[2] == "-")
    }

    /// The clock used for counting did not advance while the machine was asleep over midnight.
    @Test mutating func aSleepOverMidnightAddsNoTime() {
        change("Alpha", .active, 0)
        table.countAll(60_000)
        table.beginDay(90_000 - 7 * 3_600_000)
        table.countAll(90_000)
        #expect(rows().first?[2] == "<1m")
        #expect(table.rows["Alpha"]?.times.active == 30_000)
        // If the machine is awake at midnight, only the time after midnight counts.
        table.beginDay(100_000)
        table.countAll(120_000)
        #expect(table.rows["Alpha"]?.times.active == 20_000)
    }

    /// The journal supplies the start of a phase that is unchanged; other phases begin at the start of `top`.
    @Test mutating func whatWasThereHasItsTimeOfTheJournal() {
        let day: Int64 = 86_400_000
        table = TopTable(present: [
            PresentApplication(display: ":7", name: "Alpha", phase: .active, since: 20 * day),
            PresentApplication(display: ":7", name: "Beta", phase: .active, since: 22 * day + 60_000),
            PresentApplication(display: ":7", name: "Gamma", phase: .active, since: 20 * day),
        ])
        for (name, phase) in [("Alpha", ScenePhase.active), ("Beta", .active), ("Gamma", .inactive)] {
            change(name, phase, 22 * day + 120_000, .start)
        }
        let now = Timestamp(seconds: Int(22 * day / 1000) + 180, nanoseconds: 0)
        let page = TopPage(palette: Palette(isColoured: false), display: ":7")
        let lines = page.lines(table, size: TerminalSize(columns: 100, rows: 10), now: now)
        let since = lines.dropFirst(3).map { $0.split(separator: " ").map(String.init)[3] }
        func clock(_ seconds: Int) -> String {
            TopPage.clock(Timestamp(seconds: Int(22 * day / 1000) + seconds, nanoseconds: 0))
        }
        #expect(since == ["01-21", clock(60), clock(120)])
        change("Alpha", .inactive, 22 * day + 180_000)
        #expect(table.rows["Alpha"]?.since == now)
    }

    @Test mutating func hiddenTimeIsNobodys() {
        change("Beta", .active, 0)
        table.take(.locked(by: "i3lock", scenes: 0), clock: 60_000)
        table.countAll(600_000)
        #expect(lines()[1].hasPrefix("display hidden: lock  "))
        table.take(.unlocked, clock: 660_000)
        table.countAll(720_000)
        #expect(rows().first?[2] == "2m")
    }

    /// No page is wider or higher than the terminal, whatever the names of windows.
    @Test mutating func everySizeFits() {
        for name in [
            "Alpha", "漢字漢字漢字漢字漢字漢字漢字", "e\u{301}\u{301}\u{301}", "\u{1B}[2J\n", "",
            String(repeating: "W", count: 300),
        ] {
            change(name, .active, 0)
        }
        for columns in [1, 2, 7, 20, 21, 40, 79, 80, 200] {
            for rows in [1, 2, 3, 4, 5, 24] {
                let lines = lines(columns, rows)
                #expect(lines.count <= rows)
                #expect(lines.allSatisfy { $0.columnCount <= columns }, "\(columns): \(lines)")
                #expect(lines.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
            }
        }
    }

    /// Columns are dropped before a name is truncated. A wide terminal has room for all.
    @Test(arguments: [(60, "active*"), (78, "memory"), (140, "hooks")])
    mutating func namesAreCutLast(_ columns: Int, _ last: String) {
        let name = "org.gnome.a-program-with-a-long-name"
        change(name, .active, 0)
        let lines = lines(columns)
        #expect(lines[3].hasPrefix(name + " "))
        #expect(lines[2].split(separator: " ").last.map(String.init) == last, "\(lines[2])")
        #expect(self.lines(20)[3].hasPrefix("org.gno… "))
    }

    @Test mutating func onlyAPartOfManyRowsIsShownAndSaid() {
        for number in 0..<30 { change("N\(number)", .active, 0) }
        #expect(lines()[0].hasSuffix("1–7 of 30 applications"))
        table.select(by: 25, room: 7)
        #expect(lines()[0].hasSuffix("19–25 of 30 applications"))
    }

    @Test(arguments: [
        ("q", false, [TopKey.quit]), ("jk\u{1B}[A\u{1B}[B\u{1B}OA", false, [.down, .up, .up, .down, .up]),
        ("\u{1B}[5~\u{1B}[6~\u{1B}[1;5C\u{1B}[H", false, [.pageUp, .pageDown, .home]),
        ("s/", false, [.sort, .filter]), ("q/é\u{7F}", true, [.text("q/é"), .erase]),
        (
            "/bet\rq/s\u{1B}s", false,
            [.filter, .text("bet"), .enter, .quit, .filter, .text("s"), .escape, .sort]
        ),
        ("?ftpew", false, [.help, .freeze, .thaw, .pause, .explain, .why]), ("fe", true, [.text("fe")]),
        ("\u{1B}[<0;12;7M\u{1B}[<0;12;7m\u{1B}[<64;1;1M\u{1B}[<2;1;1M", false, [.click(7), .up]),
        ("\u{1B}[<0;7M\u{1B}[M", false, []),
        ("\u{1B}", true, [.escape]), ("\u{1B}[", false, []), ("\r", true, [.enter]), ("\u{1}x", false, []),
    ])
    func keysAreKnown(_ typed: String, _ isTyping: Bool, _ keys: [TopKey]) {
        #expect(TopKey.keys(in: Array(typed.utf8), isTyping: isTyping) == keys)
    }
}
