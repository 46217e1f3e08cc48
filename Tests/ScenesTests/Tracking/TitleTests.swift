import Testing

@testable import Scenes

/// When a title is reported.
@Suite struct TitleTests {
    private func timeline(settle: Int = 100) -> Timeline {
        Timeline("a", "b", focus: "a", settle: settle) { timeline in
            timeline.tracker.reportsTitles = true
            timeline.arrange { desktop in
                for window in desktop.windows.windows { desktop.edit(window.id.xid) { $0.title = "old" } }
            }
        }
    }

    @Test func aTitleIsReportedWhenItHasHeldStill() {
        var timeline = timeline()
        #expect(timeline.started == ["a initial active start", "b initial inactive start"])
        #expect(timeline.edit("a") { $0.title = "new" }.isEmpty)
        #expect(timeline.wait(249).isEmpty)
        #expect(timeline.wait(1) == ["a title active→active title"])
        #expect(timeline.changes(.scene).last.flatMap(\.title) == "new")
        #expect(timeline.changes(.scene).last?.held == .milliseconds(250))
        #expect(timeline.wait(10_000).isEmpty && timeline.wake == nil)
    }

    @Test func oneThatNeverHoldsStillIsReportedOnceASecond() {
        var timeline = timeline()
        var reported: [String?] = []
        for number in 1...95 {
            timeline.edit("a") { $0.title = "\(number)" }
            if !timeline.wait(100).isEmpty { reported.append(timeline.changes(.scene).last?.title) }
        }
        #expect(reported == (1...9).map { "\(10 * $0)" })
        #expect(timeline.wait(1_000) == ["a title active→active title"])
        #expect(timeline.changes(.scene).last?.title == "95")
    }

