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
            "0 start; 0 A active; 20 A background set=7200; 30 A background set=-7200; 50 stop set=-7200",
            ["A 20.000/0.000/30.000"], [0, 0, 2]
        ),
        // A disciplined clock drifts without being set.
        ("0 start; " + drift.joined(separator: "; "), ["A 50.000/49.000/0.000"], [0, 0, 0]),
        // A run that no longer exists ends with its last line.
        ("0 start; 0 A active; 60 alive", ["A 60.000/0.000/0.000"], [0, 0, 0]),
    ])
    func onlyTimeInWhichAPhaseWasSeenCounts(steps: String, totals: [String], seconds: [Int64]) {
        let report = Report(TestJournal(steps).tally(from: -10_000_000))
        let summary = report.summary
        #expect(report.texts == totals)
        #expect(
            [summary.hidden / 1000, summary.suspended / 1000, Int64(summary.steps)] == seconds, "\(summary)")
    }

    /// Journals with their visits, as `name from-to`, in seconds: what a gap ends, and what it does not.
    @Test(arguments: [
        // Other titles, the file of the next day and a crooked clock are no gaps; another phase is one, however short.
        (
            """
            0 start; 0 A active title=one; 5 A active title=two; 10 start continued; 10 A active title=two
            20 alive set=0.5; 30 A inactive; 30 A active; 40 A background; 50 stop
            """, ["A 0-30 two", "A 30-40"]
        ),
        // Two at once, as under some policies, and one that is active without any time.
        (
            "0 start; 0 B active; 5 A active; 10 B inactive; 10 C active; 10 C inactive; 20 stop",
            ["B 0-10", "A 5-20"]
        ),
        // A lock, a sleep of the machine, and another run.
        ("0 start; 0 A active; 5 session lock; 8 session; 9 stop", ["A 0-5", "A 8-9"]),
        (
            "0 start; 0 A active; 10 alive set=3600 asleep=3600; 15 stop set=3600 asleep=3600",
            ["A 0-10", "A 3610-3615"]
        ),
        ("0 start; 0 A active; 5 alive; 5 start run=2; 6 A active run=2; 7 stop run=2", ["A 0-5", "A 6-7"]),
        // What a run still does counts up to its last line; the period cuts the first and the last.
        ("-9 start; -9 A active; 5 A background; 86390 A active; 86460 alive", ["A 0-5", "A 86390-86400"]),
    ])
    func aVisitLastsUntilAGap(steps: String, visits: [String]) {
        let journal = TestJournal(steps)
        let report = Report(journal.tally(by: .visit, now: 90_000_000))
        let texts = report.rows.map { row in
            let bounds = row.visit.map { [$0.lowerBound, $0.upperBound] } ?? []
            let times = bounds.map { "\(($0 - TestJournal.start) / 1000)" }.joined(separator: "-")
            return "\(row.application) \(times)" + (row.title.isEmpty ? "" : " \(row.title)")
        }
        #expect(texts == visits)
        #expect(report.rows.allSatisfy { $0.active == $0.visit?.length })
        // Each application has the number of its visits.
        let counts = Report(journal.tally(now: 90_000_000)).rows.filter { $0.visits > 0 }
        let names = visits.map { String($0.prefix(1)) }
        #expect(
            Dictionary(uniqueKeysWithValues: counts.map { ($0.application, $0.visits) })
                == Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +))
    }

    /// A list of visits is as long as memory allows. What it has no room for is counted.
    @Test func visitsBeyondTheLimitAreCounted() {
        let steps = (0..<400).map { "\($0 * 2) A active title=T; \($0 * 2 + 1) A inactive" }
        let window = TestJournal.start..<TestJournal.start + 1_000_000
        let tally = Tally(by: .visit, window: window)
        tally.mostBytes = 50_000
        TestJournal("0 start; " + steps.joined(separator: "; ")).read(into: tally)
        let report = Report(tally)
        #expect(report.rows.count > 200 && report.rows.count < 250)
        #expect(report.rows.count + report.summary.unlisted == 400)
        #expect(report.summary.remarks.last?.hasPrefix("\(report.summary.unlisted) more visits") == true)
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
        ] { #expect(Report(journal.tally(of: names)).texts == totals) }
        #expect(journal.tally(of: ["b", "c*"]).unmatched == [Pattern("c*")])
    }

    /// A window may begin or end within a phase, for example at midnight.
    @Test func onlyTheTimeOfTheWindowCounts() {
        // The file of the next day begins with the complete state.
        var journal = TestJournal(
            "-50 start; -40 A active; 30 A background; 40 start continued; 40 A background; 90 stop")
        #expect(Report(journal.tally()).texts == ["A 30.000/0.000/60.000"])
        #expect(Report(journal.tally(from: 10_000, to: 50_000)).texts == ["A 20.000/0.000/20.000"])
        #expect(Report(journal.tally(from: 90_000, to: 95_000)).texts == [])
        #expect(Report(journal.tally()).summary.skipped[.misplaced] == nil)
        // The previous file may have been removed.
        journal.lines.removeFirst(3)
        #expect(Report(journal.tally()).texts == ["A 0.000/0.000/50.000"])
        // The first part precedes a sleep, and the second one follows it.
        let slept = TestJournal(
            "0 start; 0 A active; 10 alive set=3600 asleep=3600; 15 stop set=3600 asleep=3600")
        #expect(Report(slept.tally(to: 3_000_000)).texts == ["A 10.000/0.000/0.000"])
        #expect(Report(slept.tally(from: 3_600_000)).texts == ["A 5.000/0.000/0.000"])
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
            let report = Report(TestJournal(steps).tally(alive: [1], now: now * 1000))
            #expect(report.texts == [total] && report.summary.hidden == hidden * 1000, "\(steps)")
        }
    }

    @Test func presentApplicationsAreKnownFromRunsThatStillWrite() {
        let journal = TestJournal(
            """
            0 start; 0 start run=2 display=:1; 0 A inactive; 0 Gone active run=2; 0 B active; 30 A active
            40 A active title=new; 50 B -; 60 session lock
            """)
        let present = journal.tally(alive: [1], now: 90_000).present
        #expect(present.map(\.key) == [[":0", "A"]])
        #expect(present.allSatisfy { $0.value == (.active, TestJournal.start + 30_000) })
    }
}

