import Testing

@testable import Scenes

@Suite struct ResyncTests {
    @Test func allThatIsThereIsReportedAsInitialAndItsCauseIsResync() {
        var timeline = Timeline("a", "b", focus: "a", levels: Set(Change.Level.allCases))
        let before = timeline.tracker
        timeline.focus("b")
        timeline.wait(20)
        #expect(
            timeline.resync(since: before) == [
                "a initial inactive resync", "group a initial inactive resync",
                "app A initial inactive resync",
                "b initial active resync", "group b initial active resync", "app B initial active resync",
            ])
    }

    @Test func aSceneThatIsGoneSinceIsReportedAsClosed() {
        var timeline = Timeline("a", "e.1", "e.2", "e/find", levels: Set(Change.Level.allCases))
        let before = timeline.tracker
        timeline.destroy("a", "e.1", "e/find")
        #expect(
            timeline.resync(since: before) == [
                "a closed inactive resync", "group a closed inactive resync",
                "app A inactive→background resync", "app A closed background resync",
                "e.1 closed inactive resync", "e/find closed inactive resync",
                "group find closed inactive resync",
                "e.2 initial inactive resync", "group e initial inactive resync",
                "app E initial inactive resync",
            ])
    }

    @Test func aSceneThatCameAndWentSinceIsNotReported() {
        var timeline = Timeline()
        let before = timeline.tracker
        timeline.open("a")
        timeline.wait(100)
        timeline.destroy("a")
        #expect(timeline.resync(since: before) == [])
    }

    @Test func aRegroupedSceneIsClosedUnderItsOldNames() {
        var timeline = Timeline("a", focus: "a", levels: [.scene, .application])
        let before = timeline.tracker
        timeline.edit("a") { $0.className = "New" }
        timeline.wait(100)
        #expect(
            timeline.resync(since: before) == [
                "a closed active regroup", "app A closed active regroup",
                "a initial active resync", "app New initial active resync",
            ])
    }

    @Test func anApplicationThatLivesOnInOtherWindowsIsNotReportedAsClosed() {
        var timeline = Timeline("e.1", "b", focus: "b", levels: [.application])
        let before = timeline.tracker
        timeline.open("e.2")
        timeline.wait(100)
        timeline.destroy("e.1")
        #expect(
            timeline.resync(since: before) == [
                "app B initial active resync", "app E initial inactive resync",
            ]
        )
    }

    @Test func aResyncDoesNotReportPendingChanges() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.focus("b")
        #expect(
            timeline.resync(since: timeline.tracker) == [
                "a initial active resync", "b initial inactive resync",
            ])
        #expect(timeline.wait(20) == ["a active→inactive blur", "b inactive→active focus"])
    }

    @Test func aPhaseOfAGoneSceneWasHeldSinceItBegan() {
        var timeline = Timeline("a", focus: "a")
        let before = timeline.tracker
        timeline.wait(5_000)
        timeline.destroy("a")
        let changes = timeline.tracker.resync(since: before.table, at: timeline.now)
        #expect(changes.first?.kind == .closed && changes.first?.held == .seconds(5))
    }

    @Test func thePhaseIsStillHeldSinceItBegan() {
        var timeline = Timeline("a", focus: "a")
        timeline.wait(4_900)
        _ = timeline.resync(since: timeline.tracker)
        timeline.focus(nil)
        timeline.wait(100)
        #expect(timeline.changes(.scene).last?.held == .seconds(5))
    }
}

extension Timeline {
    func resync(since earlier: SceneTracker) -> [String] {
        let changes = tracker.resync(since: earlier.table, at: now)
        return words(for: changes.map(Event.change))
    }
}