    /// The title settles after each change, but changes again within a second.
    @Test func oneThatChangesEveryFourTenthsOfASecondIsReportedOnceASecond() {
        var timeline = timeline()
        var times: [Int64] = []
        for step in 0..<1_000 {
            if step.isMultiple(of: 40) { timeline.edit("a") { $0.title = "\(step)" } }
            if !timeline.wait(10).isEmpty { times.append(timeline.now) }
        }
        #expect((9...11).contains(times.count))
        for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= 1_000_000_000) }
        timeline.wait(1_000)
        #expect(timeline.changes(.scene).last?.title == "960")
    }

    @Test func oneThatBlinksIsReportedOnceASecond() {
        var timeline = timeline()
        var reported: [String?] = []
        for number in 1...100 {
            let lines = timeline.edit("a") { $0.title = number % 2 == 0 ? "old" : "new" }
            if !(lines + timeline.wait(100)).isEmpty { reported.append(timeline.changes(.scene).last?.title) }
        }
        #expect(reported.count >= 8 && reported.count <= 10 && Set(reported) == ["old", "new"])
        // The last report has the title that was read last.
        timeline.wait(1_000)
        #expect(timeline.changes(.scene).last?.title == "old" && timeline.wake == nil)
    }

    @Test func aTitleIsReportedAtOnceAfterFlashesThatWereNot() {
        var timeline = timeline()
        for _ in 1...20 {
            timeline.edit("a") { $0.title = "new" }
            timeline.wait(50)
            timeline.edit("a") { $0.title = "old" }
            #expect(timeline.wait(400).isEmpty)
        }
        timeline.edit("a") { $0.title = "new" }
        #expect(timeline.wait(249).isEmpty && timeline.wait(1) == ["a title active→active title"])
    }

    /// The last line about a subject must be true.
    @Test func aTitleThatAPhaseLineShowedIsReportedWhenItChangesBack() {
        var timeline = timeline()
        timeline.edit("b") { $0.title = "new" }
        timeline.focus("b")
        #expect(timeline.wait(100) == ["a active→inactive blur", "b inactive→active focus"])
        #expect(timeline.changes(.scene).last?.title == "new")
        timeline.edit("b") { $0.title = "old" }
        #expect(timeline.wait(10_000) == ["b title active→active title"])
        #expect(timeline.changes(.scene).last?.title == "old" && timeline.wake == nil)
    }

    @Test func aTitleThatChangesBackIsNotReported() {
        var timeline = timeline()
        timeline.edit("a") { $0.title = "new" }
        timeline.wait(200)
        timeline.edit("a") { $0.title = "old" }
        #expect(timeline.wait(10_000).isEmpty)
        timeline.edit("a") { $0.title = nil }
        #expect(timeline.wait(250) == ["a title active→active title"])
    }

    @Test func oneThatChangesWithAPhaseIsReportedAllTheSame() {
        var timeline = timeline()
        timeline.edit("b") { $0.title = "new" }
        timeline.focus("b")
        #expect(
            timeline.wait(10_000) == [
                "a active→inactive blur", "b inactive→active focus", "b title active→active title",
            ])
        #expect(timeline.changes(.scene).last?.title == "new")
    }

    @Test func onlyTheLaterTitlesOfAWindowThatOpensAreReported() {
        var timeline = timeline()
        timeline.open("c")
        timeline.edit("c") { $0.title = "first" }
        #expect(timeline.wait(10_000) == ["c opened inactive open"])
        timeline.edit("c") { $0.title = "second" }
        #expect(timeline.wait(10_000) == ["c title inactive→inactive title"])
        timeline.edit("c") { $0.title = "third" }
        timeline.destroy("c")
        #expect(timeline.wait(10_000).filter { $0.contains("title") }.isEmpty)
    }

    @Test func eachSceneSettlesByItselfAndSettlingPhasesChangesNothing() {
        var timeline = timeline(settle: 0)
        timeline.edit("a") { $0.title = "new" }
        timeline.wait(100)
        timeline.edit("b") { $0.title = "new" }
        #expect(timeline.wait(150) == ["a title active→active title"])
        #expect(timeline.wait(100) == ["b title inactive→inactive title"])
    }

    @Test func theFirstTitleIsNoChange() {
        var timeline = Timeline("a")
        timeline.tracker.reportsTitles = true
        timeline.edit("a") { $0.title = "first" }
        #expect(timeline.wait(2_000) == [])
    }

    /// A line of the kind `facts` has shown the other title.
    @Test func aTitleThatChangesBackAfterFactsIsReported() {
        var timeline = timeline()
        timeline.edit("a") { ($0.title, $0.pid) = ("new", 7) }
        #expect(timeline.refreshed.first?.title == "new")
        timeline.wait(10)
        timeline.edit("a") { $0.title = "old" }
        #expect(timeline.wait(2_000) == ["a title active→active title"])
    }

    @Test func noTitleOfAWindowThatIsGoneIsReported() {
        var timeline = timeline()
        timeline.edit("b") { $0.title = "new" }
        let xid = timeline.names["b"]
        #expect(timeline.changeLate(250) { $0.remove(xid) } == ["b closed inactive close"])
    }

    @Test func titlesAreReportedOnlyOnRequest() {
        var timeline = Timeline("a", focus: "a")
        timeline.edit("a") { $0.title = "new" }
        #expect(timeline.wake == nil && timeline.wait(10_000).isEmpty)
        // The titles known when reporting is turned on count as reported.
        timeline.tracker.reportsTitles = true
        #expect(timeline.look().isEmpty && timeline.wait(10_000).isEmpty)
        timeline.edit("a") { $0.title = "newer" }
        #expect(timeline.wait(250) == ["a title active→active title"])
    }

    @Test func aTitleThatChangesAsReportingIsTurnedOnIsReported() {
        var timeline = Timeline("a", focus: "a")
        timeline.edit("a") { $0.title = "old" }
        timeline.tracker.reportsTitles = true
        timeline.edit("a") { $0.title = "new" }
        #expect(timeline.wait(250) == ["a title active→active title"])
    }

    @Test func noTitleOfAWindowThatHasNotOpenedYetIsReported() {
        var timeline = timeline(settle: 1_000)
        timeline.open("c")
        timeline.edit("c") { $0.title = "first" }
        timeline.edit("c") { $0.title = "second" }
        #expect(timeline.exactly(1_000) == ["c opened inactive open"])
    }
}

extension Change {
    fileprivate var title: String? { scene?.title }
}
