import Console
import PhaseWatch
import Testing

@testable import Journal

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
        return journal.report(by: grouping, from: from, to: to, now: to, of: applications)
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
        #expect(applications.contains("x=\"310\" y=\"164\" width=\"960\" height=\"34\""))
        #expect(applications.contains("width=\"147\" height=\"34\""))
        #expect(applications.contains(">13 h <tspan class=\"soft\">of 37 h</tspan>"))
        #expect(applications.contains(">watched 37 h</text>"))
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
        let report = journal.report(by: .title, of: ["a"])
        #expect(
            report.rows.map { "\(report.name($0)) \($0.all)" } == [
                "two 3000", "one 2000", "(no title) A 1000",
            ])
        #expect(
            String(decoding: report.json, as: UTF8.self).contains(
                "\"application\":\"A\",\"title\":\"two\",\"active\":3.000}"))
        // Without a filter, the report covers all applications.
        #expect(journal.report(by: .title).rows.map(\.title) == ["three", "two", "one", ""])
    }

    @Test func weekdaysAreTheLastOnes() {
        #expect(LocalTime(TestJournal.start).date == "2025-11-22")
        for (word, date) in [
            ("saturday", "2025-11-22"), ("Sun", "2025-11-16"), ("fri", "2025-11-21"), ("sa", nil),
            ("noday", nil),
        ] { #expect(noon.last(weekday: word)?.date == date) }
    }
}
