import Testing

@testable import Scenes

@Suite struct BatchOrderTests {
    @Test func firstWhatFallsThenWhatRisesAndPerChangeSceneGroupApplication() {
        // The rising scene has the lower id, so the order is not that of the ids.
        var timeline = Timeline("a", "z", focus: "z", levels: Set(Change.Level.allCases))
        timeline.focus("a")
        #expect(
            timeline.wait(20) == [
                "z active→inactive blur", "group z active→inactive blur", "app Z active→inactive blur",
                "a inactive→active focus", "group a inactive→active focus", "app A inactive→active focus",
            ])
    }

    @Test func theScenesOfAGroupComeBeforeItAndItsGroupsBeforeTheApplication() {
        var timeline = Timeline(
            "e.1", "e/find", "e.2", focus: "e.1", levels: Set(Change.Level.allCases), policy: .visible)
        timeline.edit("e.1") { $0.desktop = 1 }
        timeline.edit("e.2") { $0.desktop = 1 }
        timeline.edit("e/find") { $0.desktop = 1 }
        timeline.goToDesktop(0)
        #expect(
            timeline.wait(100) == [
                "e.1 active→background desktop", "e.2 active→background desktop",
                "group e active→background desktop",
                "e/find active→background desktop", "group find active→background desktop",
                "app E active→background desktop",
            ])
    }

    @Test func whatClosesFallsAndWhatOpensRises() {
        var timeline = Timeline("a", "z", focus: "a", levels: [.scene, .application])
        timeline.withdraw("z")
        timeline.open("b", focus: true)
        #expect(
            timeline.wait(100) == [
                "a active→inactive blur", "app A active→inactive blur",
                "z closed inactive close", "app Z inactive→background close",
                "app Z closed background close",
                "b opened active open", "app B opened active open",
            ])
    }

    @Test func theCauseOfAnApplicationIsThatOfTheSceneThatDecided() {
        var timeline = Timeline("e.1", "e.2", focus: "e.2", levels: [.application])
        timeline.unmap("e.1")
        timeline.iconify("e.2")
        #expect(timeline.wait(100) == ["app E active→background iconify"])
    }
}
