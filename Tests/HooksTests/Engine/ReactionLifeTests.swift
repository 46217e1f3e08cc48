import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Failures, pauses, reloads, the record of an earlier process, and the stop.
@Suite struct ReactionLifeTests {
    private static func frozen() -> EngineTimeline {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        timeline.freeze()
        return timeline
    }

    // MARK: Failures

    @Test func aThawThatFailsIsTriedAgainLaterAndLater() {
        var timeline = Self.frozen()
        timeline.failsToThaw = true
        #expect(timeline.go("A", .active) == ["thaw A", "ice: leave for A is retried in 1s"])
        for (delay, next) in zip([1, 2, 4, 8, 16, 32, 64, 128, 256], [2, 4, 8, 16, 32, 64, 128, 256, 300]) {
            #expect(timeline.status == ["leaving"] && timeline.engine.owed.map(\.holds) == [[.stopped(1)]])
            #expect(timeline.wait(.seconds(delay) - .milliseconds(1)).isEmpty)
            let again = "ice: leave for A is retried in \(Duration.seconds(next).text)"
            #expect(timeline.wait(.milliseconds(1)) == ["thaw A", again])
        }
        timeline.failsToThaw = false
        #expect(timeline.wait(300) == ["thaw A"] && timeline.isAtRest && timeline.engine.next == nil)
    }

    @Test func theFirstFailureAfterASuccessIsTriedAgainSoon() {
        var timeline = Self.frozen()
        for _ in 1...2 {
            timeline.failsToThaw = true
            #expect(timeline.sign("A") == ["thaw A", "ice: leave for A is retried in 1s"])
            timeline.failsToThaw = false
            #expect(timeline.wait(1) == ["thaw A"])
            #expect(timeline.wait(9) == ["ask A: freeze"])
            _ = timeline.settle()
        }
    }

