import Testing

@testable import Scenes

@Suite struct StepwiseTests {
    @Test(arguments: PhasePolicy.allCases)
    func aSceneComesAndGoesByWayOfInactive(_ policy: PhasePolicy) {
        var timeline = Timeline("a", focus: "a", policy: policy, isStepwise: true)
        timeline.wait(900)
        timeline.edit("a") { $0.iconify() }
        #expect(timeline.wait(100) == ["a active→inactive iconify", "a inactive→background iconify"])
        #expect(timeline.changes(.scene).suffix(2).map(\.held) == [.seconds(1), .zero])
        timeline.edit("a") { $0.deiconify() }
        #expect(timeline.wait(100) == ["a background→inactive deiconify", "a inactive→active deiconify"])
        #expect(timeline.changes(.scene).suffix(2).map(\.held) == [.milliseconds(100), .zero])
    }

    @Test func anApplicationThatEndsPassesThroughInactiveAsWell() {
        var timeline = Timeline("a", focus: "a", levels: [.application], isStepwise: true)
        #expect(
            timeline.destroy("a") == [
                "app A active→inactive close", "app A inactive→background close",
                "app A closed background close",
            ])
    }

    @Test func otherChangesHaveNoFurtherSteps() {
        var timeline = Timeline("a", "b", focus: "a", isStepwise: true)
        #expect(timeline.started == ["a initial active start", "b initial inactive start"])
        timeline.focus("b")
        #expect(timeline.wait(20) == ["a active→inactive blur", "b inactive→active focus"])
        timeline.iconify("a")
        #expect(timeline.wait(100) == ["a inactive→background iconify"])
        timeline.open("c", focus: true)
        #expect(timeline.wait(100) == ["b active→inactive blur", "c opened active open"])
    }
}
