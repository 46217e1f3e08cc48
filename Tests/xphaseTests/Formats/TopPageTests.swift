import Console
import Hooks
import PhaseWatch
import System
import Testing

@testable import Journal
@testable import xphase

/// The page of `xphase top`, without a terminal.
struct TopPageTests {
    private var table = TopTable(palette: Palette(isColoured: false), display: ":7")

    private mutating func change(
        _ name: String, _ phase: ScenePhase?, at seconds: Int = 0, _ cause: Cause = .focus
    ) {
        let members = Change.Members(counts: .init(active: 1), pids: [], groups: [])
        table.take(
            Change(kind: .phase, application: name, subject: .application(members), to: phase, cause: cause),
            at: Timestamp(seconds: seconds, nanoseconds: 0))
    }

    private func lines(_ columns: Int = 100, _ rows: Int = 10) -> [String] {
        table.lines(size: TerminalSize(columns: columns, rows: rows), now: .now())
    }

    private func rows() -> [String] {
        lines().dropFirst(3).map { $0.split(separator: " ").joined(separator: " ") }
    }

    /// The journal supplies the times of today, and the start of a phase that is unchanged.
    @Test mutating func whatIsThereHasItsTimesOfTheJournal() {
        let now = Timestamp.now().seconds
        let past = now - 2 * 86_400
        table.journal = TodaysJournal(
            active: ["Alpha": 3_720_000],
            present: ["Alpha", "Gamma"].map {
                PresentApplication(display: ":7", name: $0, phase: .active, since: Int64(past) * 1000)
            })
        change("Alpha", .active, at: now, .start)
        change("Beta", .background, at: now, .start)
        change("Gamma", .inactive, at: now, .start)
        let date = Timestamp(seconds: past, nanoseconds: 0).local.date.dropFirst(5)
        let clock = Timestamp(seconds: now, nanoseconds: 0).local.clock
        #expect(
            rows() == [
                "Alpha active 1 h 2 min \(date)", "Beta background - \(clock)", "Gamma inactive - \(clock)",
            ])
        change("Alpha", nil)
        table.journal = nil
        #expect(rows() == ["Beta background \(clock)", "Gamma inactive \(clock)"])
    }

    /// No page is wider or higher than the terminal, whatever the names of windows.
    @Test mutating func everySizeFits() {
        for name in [
            "Alpha", "漢字漢字漢字漢字漢字漢字漢字", "e\u{301}\u{301}\u{301}", "\u{1B}[2J\n", "",
            String(repeating: "W", count: 300),
        ] { change(name, .active) }
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
    @Test(arguments: [(60, "today*"), (68, "since"), (78, "cpu"), (86, "memory"), (140, "hooks")])
    mutating func namesAreCutLast(_ columns: Int, _ last: String) {
        let name = "org.gnome.a-program-with-a-long-name"
        change(name, .active)
        let lines = lines(columns)
        #expect(lines[3].hasPrefix(name + " ") && lines[2].split(separator: " ").last ?? "" == last)
        #expect(self.lines(20)[3].hasPrefix("org.gno… "))
    }

    @Test mutating func whatIsFrozenStandsBeforeWhatHooksWaitFor() {
        change("Alpha", .background)
        var row = HookStatus("sleep", .entered, of: ("Alpha", "Alpha"))
        row.reactions = ["mute", "freeze"]
        let other = HookStatus("other", .entered, of: ("Beta", "Beta"))
        table.hooks = [HookStatus("later", .waiting, of: ("Alpha", "Alpha")), row, other]
        #expect(lines(140)[3].hasSuffix("  frozen, muted, waiting 'later'"))
    }
}
