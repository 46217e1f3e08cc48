import Console
import PhaseWatch
import Testing

@testable import Journal

struct TallyTests {
    /// An application that matched by an instance still counts after that instance closes.
    @Test func applicationsAreChosenByClassOrInstance() {
        var journal = TestJournal()
        journal.start(0)
        journal.set(0, "A", "active", instance: "one")
        journal.set(0, "B", "background")
        journal.set(10_000, "A", "inactive", instance: "two")
        journal.set(30_000, "A", nil, instance: "two")
        journal.add("stop", 200_000)
        #expect(journal.report().texts == ["A 10.000/20.000/0.000", "B 0.000/0.000/200.000"])
        #expect(journal.report().summary.watched == 200_000)
        #expect(journal.report(of: "ONE").texts == ["A 10.000/20.000/0.000"])
        #expect(journal.report(of: "/^tw/").texts == ["A 0.000/20.000/0.000"])
        #expect(journal.report(of: "b", "c*").texts == ["B 0.000/0.000/200.000"])
        let tally = Tally(
            by: .application, window: TestJournal.start..<TestJournal.start + 1,
            applications: [Pattern("b"), Pattern("c*")])
        journal.read(into: tally)
        #expect(tally.unmatched == [Pattern("c*")])
    }

    /// A window may begin or end within a phase, for example at midnight.
    @Test func onlyTheTimeOfTheWindowCounts() {
        var journal = TestJournal()
        journal.start(-50_000)
        journal.set(-40_000, "A", "active")
        journal.set(30_000, "A", "background")
        // The file of the next day begins with the complete state.
        journal.start(40_000, isContinued: true)
        journal.set(40_000, "A", "background")
        journal.add("stop", 90_000)
        #expect(journal.report().texts == ["A 30.000/0.000/60.000"])
        #expect(journal.report(from: 10_000, to: 50_000).texts == ["A 20.000/0.000/20.000"])
        #expect(journal.report(from: 90_000, to: 95_000).texts == [])
        #expect(journal.report().summary.misplaced == 0)
        // The previous file may have been removed.
        journal.lines.removeFirst(3)
        #expect(journal.report().texts == ["A 0.000/0.000/50.000"])
    }

    @Test func timeAsleepIsNotCounted() {
        var journal = TestJournal()
        journal.start(0)
        journal.set(0, "A", "active")
        journal.add("alive", 10_000, set: 3_600_000, #","asleep":3600.000"#)
        journal.add("stop", 15_000, set: 3_600_000, #","asleep":3600.000"#)
        let report = journal.report()
        #expect(report.texts == ["A 15.000/0.000/0.000"])
        #expect(report.summary.suspended == 3_600_000)
        #expect(report.summary.steps == 0)
        // The first part precedes the sleep, and the second one follows it.
        #expect(journal.report(to: 3_000_000).texts == ["A 10.000/0.000/0.000"])
        #expect(journal.report(from: 3_600_000).texts == ["A 5.000/0.000/0.000"])
    }

    @Test func aClockThatIsSetMakesNoTime() {
        for step: Int64 in [7_200_000, -7_200_000] {
            var journal = TestJournal()
            journal.start(0)
            journal.set(0, "A", "active")
            journal.set(20_000, "A", "background", set: step)
            journal.add("stop", 50_000, set: step)
            let report = journal.report(from: -10_000_000)
            #expect(report.texts == ["A 20.000/0.000/30.000"])
            #expect(report.summary.steps == 1)
        }
    }

    /// A disciplined clock drifts without being set.
    @Test func aSlowDriftIsNoStep() {
        var journal = TestJournal()
        journal.start(0)
        for second: Int64 in 0..<100 {
            journal.set(second * 1000, "A", second % 2 == 0 ? "active" : "inactive", set: second)
        }
        let report = journal.report()
        #expect(report.texts == ["A 50.000/49.000/0.000"])
        #expect(report.summary.steps == 0)
    }

    @Test func lockedTimeIsNotCounted() {
        var journal = TestJournal()
        journal.start(0)
        journal.set(0, "A", "active")
        journal.set(0, "B", "background")
        journal.add("session", 10_000, #","states":["lock"]"#)
        journal.set(10_000, "A", "background")
        journal.add("session", 15_000, #","states":["display-off","lock"]"#)
        journal.add("session", 40_000, #","states":["display-off"]"#)
        journal.add("session", 50_000, #","states":[]"#)
        journal.set(50_000, "A", "active")
        journal.add("stop", 60_000)
        let report = journal.report()
        #expect(report.texts == ["A 20.000/0.000/0.000", "B 0.000/0.000/20.000"])
        #expect(report.summary.hidden == 40_000)
        #expect(report.summary.watched == 20_000)
    }

    @Test func twoDisplaysAreToldApart() {
        var journal = TestJournal()
        journal.start(0)
        journal.start(0, run: 2, display: ":1")
        journal.set(0, "A", "active")
        journal.set(0, "A", "inactive", run: 2)
        journal.set(10_000, "A", "background", run: 2)
        journal.add("stop", 20_000)
        journal.add("stop", 30_000, run: 2)
        #expect(journal.report().texts == ["A on :0 20.000/0.000/0.000", "A on :1 0.000/10.000/20.000"])
    }

    /// A run that no longer exists ends with its last line.
    @Test func aRunWithoutAnEndEndsWhereItWasSeenLast() {
        var journal = TestJournal()
        journal.start(0)
        journal.set(0, "A", "active")
        journal.add("alive", 60_000)
        #expect(journal.report().texts == ["A 60.000/0.000/0.000"])
        #expect(journal.report(alive: [1], now: 100_000).texts == ["A 100.000/0.000/0.000"])
        // A later run on the same display implies that this one has ended.
        journal.start(80_000, run: 2)
        journal.add("stop", 90_000, run: 2)
        #expect(journal.report(alive: [1], now: 100_000).texts == ["A 60.000/0.000/0.000"])
    }

    @Test func whatIsThereIsKnownFromRunsThatStillWrite() {
        var journal = TestJournal()
        journal.start(0)
        journal.start(0, run: 2, display: ":1")
        journal.set(0, "A", "inactive")
        journal.set(0, "Gone", "active", run: 2)
        journal.set(0, "B", "active")
        journal.set(30_000, "A", "active")
        journal.set(40_000, "A", "active", title: "new")
        journal.set(50_000, "B", nil)
        journal.add("session", 60_000, #","states":["lock"]"#)
        let tally = Tally(by: .application, window: TestJournal.start..<TestJournal.start + 1)
        journal.read(into: tally, alive: [1], now: 90_000)
        let since = TestJournal.start + 30_000
        #expect(
            tally.present == [PresentApplication(display: ":0", name: "A", phase: .active, since: since)])
    }
}
