import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Slowing, capping and muting, alone and beside a freeze.
@Suite struct ReactionTimelineTests {
    @Test func whatUndoesAReactionIsReadRecordedAndGivenBack() {
        var timeline = EngineTimeline(.doing("slow", .slow, .mute))
        timeline.isDiskBusy = true
        #expect(timeline.go("A", .background) == ["ask A: mute slow"])
        #expect(timeline.end("ask A").isEmpty)
        #expect(timeline.answerDisk() == ["apply A: mute slow"])
        #expect(timeline.settle().isEmpty)
        #expect(timeline.go("A", .active) == ["undo A: mute slow"])
        #expect(timeline.engine.owed.map(\.holds.count) == [2])
        #expect(timeline.settle().isEmpty && timeline.isAtRest)
    }

    /// The lowered weights would be read as the former ones.
    @Test func severalHooksReadTheWeightsOnce() {
        var timeline = EngineTimeline(.doing("first", .slow), .doing("second", .slow, after: 5))
        #expect(timeline.go("A", .background) == ["ask A: slow"])
        #expect(timeline.settle() == ["apply A: slow"])
        #expect(timeline.wait(5).isEmpty)
        #expect(timeline.suspend("first").isEmpty)
        #expect(timeline.suspend("first", "second") == ["undo A: slow"])
    }

    @Test func noWeightsAreReadWhileTheyAreGivenBack() {
        var timeline = EngineTimeline(.doing("slow", .slow))
        _ = timeline.go("A", .background) + timeline.settle()
        #expect(timeline.go("A", .active) == ["undo A: slow"])
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("undo A") == ["ask A: slow"])
    }

    @Test func aReactionInProgressIsUndoneWhenItEnds() {
        var timeline = EngineTimeline(.doing("slow", .slow))
        _ = timeline.go("A", .background) + timeline.end("ask A")
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.end("apply A") == ["undo A: slow"])
    }

    @Test func theStrictestCapCountsAndThenTheNextStrictest() {
        var timeline = EngineTimeline(
            .doing("wide", .cap, cap: "50%"), .doing("tight", .cap, after: 5, cap: "20%"),
            .doing("widest", .cap, after: 5, cap: "80%"))
        _ = timeline.go("A", .background)
        #expect(timeline.settle() == ["apply A: cap 50%"])
        #expect(timeline.wait(5) == ["apply A: cap 20%"])
        let owed = timeline.engine.owed
        #expect(timeline.settle().isEmpty)
        #expect(timeline.suspend("tight") == ["apply A: cap 50%"])
        #expect(timeline.settle().isEmpty)
        #expect(timeline.suspend("tight", "wide") == ["apply A: cap 80%"])
        #expect(timeline.settle().isEmpty && timeline.engine.owed.map(\.holds) == owed.map(\.holds))
        #expect(timeline.go("A", .active) == ["undo A: cap"])
    }

    @Test func slowEndsWhileTheFreezeStays() {
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow))
        timeline.freeze()
        #expect(timeline.suspend("slow") == ["undo A: slow"])
        #expect(timeline.settle().isEmpty && timeline.engine.frozenApplications == ["A"])
        #expect(timeline.engine.owed.map(\.holds) == [[.stopped(1)]])
    }

    @Test func aSignThawsAndLeavesItSlow() {
        var timeline = EngineTimeline(.doing("ice", .freeze, .slow))
        timeline.freeze()
        #expect(timeline.sign("A") == ["thaw A"])
        #expect(timeline.wait(10) + timeline.settle() == ["ask A: freeze", "freeze A", "ice: A frozen"])
        #expect(timeline.go("A", .active) == ["thaw A", "undo A: slow"])
    }

    @Test func whatSlowsItIsNotSaidToBeThawed() {
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow))
        timeline.freeze()
        _ = timeline.handle(.thaw(nil))
        #expect(timeline.status == ["entered: thawed by the user", "entered"])
    }

    @Test func whatIsSilentIsNotAskedAgainUntilAVoteBegins() {
        var timeline = EngineTimeline(.doing("quiet", .mute), .doing("ice", .freeze, after: 5))
        timeline.isSilent = true
        #expect(timeline.go("A", .background) == ["ask A: mute"])
        #expect(timeline.settle().isEmpty)
        #expect(timeline.status == ["ready: it has no audible stream", "waiting"])
        #expect(timeline.wait(5) == ["ask A: freeze mute"])
        #expect(timeline.except("A", [.selection: "it owns one"]) == ["excepted ice A: it owns one"])
        #expect(timeline.wait(10) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen"])
        #expect(timeline.engine.next == nil)
    }

    // MARK: Wakes

    private static let often = Wake(interval: .seconds(100), duration: .seconds(5))
    private static let rarely = Wake(interval: .seconds(200), duration: .seconds(7))

    @Test func allThatWakeItLetItGoTogetherForTheLongestTime() {
        var timeline = EngineTimeline(
            .doing("often", .freeze, wake: Self.often), .doing("rarely", .freeze, wake: Self.rarely))
        timeline.freeze()
        #expect(timeline.wait(99).isEmpty)
        #expect(timeline.wait(1) == ["thaw A quietly"])
        #expect(timeline.status == ["entered: awake for 7s", "entered: awake for 7s"])
        #expect(timeline.wait(6).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
        // Freezing again after a wake-up is not reported.
        #expect(timeline.settle() == ["freeze A"])
        #expect(timeline.engine.next == .seconds(200))
    }

    @Test(arguments: [0, 50]) func oneThatDoesNotWakeItKeepsItFrozen(after: Int) {
        var timeline = EngineTimeline(
            .doing("often", .freeze, wake: Self.often), .doing("ice", .freeze, after: after))
        timeline.freeze()
        #expect(timeline.wait(1_000).isEmpty && timeline.engine.next == nil)
        #expect(timeline.engine.frozenApplications == ["A"])
        #expect(timeline.suspend("ice") == ["ice: A stays frozen because of hook 'often'"])
        #expect(timeline.wait(100) == ["thaw A quietly"])
    }

    @Test func aHookThatBeginsWhileItIsAwakeReportsItsFreeze() {
        var timeline = EngineTimeline(
            .doing("often", .freeze, wake: Self.often), .doing("late", .freeze, after: 102))
        timeline.freeze()
        #expect(timeline.wait(105) == ["thaw A quietly", "ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "late: A frozen"])
    }

    @Test func aSignWhileItIsAwakeDoesNothingAndAThawByTheUserLasts() {
        var timeline = EngineTimeline(.doing("often", .freeze, wake: Self.often))
        timeline.freeze()
        _ = timeline.wait(100)
        #expect(timeline.sign("A").isEmpty)
        #expect(timeline.wait(5) == ["ask A: freeze"])
        _ = timeline.settle() + timeline.wait(95)
        #expect(timeline.handle(.thaw(nil)).isEmpty)
        #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest)
    }
}