    @Test func whatIsBackInTheBackgroundAfterAFailedThawIsThawedAndFrozenAnew() {
        var timeline = Self.frozen()
        timeline.failsToThaw = true
        _ = timeline.go("A", .active)
        timeline.failsToThaw = false
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.wait(1) == ["thaw A", "ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen"])
    }

    @Test func whatWasFrozenInPartStaysOwedIfItCannotBeThawed() {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        _ = timeline.go("A", .background) + timeline.end("ask A")
        timeline.failsToThaw = true
        let words = timeline.froze("A", .failed("denied"))
        #expect(
            words == ["ice: A is not frozen: denied", "thaw A", "ice: leave for A is retried in 1s"])
        #expect(timeline.engine.owed.map(\.holds) == [[.stopped(1)]])
        timeline.failsToThaw = false
        #expect(timeline.wait(1) == ["thaw A"])
        #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest)
    }

    /// A freeze that is wanted goes on meanwhile.
    @Test func anUndoThatFailsIsTriedAgain() {
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow))
        timeline.freeze()
        #expect(timeline.suspend("slow") == ["undo A: slow"])
        let slowed = Hold.slowed(unit: "A.scope", weights: [100, .max])
        for delay in [1, 2] {
            let words = timeline.answer("undo A") { .undone($0, left: [slowed], ReactionAnswer()) }
            #expect(words == ["slow: leave for A is retried in \(delay)s"])
            #expect(timeline.wait(delay) == ["undo A: slow"])
        }
        #expect(timeline.settle().isEmpty && timeline.engine.frozenApplications == ["A"])
    }

    @Test func faultsAreReported() {
        var timeline = EngineTimeline(.doing("slow", .slow))
        _ = timeline.go("A", .background) + timeline.end("ask A")
        var answer = ReactionAnswer()
        (answer.done, answer.faults) = (["slowed"], ["is not muted: no server"])
        #expect(
            timeline.answer("apply A") { .applied($0, answer) } == [
                "slow: A is not muted: no server", "slow: A slowed",
            ])
    }

    // MARK: Pauses and reloads

    @Test func aPauseThawsAndItsEndGoesOnWithWhatStillLasts() {
        var timeline = EngineTimeline(.doing("ice", .freeze, after: 30))
        _ = timeline.go("A", .background)
        _ = timeline.go("B", .background)
        _ = timeline.wait(30) + timeline.settle()
        #expect(timeline.suspend("ice") == ["thaw A", "thaw B"])
        #expect(timeline.go("B", .active).isEmpty)
        #expect(timeline.suspend() == ["ask A: freeze"])
    }

    @Test func aPauseInTheMiddleOfAFreezeCancelsIt() {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        timeline.isDiskBusy = true
        _ = timeline.go("A", .background) + timeline.end("ask A")
        #expect(timeline.suspend("ice").isEmpty)
        #expect(timeline.answerDisk().isEmpty && timeline.engine.owed.isEmpty)
    }

    @Test func aHookThatChangesThawsAndIsEnteredAnew() {
        var timeline = Self.frozen()
        var changed = Hook.doing("ice", .freeze, after: 1)
        changed.condition.initial = true
        #expect(timeline.replace(changed) == ["thaw A"])
        #expect(timeline.find("A", .background).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
    }

    @Test func aReloadThatKeepsAHookKeepsItsFreeze() {
        var timeline = Self.frozen()
        #expect(timeline.replace(.doing("ice", .freeze), .doing("slow", .slow)).isEmpty)
        #expect(timeline.engine.frozenApplications == ["A"])
    }

    // MARK: The record of an earlier process

    /// `after` and the exceptions may have changed since.
    @Test func whatAnEarlierProcessHasDoneIsUndoneThoughItsPhaseLasts() {
        var earlier = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow))
        earlier.freeze()
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow), restored: nil)
        #expect(timeline.go("A", .background).isEmpty)
        let restored = earlier.engine.owed.map { RestoredPair($0) }
        #expect(timeline.handle(.restored(restored)) == ["thaw A", "undo A: slow"])
        #expect(timeline.end("undo A") == ["ask A: freeze slow"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen", "apply A: slow"])
    }

    @Test func whatAnEarlierProcessHasFrozenIsThawedLaterIfItCannotBeNow() {
        let earlier = Self.frozen()
        var timeline = EngineTimeline(restored: nil)
        timeline.failsToThaw = true
        let restored = earlier.engine.owed.map { RestoredPair($0) }
        #expect(timeline.handle(.restored(restored)) == ["thaw A", "ice: leave for A is retried in 1s"])
        #expect(timeline.status == ["leaving"])
        timeline.failsToThaw = false
        #expect(timeline.wait(1) == ["thaw A"] && timeline.isAtRest)
    }

    @Test func nothingIsDoneWhileTheRecordIsNotRead() {
        var timeline = EngineTimeline(.doing("ice", .freeze), restored: nil)
        #expect(timeline.freezeByHand("A").isEmpty)
        #expect(timeline.go("B", .background).isEmpty)
        let words = timeline.handle(.notRestored("busy"))
        #expect(words == ["by hand A: is not frozen: busy"] && timeline.isAtRest)
        #expect(timeline.go("C", .background).isEmpty && timeline.isAtRest)
    }

    @Test func aRecordThatCouldNotBeWrittenIsWrittenOnceMoreAtTheEnd() {
        var timeline = Self.frozen()
        timeline.isDiskBusy = true
        _ = timeline.go("A", .active) + timeline.answerDisk(failure: "full")
        let writes = timeline.writes
        _ = timeline.stop()
        #expect(timeline.writes == writes + 1)
    }

    // MARK: The stop

    @Test(arguments: 0...6) func aStopInEachStepUndoesEverythingAndIdles(step: Int) {
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow))
        timeline.isDiskBusy = true
        let steps: [(inout EngineTimeline) -> [String]] = [
            { $0.end("ask A") }, { $0.answerDisk() }, { $0.end("freeze A") }, { $0.end("apply A") },
            { $0.sign("A") }, { $0.suspend("slow") },
        ]
        _ = timeline.go("A", .background)
        for next in steps.prefix(step) { _ = next(&timeline) }
        _ = timeline.stop()
        timeline.isDiskBusy = false
        _ = timeline.answerDisk() + timeline.settle()
        #expect(timeline.isAtRest && timeline.engine.next == nil)
        #expect(timeline.go("B", .background).isEmpty && timeline.wait(1_000).isEmpty)
    }

    @Test func aStopTriesAgainAtOnceWhatCouldNotBeUndone() {
        var timeline = EngineTimeline(.doing("both", .freeze, .slow))
        timeline.freeze()
        timeline.failsToThaw = true
        _ = timeline.go("A", .active)
        timeline.failsToThaw = false
        let slowed = Hold.slowed(unit: "A.scope", weights: [100, .max])
        _ = timeline.answer("undo A") { .undone($0, left: [slowed], ReactionAnswer()) }
        #expect(!timeline.engine.isIdle)
        #expect(timeline.stop() == ["thaw A", "undo A: slow"])
        #expect(timeline.settle().isEmpty && timeline.isAtRest)
    }
}
