import Console
import Testing

@testable import Journal

struct ReportTests {
    private func journal(_ name: String = "A") -> TestJournal {
        var journal = TestJournal(
            "0 start; 0 NAME active title=TITLE; 0 B inactive; 1800 NAME background; 3600 stop")
        journal.lines = journal.lines.map {
            $0.replacing("NAME", with: name).replacing("TITLE", with: "one & <two>")
        }
        return journal
    }

    @Test func jsonHasALineForEachRow() {
        let lines = String(decoding: journal().report(to: 3_600_000).json, as: UTF8.self)
        let window = #""from":"2025-11-22T10:00:00.000000Z","to":"2025-11-22T11:00:00.000000Z""#
        #expect(
            lines == """
                {"v":1,\(window),"display":":0","application":"A","active":1800.000,"inactive":0.000,"background":1800.000}
                {"v":1,\(window),"display":":0","application":"B","active":0.000,"inactive":3600.000,"background":0.000}

                """)
    }

    private func timeline(
        _ journal: TestJournal, to: Int64 = 3_600_000, isCut: Bool = false
    ) -> (Report, Timeline) {
        let tally = TestJournal.tally(to: to)
        journal.read(into: tally)
        let report = Report(tally)
        return (report, Timeline(of: tally, report, isCut: isCut) { journal.read(into: $0) })
    }

    /// The window extends from the first use to the last, in steps of five minutes. Without any use, nothing is cut.
    @Test func aDayIsCutToWhatWasUsed() {
        let journal = TestJournal("0 start; 0 A background; 3600 A active; 4000 A background; 80000 stop")
        let day = TestJournal.start..<TestJournal.start + 86_400_000
        #expect(timeline(journal, to: 86_400_000).1.window == day)
        #expect(timeline(TestJournal(), to: 86_400_000, isCut: true).1.window == day)
        let (report, cut) = timeline(journal, to: 86_400_000, isCut: true)
        #expect(cut.window == TestJournal.start + 3_600_000..<TestJournal.start + 4_200_000)
        let (active, rest) = (0..<640, 640..<960)
        #expect(
            cut.rows == [[.init(columns: active, phase: .active), .init(columns: rest, phase: .background)]])
        #expect(report.texts == ["A 400.000/0.000/79600.000"])
    }

    /// A column shows the phase with the most time, or the greater phase if times are equal.
    @Test func shortStretchesShareAColumn() {
        let steps = (0..<96).map { $0 % 10 < 7 ? "\($0) A active; \($0).4 A background" : "\($0) A inactive" }
        let journal = TestJournal("0 start; " + steps.joined(separator: "; ") + "; 96 stop")
        #expect(timeline(journal, to: 9_600_000).1.rows == [[.init(columns: 0..<10, phase: .background)]])
    }

    @Test func aTimelineHasTheStretchesOfEachRowAndItsTextsAreNoMarkup() {
        let (report, timeline) = timeline(journal(#"<script>&\u0007"#))
        #expect(
            timeline.rows == [
                [
                    .init(columns: 0..<480, phase: .active, title: "one & <two>"),
                    .init(columns: 480..<960, phase: .background),
                ], [.init(columns: 0..<960, phase: .inactive)],
            ])
        let text = ReportSVG(report, timeline).text
        #expect(!text.contains("<script"))
        #expect(text.contains("one &amp; &lt;two&gt; — &lt;script&gt;&amp;\\u{7}, active, "))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
        // B was never active.
        #expect(text.contains(">- <tspan class=\"soft\">of 1 h</tspan>") && !text.contains(" more<"))
    }

    /// If there are too many rows, the least active share one row with their total.
    @Test func whatHasNoRoomIsCounted() {
        let steps = (0..<43).map { "0 N\($0) background" } + (0..<43).map { "\($0 * 10) N\($0) active" }
        let journal = TestJournal("0 start; " + steps.joined(separator: "; ") + "; 3600 stop")
        let (report, timeline) = timeline(journal)
        let text = ReportSVG(report, timeline).text
        #expect(timeline.rows.count == 40)
        #expect(text.contains(">and 3 more<title>N40, N41, N42</title>"))
        #expect(text.contains(">2 h 40 min <tspan class=\"soft\">of 3 h</tspan>"))
    }

    /// Names are cut by columns; the suffix that distinguishes rows remains.
    @Test func longNamesAreCut() throws {
        let long = "漢字漢字漢字漢字 with a long name"
        var journal = TestJournal(
            "0 start; 0 NAME active; 0 start run=2 display=:1; 0 NAME active run=2; 3600 stop; 3600 stop run=2"
        )
        journal.lines = journal.lines.map { $0.replacing("NAME", with: long) }
        let (report, timeline) = timeline(journal)
        for (row, display) in zip(report.rows, [":0", ":1"]) {
            let shown = report.name(row, columns: 20)
            #expect(shown == "漢字漢字漢字… on \(display)" && shown.columnCount <= 20)
            let label = ">\(shown)<title>\(long) on \(display)</title></text>"
            #expect(ReportSVG(report, timeline).text.contains(label))
        }
    }
}
