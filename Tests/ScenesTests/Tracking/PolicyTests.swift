import Testing

@testable import Scenes

@Suite struct PolicyTests {
    @Test func theApplicationPolicyMovesAllVisibleScenesOfAnApplicationTogether() {
        var timeline = Timeline("e.1", "b", "e.2", focus: "e.1", policy: .application)
        #expect(
            timeline.started == [
                "e.1 initial active start", "e.2 initial active start", "b initial inactive start",
            ])
        #expect(timeline.focus("e.2") + timeline.wait(1_000) == [])
        timeline.focus("b")
        #expect(
            timeline.exactly(20) == [
                "e.1 active→inactive blur", "e.2 active→inactive blur", "b inactive→active focus",
            ])
    }

    @Test func backgroundIsLessThanInactiveAndThatLessThanActive() {
        #expect(ScenePhase.allCases.shuffled().sorted() == [.background, .inactive, .active])
    }

    @Test func theWordsAreThoseOfTheContract() {
        #expect(PhasePolicy.allCases.map(\.rawValue) == ["focus", "application", "visible"])
        #expect(ScenePhase.allCases.map(\.rawValue) == ["background", "inactive", "active"])
    }
}
