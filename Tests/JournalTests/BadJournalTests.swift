import Console
import Testing

@testable import Journal

/// Totals of journals with torn, foreign, future, excess or missing lines.
struct BadJournalTests {
    /// Lines that are no lines of a journal, and then such as differ from a valid one in one value.
    private static let unreadable: [String] = {
        let time = #""time":"2025-11-22T10:03:10.000000Z""#
        return [
            #"{"kind":"application","run":1,"time":"2025-11-22T10:0"#, "{}", "null", "\u{0}\u{1}", "hello",
            #"{"kind":"alive","run":1,"time":"2026-13-22T10:00:00.000000Z","clock":190.000}"#,
            #"{"kind":"later","run":1,\#(time),"clock":190.000}"#,
            #"{"kind":"application","run":1,\#(time),"clock":190.000,"application":"A","instances":["g\"#,
        ]
            + [
                #""run":99999999999999999999,\#(time),"clock":190.000"#,
                #""run":1.5,\#(time),"clock":190.000"#, #""run":null,\#(time),"clock":190.000"#,
                #""run":1,\#(time),"clock":-1.000"#, #""run":1,\#(time),"clock":1e300"#,
                #""run":1,\#(time),"clock":"190.000""#, #""run":1,\#(time)"#,
                #""run":1,"time":"2025-11-22T10:03:61.000000Z","clock":190.000"#,
                #""run":1,"time":"","clock":190.000"#, #""run":1,"time":190,"clock":190.000"#,
                #""run":1,\#(time),"clock":190.000},{"run":1"#,
                #""run":1,\#(time),"clock":190.000,"x":\#(String(repeating: "[", count: 60_000))"#,
            ].map { #"{"kind":"alive",\#($0)}"# }
    }()

    @Test func badLinesAreLeftOutAndCounted() {
        var journal = TestJournal("0 Orphan active run=9; 0 start; 0 A active; 5 alive")
        // A copy of the file counts once.
        journal.lines += Self.unreadable + journal.lines
        let newer = TestJournal("0 start run=3 display=:3; 0 Newer active run=3").lines
        journal.lines += newer.map { $0.replacing("\"v\":1", with: "\"v\":2,\"new\":true") }
        journal.lines += TestJournal("10 stop; 90000 alive").lines
        let report = journal.report(to: 20_000, now: 20_000)
        #expect(report.texts == ["A 10.000/0.000/0.000"])
        let summary = report.summary
        #expect([summary.unreadable, summary.misplaced, summary.newer, summary.future] == [20, 4, 2, 1])
        #expect(summary.remarks.count == 4)
    }

    /// The calendar was ahead for a while. Nothing reliable covers that period.
    @Test func linesOfATimeToComeAreSkipped() {
        let journal = TestJournal(
            """
            0 start; 0 A active; 10 A background set=7200; 20 B active set=7200
            30 start continued; 30 A background; 30 B active; 40 stop
            """)
        let report = journal.report(now: 60_000)
        #expect(report.texts == ["B 10.000/0.000/0.000", "A 0.000/0.000/10.000"])
        #expect(report.summary.watched == 10_000)
        #expect(
            report.summary.remarks == ["2 lines were skipped: they are in the future; was the clock wrong?"])
        // Once that time has come, the lines count.
        #expect(journal.report().texts == ["B 20.000/0.000/0.000", "A 10.000/0.000/30.000"])
    }

    @Test func unknownKeysArePassedOver() {
        var journal = TestJournal("0 start; 0 NAME active; 1 stop")
        journal.lines[1].replace("NAME", with: #"A \"\u0041\u00e9"#)
        let unknown = #","why":"said so","count":-1.5,"flag":true,"none":null,"all":{"of":[1]}}"#
        journal.lines[2] = journal.lines[2].dropLast() + unknown
        #expect(journal.report().texts == [#"A "Aé 1.000/0.000/0.000"#])
    }

    @Test func namesBeyondTheLimitShareOneRow() {
        let steps = (0..<20_010).map { "0 A\($0) active" }
        let report = TestJournal("0 start; " + steps.joined(separator: "; ") + "; 1 stop").report()
        #expect(report.rows.count == 20_001)
        #expect(report.rows.contains { $0.application == "(others)" })
    }
}
