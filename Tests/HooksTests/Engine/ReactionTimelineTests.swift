import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Slowing, capping and muting, alone and beside a freeze.
@Suite struct ReactionTimelineTests {
    @Test func theHoldOfAReactionIsReadRecordedAndGivenBack() {
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

    @Test func aSlowedApplicationStaysSlowWhileItIsThawed() {
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

    @Test func aSilentApplicationIsNotAskedAgainUntilAVoteBegins() {
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

    @Test func anUndoThatFailedAndIsNoLongerNeededIsNotAwaited() {
        var timeline = EngineTimeline(.doing("slow", .slow), isPrompt: true)
        _ = timeline.go("A", .background)
        timeline.isPrompt = false
        _ = timeline.go("A", .active)
        #expect(timeline.failToUndo() == ["slow: leave for A is retried in 1s"])
        #expect(timeline.go("A", .background).isEmpty && timeline.engine.next == nil)
        #expect(timeline.go("A", .active) == ["undo A: slow"])
        #expect(timeline.settle().isEmpty && timeline.engine.owed.isEmpty)
    }

    @Test func aCallThawsNoStuckApplicationBeforeItsRetry() {
        var timeline = EngineTimeline.frozen
        timeline.failsToThaw = true
        _ = timeline.go("A", .active)
        timeline.failsToThaw = false
        _ = timeline.go("A", .background) + timeline.wait(.milliseconds(10))
        let call = HookInput.called("A", BusCall(sender: ":1.7", serial: 1))
        #expect(timeline.handle(call).isEmpty)
        #expect(timeline.wait(.milliseconds(990)) == ["thaw A", "ask A: freeze"])
    }

    @Test func aStreamThatCannotBeMutedIsNoSilence() {
        var timeline = EngineTimeline(.doing("quiet", .mute))
        #expect(timeline.go("A", .background) == ["ask A: mute"])
        let fault = "is not muted: 1 stream may be of process 1 or 2"
        #expect(timeline.failToMute("A", fault) == ["quiet: A \(fault)"])
        #expect(timeline.status == ["failed: \(fault)"] && timeline.isAsleep)
        #expect(timeline.go("A", .active).isEmpty && timeline.go("A", .background) == ["ask A: mute"])
    }

    @Test func theEndDoesNotWaitForTheNextAttempt() {
        var timeline = EngineTimeline.frozen
        timeline.failsToThaw = true
        _ = timeline.go("A", .active)
        timeline.failsToThaw = false
        #expect(timeline.handle(.stop) == ["thaw A"] && timeline.isAsleep)
        timeline = EngineTimeline(.doing("slow", .slow), isPrompt: true)
        _ = timeline.go("A", .background)
        timeline.isPrompt = false
        _ = timeline.go("A", .active) + timeline.failToUndo()
        #expect(timeline.handle(.stop) == ["undo A: slow"])
        #expect(timeline.settle().isEmpty && timeline.isAsleep)
    }

    @Test func faultsAreReported() {
        var timeline = EngineTimeline(.doing("slow", .slow))
        _ = timeline.go("A", .background) + timeline.end("ask A")
        var answer = ReactionAnswer()
        answer.done = [ReactionWords(.slow, "slowed")]
        answer.faults = [ReactionWords(.slow, "is not slowed: no controller")]
        let words = timeline.answer("apply A") { .applied($0, answer) }
        #expect(words == ["slow: A is not slowed: no controller", "slow: A slowed"])
    }

    // MARK: Several hooks

    private static let quietAndIce = [Hook.doing("quiet", .mute), .doing("ice", .freeze, except: [])]

    /// Returns the rows of the status, with the reactions of each.
    private static func rows(_ timeline: EngineTimeline) -> [String] {
        timeline.engine.status({ $1.reactions.append($0.builtIn.rawValue) }).map {
            "\($0.hook) \($0.state) \($0.reactions.joined(separator: ","))"
                + ($0.reason.map { ": \($0)" } ?? "")
        }
    }

    @Test func aFaultIsThatOfTheHookThatWantsItsReaction() {
        var timeline = EngineTimeline(Self.quietAndIce[0], Self.quietAndIce[1])
        _ = timeline.go("A", .background)
        var findings = Findings()
        findings.faults = [ReactionWords(.mute, "is not muted: no server")]
        findings.lacks = [.mute: "there is no server"]
        findings.freeze = .stopped(1)
        let words = timeline.answer("ask A") { .asked($0, findings) }
        #expect(words == ["quiet: A is not muted: no server", "freeze A"])
        #expect(timeline.settle() == ["ice: A frozen"])
        #expect(
            Self.rows(timeline) == ["quiet failed : is not muted: no server", "ice entered freeze"])
        #expect(timeline.engine.history["ice"].allSatisfy { $0.kind != .failed })
        // A freeze that fails is no matter of the other hook.
        timeline = EngineTimeline(Self.quietAndIce[0], Self.quietAndIce[1])
        _ = timeline.go("A", .background) + timeline.end("ask A")
        #expect(timeline.froze("A", .failed("denied")).first == "ice: A is not frozen: denied")
        _ = timeline.settle()
        #expect(Self.rows(timeline) == ["quiet entered mute", "ice excepted : denied"])
    }

    @Test func aRefusalNamesForEachHookWhatItDoesNotGet() {
        var timeline = EngineTimeline(Self.quietAndIce[0], Self.quietAndIce[1])
        _ = timeline.go("A", .background)
        let reason = "a terminal"
        #expect(
            timeline.refuse("A", because: reason) == [
                "excepted quiet A: \(reason)", "excepted ice A: \(reason)",
            ])
        #expect(timeline.status == ["excepted: \(reason)", "excepted: \(reason)"] && timeline.isAsleep)
        timeline.isDiskBusy = true
        _ = timeline.go("A", .active) + timeline.go("A", .background) + timeline.end("ask A")
        #expect(
            timeline.answerDisk(failure: "full") == [
                "quiet: A is not muted: full", "ice: A is not frozen: full",
            ])
    }

    @Test func aRowShowsWhatItsHookWants() {
        var timeline = EngineTimeline(Self.quietAndIce[0], Self.quietAndIce[1], .doing("slow", .slow))
        _ = timeline.go("A", .background) + timeline.end("ask A")
        let done = ["quiet entered mute", "ice entered freeze", "slow entered slow"]
        #expect(Self.rows(timeline)[1] == "ice entering ")
        _ = timeline.settle()
        #expect(Self.rows(timeline) == done)
        _ = timeline.suspend("slow") + timeline.failToUndo()
        #expect(Self.rows(timeline) == done.dropLast() + ["slow paused ", "slow leaving slow"])
        timeline.failsToThaw = true
        _ = timeline.suspend("slow", "ice")
        let left = ["ice paused ", "ice leaving freeze", "slow paused ", "slow leaving slow"]
        #expect(Self.rows(timeline) == ["quiet entered mute"] + left)
    }

    @Test func aSuspendedHookThatHoldsNothingIsNotEntered() {
        var timeline = EngineTimeline.frozen
        _ = timeline.suspend("ice") + timeline.settle()
        #expect(Self.rows(timeline) == ["ice paused ", "ice paused "])
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
    @Test func theReactionsOfAnEarlierProcessAreUndoneThoughThePhaseLasts() {
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
