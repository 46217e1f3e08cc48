import Console
import PhaseWatch
import Testing

@testable import Journal

struct ReportTests {
    private let journal = TestJournal(
        "0 start; 0 NAME active title=one&<two>; 0 B inactive; 1800 NAME background; 3600 stop",
        naming: #"<script>&\u0007"#)

    @Test func jsonHasALineForEachRow() {
        let lines = String(decoding: Report(journal.tally(to: 3_600_000)).json, as: UTF8.self)
        let window = #""from":"2025-11-22T10:00:00.000000Z","to":"2025-11-22T11:00:00.000000Z""#
        #expect(
            lines == """
                {"v":1,\(window),"display":":0","application":"<script>&\\u0007","active":1800.000,"inactive":0.000,"background":1800.000,"visits":1}
                {"v":1,\(window),"display":":0","application":"B","active":0.000,"inactive":3600.000,"background":0.000,"visits":0}

                """)
    }

    private func timeline(
        _ journal: TestJournal, to: Int64 = 3_600_000, isCut: Bool = false
    ) -> (Report, Timeline) {
        let tally = journal.tally(to: to)
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
        let (report, timeline) = timeline(journal)
        #expect(
            timeline.rows == [
                [
                    .init(columns: 0..<480, phase: .active, title: "one&<two>"),
                    .init(columns: 480..<960, phase: .background),
                ], [.init(columns: 0..<960, phase: .inactive)],
            ])
        let text = ReportSVG(report, timeline).text
        #expect(!text.contains("<script"))
        #expect(text.contains("one&amp;&lt;two&gt; — &lt;script&gt;&amp;\\u{7}, active, "))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
        // B was never active.
        #expect(text.contains(">- <tspan class=\"soft\">of 1 h</tspan>") && !text.contains(" more<"))
    }

    /// If there are too many rows, the least active share one row with their total.
    @Test func rowsWithoutRoomInAPictureAreCounted() {
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
        let (report, timeline) = timeline(
            TestJournal(
                "0 start; 0 NAME active; 0 start run=2 display=:1; 0 NAME active run=2; 9 stop; 9 stop run=2",
                naming: long))
        for (row, display) in zip(report.rows, [":0", ":1"]) {
            let shown = report.name(row, columns: 20)
            #expect(shown == "漢字漢字漢字… on \(display)" && shown.columnCount <= 20)
            let label = ">\(shown)<title>\(long) on \(display)</title></text>"
            #expect(ReportSVG(report, timeline).text.contains(label))
        }
    }
}

/// Reports by days and titles, and the picture of several days. Days come from `LocalTime`, so the tests work in any time zone.
struct DaysTests {
    private static let hour: Int64 = 3_600_000
    private let noon = LocalTime(TestJournal.start).at(hour: 12)

    /// Reports a journal from noon on, in which A is in use for 13 hours, and B for another one two days later.
    private func report(_ grouping: Report.Grouping, of applications: String...) -> Report {
        let noon = (noon.milliseconds - TestJournal.start) / 1000
        func at(_ hour: Int64) -> Int64 { noon + 3600 * hour }
        let journal = TestJournal(
            """
            \(at(0)) start; \(at(0)) A active; \(at(0)) Quiet background; \(at(6)) B active
            \(at(7)) B background; \(at(13)) A inactive; \(at(36)) B active; \(at(37)) stop
            """)
        let from = self.noon.day().milliseconds - TestJournal.start
        let to = from + 60 * Self.hour
        return Report(journal.tally(by: grouping, from: from, to: to, now: to, of: applications))
    }

    /// Two applications are active at once under some policies, and the time in which both are counts once.
    @Test func aDayHasItsTimeInUse() {
        let report = report(.day)
        #expect(report.rows.map(\.day) == (0...2).map { noon.day($0).milliseconds })
        #expect(report.rows.map { $0.all / Self.hour } == [12, 1, 1])
        #expect(report.name(report.rows[0]) == noon.text("%a %-d %b"))
        #expect(report.period.hasSuffix(" 12:00"))
        let json = String(decoding: report.json, as: UTF8.self)
        #expect(json.contains("\"day\":\"\(noon.day(1).date)\",\"active\":3600.000}"))
        #expect(self.report(.day, of: "b").rows.map { $0.all / Self.hour } == [1, 0, 1])
    }

    @Test func aPictureOfDaysHasABarWithItsTotalForEachRow() {
        let applications = ReportSVG(report(.application), nil).text
        // The most active fills the width of 960 units.
        for text in [
            #"x="310" y="164" width="960" height="34""#, #"width="147" height="34""#,
            #">13 h <tspan class="soft">of 37 h</tspan>"#, ">watched 37 h</text>",
        ] { #expect(applications.contains(text)) }
        let report = report(.day)
        let days = ReportSVG(report, nil).text
        for row in report.rows { #expect(days.contains(">\(report.name(row))<title>")) }
        #expect(days.contains(">12 h</text>"))
    }

    @Test func titlesAreThoseOfTheActiveScene() {
        let journal = TestJournal(
            """
            0 start; 0 A active; 1 A active title=one; 3 A active title=two; 4 A background title=two
            4 B active title=three; 9 A active title=two; 11 stop
            """)
        let report = Report(journal.tally(by: .title, of: ["a"]))
        let rows = report.rows.map { "\(report.name($0)) \($0.all)" }
        #expect(rows == ["two 3000", "one 2000", "(no title) A 1000"])
        let json = String(decoding: report.json, as: UTF8.self)
        #expect(json.contains(#""application":"A","title":"two","active":3.000}"#))
        // Without a filter, the report covers all applications, and names them.
        let all = Report(journal.tally(by: .title))
        #expect(all.rows.map { all.name($0) } == ["B: three", "A: two", "A: one", "(no title) A"])
    }

    @Test func eachVisitIsALineWithItsOwnTimes() {
        let journal = TestJournal("0 start; 0 A active; 5 B active title=b; 5 A background; 60 stop")
        let report = Report(journal.tally(by: .visit))
        let lines = String(decoding: report.json, as: UTF8.self)
        func time(_ clock: String) -> String { "\"2025-11-22T10:\(clock).000000Z\"" }
        #expect(
            lines == """
                {"v":1,"from":\(time("00:00")),"to":\(time("00:05")),"display":":0","application":"A","title":null,"active":5.000}
                {"v":1,"from":\(time("00:05")),"to":\(time("01:00")),"display":":0","application":"B","title":"b","active":55.000}

                """)
    }

    @Test func weekdaysAreTheLastOnes() {
        #expect(LocalTime(TestJournal.start).date == "2025-11-22")
        for (word, date) in [
            ("saturday", "2025-11-22"), ("Sun", "2025-11-16"), ("fri", "2025-11-21"), ("sa", nil),
            ("noday", nil),
        ] { #expect(noon.last(weekday: word)?.date == date) }
    }
}
