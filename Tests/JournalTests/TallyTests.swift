import Console
import PhaseWatch
import Testing

@testable import Journal

struct TallyTests {
    private static let drift = (0..<100).map {
        "\($0) A \($0 % 2 == 0 ? "active" : "inactive") set=\(Double($0) / 1000)"
    }

    /// Journals with their totals, the seconds hidden and asleep, and how often the clock was set.
    @Test(arguments: [
        // Two displays are told apart.
        (
            """
            0 start; 0 start run=2 display=:1; 0 A active; 0 A inactive run=2; 10 A background run=2
            20 stop; 30 stop run=2
            """, ["A on :0 20.000/0.000/0.000", "A on :1 0.000/10.000/20.000"], [0, 0, 0]
        ),
        // Locked time does not count.
        (
            """
            0 start; 0 A active; 0 B background; 10 session lock; 10 A background
            15 session display-off lock; 40 session display-off; 50 session; 50 A active; 60 stop
            """, ["A 20.000/0.000/0.000", "B 0.000/0.000/20.000"], [40, 0, 0]
        ),
        // Nor does time asleep.
        (
            "0 start; 0 A active; 10 alive set=3600 asleep=3600; 15 stop set=3600 asleep=3600",
            ["A 15.000/0.000/0.000"], [0, 3600, 0]
        ),
        // A clock that is set makes no time.
        (
            "0 start; 0 A active; 20 A background set=7200; 50 stop set=7200",
            ["A 20.000/0.000/30.000"], [0, 0, 1]
        ),
        (
            "0 start; 0 A active; 20 A background set=-7200; 50 stop set=-7200",
            ["A 20.000/0.000/30.000"], [0, 0, 1]
        ),
        // A disciplined clock drifts without being set.
        ("0 start; " + drift.joined(separator: "; "), ["A 50.000/49.000/0.000"], [0, 0, 0]),
        // A run that no longer exists ends with its last line.
        ("0 start; 0 A active; 60 alive", ["A 60.000/0.000/0.000"], [0, 0, 0]),
    ])
    func onlyTimeInWhichAPhaseWasSeenCounts(steps: String, totals: [String], seconds: [Int64]) {
        let report = TestJournal(steps).report(from: -10_000_000)
        let summary = report.summary
        #expect(report.texts == totals)
        #expect(
            [summary.hidden / 1000, summary.suspended / 1000, Int64(summary.steps)] == seconds, "\(summary)")
    }

    /// An application that matched by an instance still counts after that instance closes.
    @Test func applicationsAreChosenByClassOrInstance() {
        let journal = TestJournal(
            """
            0 start; 0 A active instance=one; 0 B background; 10 A inactive instance=two
            30 A - instance=two; 200 stop
            """)
        for (names, totals) in [
            ([], ["A 10.000/20.000/0.000", "B 0.000/0.000/200.000"]), (["ONE"], ["A 10.000/20.000/0.000"]),
            (["/^tw/"], ["A 0.000/20.000/0.000"]), (["b", "c*"], ["B 0.000/0.000/200.000"]),
        ] { #expect(journal.report(of: names).texts == totals) }
        let tally = TestJournal.tally(of: ["b", "c*"])
        journal.read(into: tally)
        #expect(tally.unmatched == [Pattern("c*")])
    }

    /// A window may begin or end within a phase, for example at midnight.
    @Test func onlyTheTimeOfTheWindowCounts() {
        // The file of the next day begins with the complete state.
        var journal = TestJournal(
            "-50 start; -40 A active; 30 A background; 40 start continued; 40 A background; 90 stop")
        #expect(journal.report().texts == ["A 30.000/0.000/60.000"])
        #expect(journal.report(from: 10_000, to: 50_000).texts == ["A 20.000/0.000/20.000"])
        #expect(journal.report(from: 90_000, to: 95_000).texts == [])
        #expect(journal.report().summary.misplaced == 0)
        // The previous file may have been removed.
        journal.lines.removeFirst(3)
        #expect(journal.report().texts == ["A 0.000/0.000/50.000"])
        // The first part precedes a sleep, and the second one follows it.
        let slept = TestJournal(
            "0 start; 0 A active; 10 alive set=3600 asleep=3600; 15 stop set=3600 asleep=3600")
        #expect(slept.report(to: 3_000_000).texts == ["A 10.000/0.000/0.000"])
        #expect(slept.report(from: 3_600_000).texts == ["A 5.000/0.000/0.000"])
    }

    /// A later run on the same display implies that an earlier one has ended. A run that can write would have written an
    /// `alive` line.
    @Test func aRunThatGoesOnCountsUntilNow() {
        let next = "0 start; 0 A active; 60 alive; 80 start run=2; 90 stop run=2"
        for (steps, now, total, hidden) in [
            ("0 start; 0 A active", 90, "A 90.000/0.000/0.000", 0), (next, 100, "A 60.000/0.000/0.000", 0),
            ("0 start; 0 A active", 3600, "A 120.000/0.000/0.000", 0),
            ("0 start; 0 A active; 60 session lock", 3600, "A 60.000/0.000/0.000", 3540),
        ] as [(String, Int64, String, Int64)] {
            let report = TestJournal(steps).report(alive: [1], now: now * 1000)
            #expect(report.texts == [total] && report.summary.hidden == hidden * 1000, "\(steps)")
        }
    }

    @Test func whatIsThereIsKnownFromRunsThatStillWrite() {
        let journal = TestJournal(
            """
            0 start; 0 start run=2 display=:1; 0 A inactive; 0 Gone active run=2; 0 B active; 30 A active
            40 A active title=new; 50 B -; 60 session lock
            """)
        let tally = TestJournal.tally()
        journal.read(into: tally, alive: [1], now: 90_000)
        let since = TestJournal.start + 30_000
        #expect(tally.present == [PresentApplication(display: ":0", name: "A", phase: .active, since: since)])
    }
}
