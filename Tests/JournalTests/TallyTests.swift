import Console
import Loop
import Testing

@testable import Journal

/// What a journal of the test's own adds up to. Moments are seconds after 2025-11-22 10:00 UTC.
struct Written {
    static let start: Int64 = 1_763_805_600_000
    var lines: [String] = []

    /// - Parameters:
    ///   - clock: Of the run, in milliseconds; `set` is how far the calendar is ahead of it.
    mutating func add(_ kind: String, _ clock: Int64, set: Int64 = 0, run: Int = 1, _ rest: String = "") {
        let time = Self.start + clock + set
        let text = TimeText.utc(
            Timestamp(seconds: Int(time / 1000), nanoseconds: Int(time % 1000) * 1_000_000))
        let seconds = TimeText.seconds(.milliseconds(clock + 100_000))
        lines.append(
            #"{"kind":"\#(kind)","run":\#(run),"time":"\#(text)","clock":\#(seconds)\#(rest)}"#)
    }

    mutating func start(
        _ clock: Int64, set: Int64 = 0, run: Int = 1, display: String = ":0", isContinued: Bool = false
    ) {
        add(
            "start", clock, set: set, run: run,
            #","v":1,"display":"\#(display)","boot":"b","pid":\#(run),"ticks":7,"continued":\#(isContinued)"#)
    }

    mutating func group(
        _ clock: Int64, _ name: String, _ phase: String?, set: Int64 = 0, run: Int = 1, group: String = "g"
    ) {
        let to = phase.map { "\"\($0)\"" } ?? "null"
        add(
            "group", clock, set: set, run: run,
            #","application":"\#(name)","group":"\#(group)","to":\#(to),"cause":"focus""#)
    }

    func report(
        by grouping: Report.Grouping = .application, from: Int64 = 0, to: Int64 = 86_400_000,
        alive: Set<Int> = [], now: Int64 = 86_400_000
    ) -> Report {
        let tally = tally(by: grouping, from: from, to: to)
        read(into: tally, alive: alive, now: now)
        return Report(tally, by: grouping)
    }

    func tally(by grouping: Report.Grouping = .application, from: Int64 = 0, to: Int64 = 86_400_000) -> Tally
    {
        Tally(level: grouping == .group ? .group : .application, window: Self.start + from..<Self.start + to)
    }

    func read(into tally: Tally, alive: Set<Int> = [], now: Int64 = 86_400_000) {
        for line in lines {
            Array(line.utf8).withUnsafeBufferPointer { tally.add($0, now: Self.start + now) }
        }
        tally.finish(now: (Self.start + now, now + 100_000)) { alive.contains($0.pid) && $0.boot == "b" }
    }
}

extension Report {
    /// `name active/inactive/background` of each row, in seconds.
    var texts: [String] {
        rows.map { row in
            let times = [row.times.active, row.times.inactive, row.times.background]
            return "\(name(row)) \(times.map { TimeText.seconds(.milliseconds($0)) }.joined(separator: "/"))"
        }
    }
}

struct TallyTests {
    @Test func anApplicationHasTheGreatestPhaseOfItsGroups() {
        var journal = Written()
        journal.start(0)
        journal.group(0, "A", "active", group: "one")
        journal.group(0, "A", "inactive", group: "two")
        journal.group(10_000, "A", "background", group: "one")
        journal.group(30_000, "A", "background", group: "two")
        journal.group(60_000, "A", nil, group: "one")
        journal.group(100_000, "A", nil, group: "two")
        journal.add("stop", 200_000)
        #expect(journal.report().texts == ["A 10.000/20.000/70.000"])
        #expect(
            journal.report(by: .group).texts == ["A/one 10.000/0.000/50.000", "A/two 0.000/30.000/70.000"])
        #expect(
            journal.report(by: .phase).texts
                == [
                    "active 10.000/0.000/0.000", "inactive 0.000/20.000/0.000",
                    "background 0.000/0.000/70.000",
                ])
        #expect(journal.report().summary.watched == 200_000)
    }

    /// A window that begins in the midst of a phase, and one that ends there, over midnight say.
    @Test func onlyTheTimeOfTheWindowCounts() {
        var journal = Written()
        journal.start(-50_000)
        journal.group(-40_000, "A", "active")
        journal.group(30_000, "A", "background")
        // The file of the next day begins with all that is there.
        journal.start(40_000, isContinued: true)
        journal.group(40_000, "A", "background")
        journal.add("stop", 90_000)
        #expect(journal.report().texts == ["A 30.000/0.000/60.000"])
        #expect(journal.report(from: 10_000, to: 50_000).texts == ["A 20.000/0.000/20.000"])
        #expect(journal.report(from: 90_000, to: 95_000).texts == [])
        #expect(journal.report().summary.duplicates == 0)
        // The file before may be gone.
        journal.lines.removeFirst(3)
        #expect(journal.report().texts == ["A 0.000/0.000/50.000"])
    }

    @Test func aSleepIsNobodysTime() {
        var journal = Written()
        journal.start(0)
        journal.group(0, "A", "active")
        journal.add("resumed", 10_000, set: 3_600_000, #","slept":3600.000"#)
        journal.add("stop", 15_000, set: 3_600_000)
        let report = journal.report()
        #expect(report.texts == ["A 15.000/0.000/0.000"])
        #expect(report.summary.suspended == 3_600_000)
        #expect(report.summary.steps == 0)
        // The first part lies before the sleep, the other one behind it.
        #expect(journal.report(to: 3_000_000).texts == ["A 10.000/0.000/0.000"])
        #expect(journal.report(from: 3_600_000).texts == ["A 5.000/0.000/0.000"])
    }

    @Test func aClockThatIsSetMakesNoTime() {
        for step: Int64 in [7_200_000, -7_200_000] {
            var journal = Written()
            journal.start(0)
            journal.group(0, "A", "active")
            journal.group(20_000, "A", "background", set: step)
            journal.add("stop", 50_000, set: step)
            let report = journal.report(from: -10_000_000)
            #expect(report.texts == ["A 20.000/0.000/30.000"])
            #expect(report.summary.steps == 1)
        }
    }

    /// A clock that is disciplined drifts without being set.
    @Test func aSlowDriftIsNoStep() {
        var journal = Written()
        journal.start(0)
        for second: Int64 in 0..<100 {
            journal.group(second * 1000, "A", second % 2 == 0 ? "active" : "inactive", set: second)
        }
        let report = journal.report()
        #expect(report.texts == ["A 50.000/49.000/0.000"])
        #expect(report.summary.steps == 0)
    }

    @Test func lockedTimeIsNobodys() {
        var journal = Written()
        journal.start(0)
        journal.group(0, "A", "active")
        journal.group(0, "B", "background")
        journal.add("session", 10_000, #","state":"lock","on":true"#)
        journal.group(10_000, "A", "background")
        journal.add("session", 15_000, #","state":"display-off","on":true"#)
        journal.add("session", 40_000, #","state":"lock","on":false"#)
        journal.add("session", 50_000, #","state":"display-off","on":false"#)
        journal.group(50_000, "A", "active")
        journal.add("stop", 60_000)
        let report = journal.report()
        #expect(report.texts == ["A 20.000/0.000/0.000", "B 0.000/0.000/20.000"])
        #expect(report.summary.hidden == 40_000)
        #expect(report.summary.watched == 20_000)
    }

    @Test func twoDisplaysAreToldApart() {
        var journal = Written()
        journal.start(0)
        journal.start(0, run: 2, display: ":1")
        journal.group(0, "A", "active")
        journal.group(0, "A", "inactive", run: 2)
        journal.group(10_000, "A", "background", run: 2)
        journal.add("stop", 20_000)
        journal.add("stop", 30_000, run: 2)
        #expect(journal.report().texts == ["A on :0 20.000/0.000/0.000", "A on :1 0.000/10.000/20.000"])
    }

    /// It ends with its last line, if it is not there any longer.
    @Test func aRunWithoutAnEndEndsWhereItWasSeenLast() {
        var journal = Written()
        journal.start(0)
        journal.group(0, "A", "active")
        journal.add("alive", 60_000)
        #expect(journal.report().texts == ["A 60.000/0.000/0.000"])
        #expect(journal.report(alive: [1], now: 100_000).texts == ["A 100.000/0.000/0.000"])
        // Another one on its display shows that it has ended.
        journal.start(80_000, run: 2)
        journal.add("stop", 90_000, run: 2)
        #expect(journal.report(alive: [1], now: 100_000).texts == ["A 60.000/0.000/0.000"])
    }

    @Test func aCopyOfTwoRunsCountsOnce() {
        var journal = Written()
        journal.start(0)
        journal.group(0, "A", "active")
        journal.start(20_000, run: 2)
        journal.group(20_000, "A", "active", run: 2)
        journal.add("stop", 40_000, run: 2)
        let copied = journal.lines.count
        journal.lines += journal.lines
        let report = journal.report()
        #expect(report.texts == ["A 20.000/0.000/0.000"])
        #expect(report.summary.duplicates == copied)
    }

    @Test func badLinesAreLeftOutAndCounted() {
        var journal = Written()
        journal.group(0, "Orphan", "active", run: 9)
        journal.start(0)
        journal.group(0, "A", "active")
        journal.add("alive", 5000)
        let copies = journal.lines
        journal.lines += [
            #"{"kind":"group","run":1,"time":"2025-11-22T10:0"#, "{}", "null", "\u{0}\u{1}", "hello",
            #"{"kind":"group","run":99999999999999999999,"time":"2025-11-22T10:00:00.000000Z","clock":1.000}"#,
            #"{"kind":"alive","run":1,"time":"2026-13-22T10:00:00.000000Z","clock":190.000}"#,
            #"{"kind":"later","run":1,"time":"2025-11-22T10:00:00.000000Z","clock":190.000}"#,
            #"{"kind":"group","run":1,"time":"2025-11-22T10:00:00.000000Z","clock":190.000,"application":"A","group":"g\"#,
        ]
        journal.lines += copies
        journal.start(0, run: 3, display: ":3")
        journal.lines[journal.lines.count - 1].replace("\"v\":1", with: "\"v\":2,\"new\":true")
        journal.group(0, "Newer", "active", run: 3)
        journal.add("alive", 90_000_000, run: 1)
        journal.add("stop", 10_000, set: 0)
        let summary = journal.report(now: 20_000).summary
        #expect(journal.report(to: 20_000, now: 20_000).texts == ["A 20.000/0.000/0.000"])
        #expect(summary.unreadable == 9)
        #expect(summary.duplicates == 3)
        #expect(summary.orphans == 2)
        #expect(summary.newer == 2)
        #expect(summary.future == 1)
        #expect(summary.remarks.count == 5)
    }

    @Test func unknownKeysArePassedOver() {
        var journal = Written()
        journal.start(0)
        journal.group(0, #"A \"\u0041\u00e9"#, "active")
        journal.add("stop", 1000, #","why":"said so","count":-1.5,"flag":true,"none":null"#)
        #expect(journal.report().texts == [#"A "Aé 1.000/0.000/0.000"#])
    }

    @Test func manyNamesShareOne() {
        var journal = Written()
        journal.start(0)
        for number in 0..<20_010 { journal.group(0, "A\(number)", "active") }
        journal.add("stop", 1000)
        let report = journal.report()
        #expect(report.rows.count == 20_001)
        #expect(report.rows.contains { $0.application == "(others)" })
    }
}
