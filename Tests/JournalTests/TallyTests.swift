import Console
import PhaseWatch
import Testing

@testable import Journal

struct TallyTests {
    /// An application that matched by an instance still counts after that instance closes.
    @Test func applicationsAreChosenByClassOrInstance() {
        let journal = TestJournal(
            """
            0 start; 0 A active instance=one; 0 B background; 10 A inactive instance=two
            30 A - instance=two; 200 stop
            """)
        #expect(journal.report().texts == ["A 10.000/20.000/0.000", "B 0.000/0.000/200.000"])
        #expect(journal.report().summary.watched == 200_000)
        #expect(journal.report(of: ["ONE"]).texts == ["A 10.000/20.000/0.000"])
        #expect(journal.report(of: ["/^tw/"]).texts == ["A 0.000/20.000/0.000"])
        #expect(journal.report(of: ["b", "c*"]).texts == ["B 0.000/0.000/200.000"])
        let tally = Tally(
            by: .application, window: TestJournal.start..<TestJournal.start + 1,
            applications: [Pattern("b"), Pattern("c*")])
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
    }

    @Test func timeAsleepIsNotCounted() {
        let journal = TestJournal(
            "0 start; 0 A active; 10 alive set=3600 asleep=3600; 15 stop set=3600 asleep=3600")
        let report = journal.report()
        #expect(report.texts == ["A 15.000/0.000/0.000"])
        #expect(report.summary.suspended == 3_600_000)
        #expect(report.summary.steps == 0)
        // The first part precedes the sleep, and the second one follows it.
        #expect(journal.report(to: 3_000_000).texts == ["A 10.000/0.000/0.000"])
        #expect(journal.report(from: 3_600_000).texts == ["A 5.000/0.000/0.000"])
    }

    @Test(arguments: [7200, -7200]) func aClockThatIsSetMakesNoTime(step: Int) {
        let journal = TestJournal(
            "0 start; 0 A active; 20 A background set=\(step); 50 stop set=\(step)")
        let report = journal.report(from: -10_000_000)
        #expect(report.texts == ["A 20.000/0.000/30.000"])
        #expect(report.summary.steps == 1)
    }

    /// A disciplined clock drifts without being set.
    @Test func aSlowDriftIsNoStep() {
        let steps = (0..<100).map {
            "\($0) A \($0 % 2 == 0 ? "active" : "inactive") set=\(Double($0) / 1000)"
        }
        let report = TestJournal("0 start; " + steps.joined(separator: "; ")).report()
        #expect(report.texts == ["A 50.000/49.000/0.000"])
        #expect(report.summary.steps == 0)
    }

    @Test func lockedTimeIsNotCounted() {
        let journal = TestJournal(
            """
            0 start; 0 A active; 0 B background; 10 session lock; 10 A background
            15 session display-off lock; 40 session display-off; 50 session; 50 A active; 60 stop
            """)
        let report = journal.report()
        #expect(report.texts == ["A 20.000/0.000/0.000", "B 0.000/0.000/20.000"])
        #expect(report.summary.hidden == 40_000)
        #expect(report.summary.watched == 20_000)
    }

    @Test func twoDisplaysAreToldApart() {
        let journal = TestJournal(
            """
            0 start; 0 start run=2 display=:1; 0 A active; 0 A inactive run=2; 10 A background run=2
            20 stop; 30 stop run=2
            """)
        #expect(journal.report().texts == ["A on :0 20.000/0.000/0.000", "A on :1 0.000/10.000/20.000"])
    }

    /// A run that no longer exists ends with its last line.
    @Test func aRunWithoutAnEndEndsWhereItWasSeenLast() {
        let journal = TestJournal("0 start; 0 A active; 60 alive")
        #expect(journal.report().texts == ["A 60.000/0.000/0.000"])
        #expect(journal.report(alive: [1], now: 100_000).texts == ["A 100.000/0.000/0.000"])
        // A later run on the same display implies that this one has ended.
        let next = TestJournal("0 start; 0 A active; 60 alive; 80 start run=2; 90 stop run=2")
        #expect(next.report(alive: [1], now: 100_000).texts == ["A 60.000/0.000/0.000"])
    }

    @Test func whatIsThereIsKnownFromRunsThatStillWrite() {
        let journal = TestJournal(
            """
            0 start; 0 start run=2 display=:1; 0 A inactive; 0 Gone active run=2; 0 B active; 30 A active
            40 A active title=new; 50 B -; 60 session lock
            """)
        let tally = Tally(by: .application, window: TestJournal.start..<TestJournal.start + 1)
        journal.read(into: tally, alive: [1], now: 90_000)
        let since = TestJournal.start + 30_000
        #expect(tally.present.map(\.key) == [[":0", "A"]])
        #expect(tally.present.allSatisfy { $0.value == (.active, since) })
    }
}
