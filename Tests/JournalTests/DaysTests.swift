import Console
import PhaseWatch
import Testing

@testable import Journal

/// Reports by days and titles, and the picture of several days. Days come from `LocalTime`, so the tests work in any time zone.
struct DaysTests {
    /// Returns a journal from noon on, with one hour of activity after each midnight.
    private func journal() -> (TestJournal, midnights: [LocalTime]) {
        let noon = LocalTime(TestJournal.start).at(hour: 12, minute: 0)
        var journal = TestJournal()
        let start = noon.milliseconds - TestJournal.start
        journal.start(start)
        journal.group(start, "A", "active")
        journal.group(start + 13 * 3_600_000, "A", "inactive")
        journal.group(start + 36 * 3_600_000, "B", "active")
        journal.add("stop", start + 37 * 3_600_000)
        return (journal, (0...2).map { noon.day($0) })
    }

    private func report(_ grouping: Report.Grouping) -> Report {
        let (journal, midnights) = journal()
        let from = midnights[0].milliseconds - TestJournal.start
        return journal.report(by: grouping, from: from, to: from + 60 * 3_600_000, now: from + 60 * 3_600_000)
    }

    @Test func timeIsSplitAtMidnight() {
        let report = report(.day)
        let (_, midnights) = journal()
        #expect(report.rows.map(\.day) == midnights.map(\.milliseconds))
        #expect(report.rows.map { $0.times.active / 3_600_000 } == [12, 1, 1])
        #expect(report.rows.map { $0.times.inactive / 3_600_000 } == [0, 23, 1])
        #expect(report.name(report.rows[0]) == midnights[0].dayName)
        #expect(
            String(decoding: report.json, as: UTF8.self).contains(
                "\"day\":\"\(midnights[1].date)\",\"active\":3600.000"))
    }

    @Test func aPictureOfDaysHasABarWithItsTotalForEachRow() {
        let applications = ReportSVG(report(.application), nil).text
        // The most active fills the width of 960 pixels.
        #expect(applications.contains("x=\"170\" y=\"58\" width=\"960\" height=\"20\""))
        #expect(applications.contains("width=\"73\" height=\"20\""))
        #expect(applications.contains(">13 h <tspan class=\"soft\">of 37 h</tspan>"))
        let report = report(.day)
        let days = ReportSVG(report, nil).text
        for row in report.rows { #expect(days.contains(">\(report.name(row))<title>")) }
        #expect(days.contains(">12 h <tspan class=\"soft\">of 12 h</tspan>"))
    }

    @Test func titlesAreReportedForOneApplication() {
        var journal = TestJournal()
        journal.start(0)
        func title(_ clock: Int64, _ name: String, _ title: String) {
            journal.add("title", clock, #","application":"\#(name)","group":"g","title":"\#(title)""#)
        }
        journal.group(0, "A", "active")
        title(1000, "A", "one")
        title(3000, "A", "two")
        journal.group(4000, "A", "background")
        journal.group(4000, "B", "active")
        title(4000, "B", "three")
        journal.group(9000, "A", "active")
        journal.add("stop", 11_000)
        let report = journal.report(by: .title) { $0.applications = [Pattern("a")] }
        #expect(
            report.rows.map { "\(report.name($0)) \($0.times.active)" } == [
                "two 3000", "one 2000", "(no title) 1000",
            ])
        #expect(
            String(decoding: report.json, as: UTF8.self).contains(
                "\"application\":\"A\",\"title\":\"two\",\"active\":3.000}"))
        // Without a filter, the report covers all applications.
        #expect(journal.report(by: .title).rows.map(\.title) == ["three", "two", "one", ""])
    }

    @Test func weekdaysAreTheLastOnes() throws {
        let noon = LocalTime(TestJournal.start).at(hour: 12, minute: 0)
        #expect(LocalTime(TestJournal.start).date == "2025-11-22")
        #expect(noon.last(weekday: "saturday")?.date == "2025-11-22")
        #expect(noon.last(weekday: "Sun")?.date == "2025-11-16")
        #expect(noon.last(weekday: "fri")?.date == "2025-11-21")
        #expect(noon.last(weekday: "sa")?.date == nil && noon.last(weekday: "noday") == nil)
    }
}
