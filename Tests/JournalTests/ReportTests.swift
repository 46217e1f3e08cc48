import Console
import Testing

@testable import Journal

struct ReportTests {
    private func journal(_ name: String = "A") -> Written {
        var journal = Written()
        journal.start(0)
        journal.group(0, name, "active")
        journal.add("title", 0, #","application":"\#(name)","group":"g","title":"one & <two>""#)
        journal.group(0, "B", "inactive")
        journal.group(1_800_000, name, "background")
        journal.add("stop", 3_600_000)
        return journal
    }

    @Test func csvQuotesWhatItMust() {
        let report = journal(#"=A,\"x\"\u001b"#).report()
        #expect(
            report.csv
                == "display,application,active,inactive,background\r\n"
                + ":0,\"'=A,\"\"x\"\"\\e\",1800.000,0.000,1800.000\r\n:0,B,0.000,3600.000,0.000\r\n")
        #expect(
            journal().report(by: .phase).csv
                == "phase,time\r\nactive,1800.000\r\ninactive,3600.000\r\nbackground,1800.000\r\n")
    }

    @Test func jsonHasALineForEachRow() {
        let lines = String(decoding: journal().report(by: .group, to: 3_600_000).json, as: UTF8.self)
        let window = #""from":"2025-11-22T10:00:00.000000Z","to":"2025-11-22T11:00:00.000000Z""#
        #expect(
            lines == """
                {"v":1,\(window),"display":":0","application":"A","group":"g","active":1800.000,"inactive":0.000,"background":1800.000}
                {"v":1,\(window),"display":":0","application":"B","group":"g","active":0.000,"inactive":3600.000,"background":0.000}

                """)
    }

    private func timeline(_ journal: Written, to: Int64 = 3_600_000) -> (Report, Timeline) {
        let tally = journal.tally(to: to)
        journal.read(into: tally)
        let report = Report(tally, by: .application)
        return (report, Timeline(of: tally, report) { journal.read(into: tally) })
    }

    @Test func aTimelineHasTheStretchesOfEachRow() {
        let (_, timeline) = timeline(journal())
        #expect(
            timeline.rows == [
                [
                    .init(columns: 0..<480, phase: .active, title: "one & <two>"),
                    .init(columns: 480..<960, phase: .background),
                ], [.init(columns: 0..<960, phase: .inactive)],
            ])
    }

    /// The phase with the most time has the column, and of two the greater one.
    @Test func shortStretchesShareAColumn() {
        var journal = Written()
        journal.start(0)
        for second: Int64 in 0..<96 {
            journal.group(second * 1000, "A", second % 10 < 7 ? "active" : "inactive")
            if second % 10 < 7 { journal.group(second * 1000 + 400, "A", "background") }
        }
        journal.add("stop", 96_000)
        let (_, timeline) = timeline(journal, to: 9_600_000)
        #expect(timeline.rows == [[.init(columns: 0..<10, phase: .background)]])
    }

    @Test func namesAndTitlesAreNoMarkup() {
        let (report, timeline) = timeline(journal(#"<script>&\u0007"#))
        let text = TimelineSVG(report, timeline).text
        #expect(!text.contains("<script"))
        #expect(text.contains("one &amp; &lt;two&gt; — &lt;script&gt;&amp;\\u{7}, active, "))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    }

    @Test func marksOfTheAxisNeverComeTooClose() {
        let hour: Int64 = 3_600_000
        for length in [hour / 2, hour, 5 * hour, 24 * hour, 80 * hour, 24 * 31 * hour, 24 * 4000 * hour] {
            let ticks = Ticks.of(Written.start..<Written.start + length)
            #expect((2...14).contains(ticks.count), "\(length / hour) h: \(ticks.count)")
        }
    }
}
