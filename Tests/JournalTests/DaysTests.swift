import Console
import PhaseWatch
import Testing

@testable import Journal

/// Reports by days, titles and categories. Days come from `LocalTime`, so the tests work in any time zone.
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

    private func report(_ grouping: Report.Grouping, hasDays: Bool = true) -> Report {
        let (journal, midnights) = journal()
        let from = midnights[0].milliseconds - TestJournal.start
        return journal.report(by: grouping, from: from, to: from + 60 * 3_600_000, now: from + 60 * 3_600_000)
        {
            $0.hasDays = hasDays
        }
    }

    @Test func timeIsSplitAtMidnight() {
        let report = report(.day)
        let (_, midnights) = journal()
        #expect(report.rows.map(\.day) == midnights.map(\.milliseconds))
        #expect(report.rows.map { $0.times.active / 3_600_000 } == [12, 1, 1])
        #expect(report.rows.map { $0.times.inactive / 3_600_000 } == [0, 23, 1])
        #expect(report.name(report.rows[0]) == midnights[0].dayName)
        #expect(
            report.csv.hasPrefix(
                "day,active,inactive,background\r\n\(midnights[0].date),43200.000,0.000,0.000\r\n"))
        #expect(
            String(decoding: report.json, as: UTF8.self).contains(
                "\"day\":\"\(midnights[1].date)\",\"active\":3600.000"))
    }

    /// The times of the days add up to those of the whole period.
    @Test func applicationsHaveTheirTimesByDay() {
        let (whole, byDay) = (report(.application, hasDays: false), report(.application))
        #expect(whole.texts == byDay.texts)
        #expect(byDay.rows.map { $0.days.map { $0.active / 3_600_000 } } == [[12, 1, 0], [0, 0, 1]])
        // The quarters of an hour with activity: noon to midnight, then the first hour of each day.
        #expect(byDay.days.map { $0.used.count } == [48, 4, 4])
        #expect(byDay.days[0].used == Set(48..<96))
    }

    @Test func aPictureOfDaysHasABarForEachApplicationAndALineOfHours() {
        let report = report(.application)
        let text = DaysSVG(report).text
        let names = report.days.map { LocalTime($0.start).dayName }
        #expect(text.contains("<title>A, \(names[0]): 12 h</title>"))
        #expect(text.contains("<title>B, \(names[2]): 1 h</title>"))
        // 12 of 24 hours, in a width of 900 pixels.
        #expect(text.contains("<rect class=\"a\" x=\"560\""))
        #expect(text.contains(" width=\"450\" height=\"3\"/>"))
        #expect(text.contains(">12:00</text>"))
        for name in names { #expect(text.contains(">\(name)</text>")) }
    }

    /// Rows are weeks if there are many days, and months if there are many weeks.
    @Test(arguments: [(20, 20...21, true), (100, 14...16, false), (1000, 32...35, false)])
    func aPictureHasNoMoreRowsThanCanBeRead(_ days: Int64, _ rows: ClosedRange<Int>, _ hasHours: Bool) {
        let (journal, midnights) = journal()
        let from = midnights[0].milliseconds - TestJournal.start
        let report = journal.report(from: from, to: from + days * 86_400_000, now: from + days * 86_400_000) {
            $0.hasDays = true
        }
        let text = DaysSVG(report).text
        // Each row has a name, and a total at its end.
        #expect(rows.contains(text.components(of: "class=\"name ink\" x=\"6\"")))
        #expect(text.contains("thin: hours") == hasHours)
    }

    /// The eleventh and all less active applications share a colour.
    @Test func theMostActiveHaveColoursOfTheirOwn() {
        var journal = TestJournal()
        journal.start(0)
        for number in 0..<13 {
            journal.group(Int64(number) * 600_000, "N\(number)", "active")
            journal.group(Int64(number) * 600_000 + Int64(500 - number) * 1000, "N\(number)", "background")
        }
        journal.add("stop", 13 * 600_000)
        let text = DaysSVG(journal.report { $0.hasDays = true }).text
        #expect(text.contains("class=\"p9\"") && text.contains(">3 more<"))
        #expect(!text.contains(">N10<"))
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
        #expect(report.csv.hasPrefix("application,title,active\r\nA,two,3.000\r\n"))
        // Without a filter, the report covers all applications.
        #expect(journal.report(by: .title).rows.map(\.title) == ["three", "two", "one", ""])
    }

    @Test func theFirstCategoryThatMatchesCounts() {
        var journal = TestJournal()
        journal.start(0)
        journal.group(0, "Browser", "active")
        journal.add("title", 2000, #","application":"Browser","group":"g","title":"Issue 7""#)
        journal.group(5000, "Browser", "background")
        journal.group(5000, "Editor", "active")
        journal.group(9000, "Editor", "background")
        journal.group(9000, "Game", "active")
        journal.add("stop", 10_000)
        let report = journal.report(by: .category) {
            $0.categories = [
                Category(name: "work", application: [Pattern("browser")], title: [Pattern("/issue/")]),
                Category(name: "web", application: [Pattern("browser")], title: []),
                Category(name: "work", application: [Pattern("ed*")], title: []),
            ]
        }
        #expect(
            report.rows.map { "\(report.name($0)) \($0.times.active)" } == [
                "work 7000", "web 2000", "(none) 1000",
            ])
        #expect(report.csv.hasPrefix("category,active,inactive,background\r\nwork,7.000,0.000,"))
    }

    /// Of a saving that extends into the window, only the part within it counts.
    @Test func whatReactionsHaveSavedIsAddedUp() throws {
        var journal = TestJournal()
        journal.start(0)
        func saved(_ clock: Int64, _ name: String, _ reaction: String, held: Int, processor: Int) {
            journal.add(
                "saved", clock,
                #","application":"\#(name)","reactions":["\#(reaction)"],"held":\#(held),"processor":\#(processor),"wakeups":1000,"memory":1048576"#
            )
        }
        saved(100_000, "A", "freeze", held: 100, processor: 50)
        saved(200_000, "A", "slow", held: 40, processor: 4)
        saved(300_000, "B", "freeze", held: 10, processor: 9)
        journal.add(
            "saved", 400_000,
            #","application":"C","reactions":[],"held":-1,"processor":1,"wakeups":1,"memory":1"#)
        journal.add(
            "saved", 400_000,
            #","application":"C","reactions":[],"held":1,"processor":1,"wakeups":-1,"memory":1"#)
        journal.add("stop", 500_000)
        let tally = journal.tally(from: 50_000)
        journal.read(into: tally)
        let report = SavingsReport(tally)
        #expect(
            report.csv == "application,reactions,held,processor,wakeups,memory\r\n"
                + "A,freeze slow,90.000,29.000,1500,1572864\r\nB,freeze,10.000,9.000,1000,1048576\r\n")
        #expect(
            String(decoding: report.json, as: UTF8.self).hasSuffix(
                #"{"v":1,"application":"B","reactions":["freeze"],"held":10.000,"processor":9.000,"wakeups":1000,"memory":1048576}"#
                    + "\n"))
        #expect(report.total.processor == .seconds(38))
        #expect(tally.summary.unreadable == 2)
        let one = journal.tally { $0.applications = [Pattern("b")] }
        journal.read(into: one)
        #expect(SavingsReport(one).rows.map(\.application) == ["B"])
    }

    @Test func weekdaysAreTheLastOnes() throws {
        let noon = LocalTime(TestJournal.start).at(hour: 12, minute: 0)
        #expect(LocalTime(TestJournal.start).date == "2025-11-22")
        #expect(noon.last(weekday: "saturday")?.date == "2025-11-22")
        #expect(noon.last(weekday: "Sun")?.date == "2025-11-16")
        #expect(noon.last(weekday: "fri")?.date == "2025-11-21")
        #expect(noon.last(weekday: "sa")?.date == nil && noon.last(weekday: "noday") == nil)
        #expect(noon.week.date == "2025-11-17")
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
