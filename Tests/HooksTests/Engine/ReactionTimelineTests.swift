import Console
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
        // A reaction in progress is undone when it ends.
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.end("apply A") == ["undo A: mute slow"])
        #expect(timeline.engine.owed.map(\.holds.count) == [2])
        // No weights are read while they are given back.
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("undo A") == ["ask A: mute slow"])
        #expect((timeline.go("A", .active) + timeline.settle()).isEmpty && timeline.isAsleep)
    }

    @Test func theStrictestCapCountsAndThenTheNextStrictest() {
        var timeline = EngineTimeline(
            .doing("wide", .cap, cap: "50%"), .doing("tight", .cap, after: 5, cap: "20%"),
            .doing("widest", .cap, after: 5, cap: "80%"), isPrompt: true)
        #expect(timeline.go("A", .background) == ["ask A: cap", "apply A: cap 50%"])
        #expect(timeline.wait(5) == ["apply A: cap 20%"])
        let owed = timeline.engine.owed
        #expect(timeline.suspend("tight") == ["apply A: cap 50%"])
        #expect(timeline.suspend("tight", "wide") == ["apply A: cap 80%"])
        #expect(timeline.engine.owed.map(\.holds) == owed.map(\.holds))
        #expect(timeline.go("A", .active) == ["undo A: cap"])
    }

    @Test func whatSlowsItStaysWhileItIsThawed() {
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow), isPrompt: true)
        let frozen = ["ask A: freeze", "freeze A", "ice: A frozen"]
        #expect(
            timeline.go("A", .background) == ["ask A: freeze slow"] + frozen.dropFirst() + ["apply A: slow"])
        #expect(timeline.sign("A") == ["thaw A"])
        #expect(timeline.wait(10) == frozen)
        #expect(timeline.suspend("slow") == ["undo A: slow"])
        #expect(timeline.engine.frozenApplications == ["A"])
        #expect(timeline.engine.owed.map(\.holds) == [[.stopped(1)]])
        #expect(timeline.suspend() == ["ask A: slow", "apply A: slow"])
        #expect(timeline.handle(.thaw(nil)) == ["thaw A"])
        #expect(timeline.status == ["entered: thawed by the user", "entered"])
        #expect(timeline.go("A", .active) == ["undo A: slow"])
    }

    @Test func whatIsSilentIsNotAskedAgainUntilAVoteBegins() {
        var timeline = EngineTimeline(.doing("quiet", .mute), .doing("ice", .freeze, after: 5))
        timeline.machine.isSilent = true
        #expect(timeline.go("A", .background) == ["ask A: mute"])
        #expect(timeline.settle().isEmpty)
        #expect(timeline.status == ["ready: it has no audible stream", "waiting"])
        #expect(timeline.wait(5) == ["ask A: freeze mute"])
        #expect(timeline.except("A", [.selection: "it owns one"]) == ["excepted ice A: it owns one"])
        #expect(timeline.wait(10) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen"])
        #expect(timeline.engine.next == nil)
    }

    // MARK: Failures

    @Test func aThawThatFailsIsTriedAgainLaterAndLater() {
        var timeline = EngineTimeline.frozen
        timeline.failsToThaw = true
        #expect(timeline.go("A", .active) == ["thaw A", "ice: leave for A is retried in 1s"])
        let delays = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
        for (delay, next) in zip(delays, delays.dropFirst()) {
            #expect(timeline.status == ["leaving"] && timeline.engine.owed.map(\.holds) == [[.stopped(1)]])
            #expect(timeline.wait(.seconds(delay) - .milliseconds(1)).isEmpty)
            let again = "ice: leave for A is retried in \(Duration.seconds(next).text)"
            #expect(timeline.wait(.milliseconds(1)) == ["thaw A", again])
        }
        timeline.failsToThaw = false
        #expect(timeline.wait(300) == ["thaw A"] && timeline.isAsleep)
        // The first failure after a success is tried again soon.
        timeline = timeline.frozen
        timeline.failsToThaw = true
        #expect(timeline.go("A", .active) == ["thaw A", "ice: leave for A is retried in 1s"])
        timeline.failsToThaw = false
        // What is back in the background is thawed nevertheless, and frozen anew.
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.wait(1) == ["thaw A", "ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen"])
    }

    /// A freeze that is wanted goes on meanwhile.
    @Test func anUndoThatFailsIsTriedAgain() {
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow)).frozen
        #expect(timeline.suspend("slow") == ["undo A: slow"])
        for delay in [1, 2] {
            #expect(timeline.failToUndo() == ["slow: leave for A is retried in \(delay)s"])
            #expect(timeline.wait(delay) == ["undo A: slow"])
        }
        #expect(timeline.settle().isEmpty && timeline.engine.frozenApplications == ["A"])
    }

    @Test func aStreamThatCannotBeMutedIsNoSilence() {
        var timeline = EngineTimeline(.doing("quiet", .mute))
        #expect(timeline.go("A", .background) == ["ask A: mute"])
        let fault = "is not muted: 1 stream may be of process 1 or 2"
        #expect(timeline.fail("A", fault) == ["quiet: A \(fault)"])
        #expect(timeline.status == ["failed: \(fault)"] && timeline.isAsleep)
        #expect(timeline.go("A", .active).isEmpty && timeline.go("A", .background) == ["ask A: mute"])
    }

    @Test func faultsAreReported() {
        var timeline = EngineTimeline(.doing("slow", .slow))
        _ = timeline.go("A", .background) + timeline.end("ask A")
        var answer = ReactionAnswer()
        (answer.done, answer.faults) = (["slowed"], ["is not muted: no server"])
        let words = timeline.answer("apply A") { .applied($0, answer) }
        #expect(words == ["slow: A is not muted: no server", "slow: A slowed"])
    }

    // MARK: Pauses and reloads

    @Test func aReloadThawsWhatIsEnteredAnewAndKeepsWhatItKeeps() {
        var timeline = EngineTimeline.frozen
        #expect(timeline.replace(.doing("ice", .freeze), .doing("slow", .slow)).isEmpty)
        #expect(timeline.engine.frozenApplications == ["A"])
        var changed = Hook.doing("ice", .freeze, after: 1)
        changed.condition.initial = true
        #expect(timeline.replace(changed) == ["thaw A"])
        #expect(timeline.find("A", .background).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
    }

    // MARK: The record of an earlier process

    /// `after` and the exceptions may have changed since.
    @Test func whatAnEarlierProcessHasDoneIsUndoneThoughItsPhaseLasts() {
        let earlier = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow)).frozen
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("slow", .slow), restored: nil)
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.restore(earlier.engine.owed) == ["thaw A", "undo A: slow"])
        #expect(timeline.end("undo A") == ["ask A: freeze slow"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen", "apply A: slow"])
    }

    @Test func nothingIsDoneWhileTheRecordIsNotRead() {
        var timeline = EngineTimeline(.doing("ice", .freeze), restored: nil)
        #expect((timeline.freezeByHand("A") + timeline.go("B", .background)).isEmpty)
        let words = timeline.handle(.notRestored("busy"))
        #expect(words == ["by hand A: is not frozen: busy"] && timeline.isAtRest)
        #expect(timeline.go("C", .background).isEmpty && timeline.isAtRest)
    }
}
