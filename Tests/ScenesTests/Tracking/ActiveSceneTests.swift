import Testing

@testable import Scenes

/// The scene with the focus, whatever the policy and the limits are.
@Suite struct ActiveSceneTests {
    /// Returns the WM_CLASS instance of the active scene, which is its name here.
    private func active(_ timeline: Timeline) -> String? {
        let window = timeline.tracker.activeScene
        return window.flatMap { timeline.desktop.windows[$0.xid]?.instanceName }
    }

    @Test(arguments: PhasePolicy.allCases)
    func theFocusMovesToAnotherSceneAfterTwentyMillisecondsUnderEveryPolicy(_ policy: PhasePolicy) {
        var timeline = Timeline("a", "b", focus: "a", policy: policy)
        #expect(active(timeline) == "a")
        timeline.focus("b")
        timeline.wait(19)
        #expect(active(timeline) == "a")
        timeline.wait(1)
        #expect(active(timeline) == "b")
        timeline.wait(1_000)
        timeline.focus("a")
        timeline.wait(19)
        #expect(active(timeline) == "b")
        timeline.wait(1)
        #expect(active(timeline) == "a")
    }

    @Test(arguments: PhasePolicy.allCases)
    func aFocusThatKeepsMovingIsBelieved500MillisecondsAfterItsFirstSign(_ policy: PhasePolicy) {
        var timeline = Timeline("a", "b", "c", focus: "a", policy: policy)
        for step in 0..<50 {
            timeline.focus(step.isMultiple(of: 2) ? "b" : "c")
            #expect(active(timeline) == "a")
            timeline.wait(10)
        }
        #expect(active(timeline) == "c")
    }

    @Test(arguments: PhasePolicy.allCases)
    func aSceneThatHasTheFocusAgainStaysTheActiveOne(_ policy: PhasePolicy) {
        var timeline = Timeline("a", "b", focus: "a", policy: policy)
        timeline.focus("b")
        timeline.wait(10)
        timeline.focus(nil)
        timeline.wait(90)
        timeline.focus("a")
        timeline.wait(1_000)
        #expect(active(timeline) == "a")
        timeline.focus("b")
        timeline.wait(19)
        #expect(active(timeline) == "a")
    }

    @Test(arguments: PhasePolicy.allCases)
    func noSceneIsActiveOnceNoneHasHadTheFocusForTheSettleTime(_ policy: PhasePolicy) {
        var timeline = Timeline("a", focus: "a", policy: policy)
        timeline.focus(nil)
        timeline.wait(99)
        #expect(active(timeline) == "a")
        timeline.wait(1)
        #expect(active(timeline) == nil)
        timeline.focus("a")
        timeline.wait(99)
        #expect(active(timeline) == nil)
        timeline.wait(1)
        #expect(active(timeline) == "a")
    }

    /// One action of the user: the line about the window and the active scene belong together.
    @Test(arguments: PhasePolicy.allCases)
    func aSceneThatIsShownGetsTheFocusTogetherWithItsPhase(_ policy: PhasePolicy) {
        var timeline = Timeline("a", "b", focus: "a", policy: policy)
        timeline.iconify("b")
        timeline.wait(100)
        timeline.deiconify("b", focus: true)
        #expect(timeline.wait(99) == [] && active(timeline) == "a")
        #expect(timeline.wait(1) != [] && active(timeline) == "b")
    }

    @Test(arguments: PhasePolicy.allCases)
    func aSceneThatIsHiddenLosesTheFocusTogetherWithItsPhase(_ policy: PhasePolicy) {
        var timeline = Timeline("a", "b", focus: "a", policy: policy)
        timeline.iconify("a")
        timeline.focus("b")
        #expect(timeline.wait(99) == [] && active(timeline) == "a")
        #expect(timeline.wait(1) != [] && active(timeline) == "b")
    }

    /// The line waits for facts that settle a moment later, and so does the focus.
    @Test(arguments: PhasePolicy.allCases)
    func theFocusWaitsForTheFactsOfTheLineAboutItsScene(_ policy: PhasePolicy) {
        var timeline = Timeline("a", "b", focus: "a", policy: policy)
        timeline.iconify("b")
        timeline.wait(100)
        timeline.deiconify("b", focus: true)
        timeline.wait(5)
        timeline.edit("b") { $0.text.role = "browser" }
        #expect(timeline.wait(99) == [] && active(timeline) == "a")
        #expect(timeline.wait(1) != [] && active(timeline) == "b")
    }

    @Test func aDialogOfAnotherApplicationIsTheActiveSceneAndNotTheOneThatItIsFor() {
        var timeline = Timeline("a", "b", focus: "a")
        let parent = timeline.names["a"]
        timeline.edit("b") { $0.transientFor = parent }
        timeline.focus("b")
        timeline.wait(100)
        #expect(active(timeline) == "b")
        timeline.focus("a")
        timeline.wait(100)
        #expect(active(timeline) == "a")
    }

    @Test func aDialogOfTheSameApplicationIsAPartOfTheActiveScene() {
        var timeline = Timeline("a.1", "b", focus: "b")
        timeline.open("a.2", dialogOf: "a.1", focus: true)
        timeline.wait(100)
        #expect(timeline.tracker.activeScene == timeline.names.id("a.1"))
    }

    @Test func aPopupLendsItsFocusToTheVisibleSceneThatItIsFor() {
        var timeline = Timeline("a", "b", "c", focus: "b")
        let parent = timeline.names["a"]
        timeline.edit("c") {
            $0.isOverrideRedirect = true
            $0.transientFor = parent
        }
        timeline.focus("c")
        timeline.wait(100)
        #expect(active(timeline) == "a")
        timeline.iconify("a")
        timeline.wait(1_000)
        #expect(active(timeline) == nil)
    }

    @Test func theActiveSceneIsKnownWhileTheUserIsIdle() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.change { $0.session.isIdle = true }
        timeline.wait(1_000)
        timeline.focus("b")
        timeline.wait(20)
        #expect(active(timeline) == "b")
    }

    @Test func theActiveSceneStaysWhileTheWindowManagerIsReplaced() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.killManager()
        timeline.wait(1_000)
        #expect(active(timeline) == "a")
        timeline.startManager()
        timeline.focus("b")
        #expect(active(timeline) == "a")
        timeline.wait(3_000)
        #expect(active(timeline) == "b")
    }

    /// A program without a line about a phase must still learn of it.
    @Test func aMoveThatChangesNoPhaseIsReported() {
        var timeline = Timeline("a", "b", focus: "a", policy: .visible)
        timeline.focus("b")
        #expect(timeline.wait(19) == [] && !timeline.hasNewFocus)
        #expect(timeline.wait(1) == [] && timeline.hasNewFocus)
        #expect(timeline.wait(100) == [])
        #expect(timeline.look() == [] && !timeline.hasNewFocus)
    }
}
