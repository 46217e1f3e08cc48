import Testing

@testable import Scenes

@Suite struct PolicyTests {
    @Test func theApplicationPolicyMovesAllVisibleScenesOfAnApplicationTogether() {
        var timeline = Timeline("e.1", "b", "e.2", focus: "e.1", policy: .application)
        #expect(
            timeline.started == [
                "e.1 initial active start", "e.2 initial active start", "b initial inactive start",
            ])
        timeline.focus("e.2")
        #expect(timeline.wait(1_000) == [])
        timeline.focus("b")
        #expect(timeline.wait(19) == [])
        #expect(
            timeline.wait(1) == [
                "e.1 active→inactive blur", "e.2 active→inactive blur", "b inactive→active focus",
            ])
    }

    @Test func theApplicationPolicyLeavesHiddenScenesInTheBackground() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1", policy: .application)
        timeline.iconify("e.2")
        #expect(timeline.wait(100) == ["e.2 active→background iconify"])
        timeline.deiconify("e.2")
        #expect(timeline.wait(100) == ["e.2 background→active deiconify"])
    }

    @Test func theVisiblePolicyDoesNotCareForTheFocus() {
        var timeline = Timeline("a", "b", focus: "a", policy: .visible)
        #expect(timeline.started == ["a initial active start", "b initial active start"])
        timeline.focus("b")
        #expect(timeline.wait(1_000) == [])
        timeline.focus(nil)
        #expect(timeline.wait(1_000) == [])
    }

    @Test func theVisiblePolicyKnowsActiveAndBackgroundOnly() {
        var timeline = Timeline("a", focus: "a", policy: .visible)
        timeline.iconify("a")
        #expect(timeline.wait(100) == ["a active→background iconify"])
        timeline.deiconify("a")
        #expect(timeline.wait(100) == ["a background→active deiconify"])
    }

    @Test(arguments: PhasePolicy.allCases)
    func whatIsNotVisibleIsInTheBackgroundUnderEveryPolicy(_ policy: PhasePolicy) {
        let timeline = Timeline("a", focus: "a", policy: policy, arrange: { $0.arrangeIconic("a") })
        #expect(timeline.started == ["a initial background start"])
    }

    @Test func theWordsOfThePoliciesAreThoseOfTheContract() {
        #expect(PhasePolicy.allCases.map(\.rawValue) == ["focus", "application", "visible"])
    }
}