/// Totals of journals with torn, foreign, future, excess or missing lines.
struct BadJournalTests {
    @Test func badLinesAreLeftOutAndCounted() {
        func alive(
            run: String = "1", at time: String = #""2025-11-22T10:03:10.000000Z""#, clock: String = "190.000"
        ) -> String { #"{"kind":"alive","run":\#(run),"time":\#(time),"clock":\#(clock)}"# }
        // Lines that are no lines of a journal, and then such as differ from a valid one in one value.
        let unreadable = [
            #"{"kind":"application","run":1,"time":"2025-11-22T10:0"#, "{}", "null", "\u{0}\u{1}", "hello",
            alive().replacing("alive", with: "later"), alive().replacing(#","clock":190.000"#, with: ""),
            alive().replacing("alive", with: "application").dropLast()
                + #","application":"A","instances":["g\"#,
            alive(run: "99999999999999999999"), alive(run: "1.5"), alive(run: "null"),
            alive(at: #""2025-11-22T10:03:61.000000Z""#), alive(at: #""2026-13-22T10:00:00.000000Z""#),
            alive(at: #""""#), alive(at: "190"), alive(clock: "-1.000"), alive(clock: "1e300"),
            alive(clock: #""190.000""#), alive(clock: #"190.000},{"run":1"#),
            alive(clock: #"190.000,"x":\#(String(repeating: "[", count: 60_000))"#),
        ]
        var journal = TestJournal("0 Orphan active run=9; 0 start; 0 A active; 5 alive")
        // A copy of the file counts once.
        journal.lines += unreadable + journal.lines
        let newer = TestJournal("0 start run=3 display=:3; 0 Newer active run=3").lines
        journal.lines += newer.map { $0.replacing("\"v\":1", with: "\"v\":2,\"new\":true") }
        journal.lines += TestJournal("10 stop; 90000 alive").lines
        let report = Report(journal.tally(to: 20_000, now: 20_000))
        #expect(report.texts == ["A 10.000/0.000/0.000"])
        let summary = report.summary
        #expect(summary.skipped == [.unreadable: 20, .misplaced: 4, .newer: 2, .future: 1])
        #expect(summary.remarks.count == 4)
    }

    /// The calendar was ahead for a while. Nothing reliable covers that period.
    @Test func linesOfATimeToComeAreSkipped() {
        let journal = TestJournal(
            """
            0 start; 0 A active; 10 A background set=7200; 20 B active set=7200
            30 start continued; 30 A background; 30 B active; 40 stop
            """)
        let report = Report(journal.tally(now: 60_000))
        #expect(report.texts == ["B 10.000/0.000/0.000", "A 0.000/0.000/10.000"])
        #expect(report.summary.watched == 10_000)
        let remark = "2 lines were skipped: they are in the future; was the clock wrong?"
        #expect(report.summary.remarks == [remark])
        // Once that time has come, the lines count.
        #expect(Report(journal.tally()).texts == ["B 20.000/0.000/0.000", "A 10.000/0.000/30.000"])
    }

    @Test func unknownKeysArePassedOver() {
        var journal = TestJournal("0 start; 0 NAME active; 1 stop", naming: #"A \"\u0041\u00e9"#)
        let unknown = #","why":"said so","count":-1.5,"flag":true,"none":null,"all":{"of":[1]}}"#
        journal.lines[2] = journal.lines[2].dropLast() + unknown
        #expect(Report(journal.tally()).texts == [#"A "Aé 1.000/0.000/0.000"#])
    }

    @Test func namesBeyondTheLimitShareOneRow() {
        let steps = (0..<20_010).map { "0 A\($0) active" }
        let report = Report(TestJournal("0 start; " + steps.joined(separator: "; ") + "; 1 stop").tally())
        #expect(report.rows.count == 20_001)
        #expect(report.rows.contains { $0.application == "(others)" })
    }
}
