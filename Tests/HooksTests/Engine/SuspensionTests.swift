import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Paused hooks.
@Suite struct SuspensionTests {
    @Test func whatHoldsIsLeftAndEnteredAgain() {
        var timeline = EngineTimeline(.pair("slow"), .pair("other"))
        timeline.enter("slow")
        _ = timeline.end("enter other A")
        #expect(timeline.suspend("slow") == ["leave slow A"])
        _ = timeline.end("leave slow A")
        #expect(timeline.suspend() == ["enter slow A"])
        _ = timeline.end("enter slow A")
        #expect(timeline.go("A", .active) == ["leave slow A", "leave other A"])
    }

    @Test func whatHasLeftItsPhaseMeanwhileIsNotEntered() {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        _ = timeline.suspend("slow")
        _ = timeline.end("leave slow A")
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.suspend().isEmpty)
        #expect(timeline.go("A", .background) == ["enter slow A"])
    }

    @Test func whatHasComeToItsPhaseMeanwhileIsEnteredWhenAfterHasPassed() {
        var timeline = EngineTimeline(.pair("slow", after: 30))
        _ = timeline.go("A", .active)
        #expect(timeline.suspend("slow").isEmpty)
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.wait(60).isEmpty)
        #expect(timeline.go("B", .background).isEmpty)
        #expect(timeline.suspend() == ["enter slow A"])
        #expect(timeline.wait(29).isEmpty)
        #expect(timeline.wait(1) == ["enter slow B"])
    }

    @Test func aSuspensionDoesNotRestartTheDelay() {
        var timeline = EngineTimeline(.pair("slow", after: 30))
        _ = timeline.go("A", .background)
        _ = timeline.wait(10)
        #expect(timeline.suspend("slow").isEmpty)
        #expect(timeline.wait(10).isEmpty)
        #expect(timeline.suspend().isEmpty)
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["enter slow A"])
    }

    @Test func aCheckIsStoppedAndAskedAgain() {
        var timeline = EngineTimeline(.pair("slow", unless: true))
        _ = timeline.go("A", .background)
        #expect(timeline.suspend("slow") == ["stop check slow A"])
        #expect(timeline.end("check slow A", .stopped).isEmpty)
        #expect(timeline.suspend() == ["check slow A"])
    }

    @Test func aLeaveThatIsUnderWayIsNotBegunAgain() {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        _ = timeline.go("A", .active)
        #expect(timeline.suspend("slow").isEmpty)
        #expect(timeline.end("leave slow A").isEmpty)
        #expect(timeline.suspend().isEmpty)
    }

    @Test func aSuspendedRunIsDroppedAndNotRunLater() {
        var timeline = EngineTimeline(.run("sync", after: 5))
        _ = timeline.go("A", .background)
        #expect(timeline.suspend("sync").isEmpty)
        #expect(timeline.go("A", .active, .background).isEmpty)
        #expect(timeline.suspend().isEmpty)
        #expect(timeline.wait(10).isEmpty)
        #expect(timeline.go("A", .active, .background).isEmpty)
        #expect(timeline.wait(5) == ["run sync A"])
    }

    @Test func aHookThatIsDroppedIsForgotten() {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        _ = timeline.suspend("slow")
        _ = timeline.end("leave slow A")
        #expect(timeline.replace(.pair("other")).isEmpty)
        #expect(timeline.suspend().isEmpty)
    }

    /// The `leave` is still queued when the pair is to be entered again.
    @Test func aLeaveThatIsNotNeededTakesTheNextEnterAlong() {
        var timeline = EngineTimeline(
            .pair("wide", while: [.inactive, .background]), .pair("other"), limit: 1)
        _ = timeline.go("A", .inactive)
        _ = timeline.end("enter wide A")
        #expect(timeline.go("B", .background) == ["enter wide B"])
        #expect(timeline.suspend("wide").isEmpty && timeline.suspend().isEmpty)
        #expect(timeline.go("A", .background).isEmpty)
        let words = timeline.settle()
        #expect(words.contains("enter other A") && !words.contains { $0.hasSuffix("wide A") })
    }

    @Test func nothingIsEnteredAtTheEnd() {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        _ = timeline.suspend("slow")
        _ = timeline.end("leave slow A")
        #expect(timeline.stop().isEmpty)
        #expect(timeline.suspend().isEmpty)
    }
}

@Suite struct PausesTests {
    private static func seconds(_ count: Int) -> Duration { .seconds(count) }

    @Test func aPauseIsForAllHooksOrForSome() {
        var pauses = Pauses()
        #expect(pauses["a"] == nil && pauses.next == nil)
        pauses.pause(["a"], until: Self.seconds(10))
        #expect(pauses["a"]?.end == Self.seconds(10) && pauses["b"] == nil)
        pauses.pause([], until: nil)
        #expect(pauses["a"] != nil && pauses["b"] != nil && pauses.next == nil)
        pauses.resume(["a"])
        #expect(pauses["a"] == nil && pauses["b"] != nil)
        pauses.resume([])
        #expect(pauses["b"] == nil)
    }

    @Test func eachPauseExpiresAtItsOwnTime() {
        var pauses = Pauses()
        pauses.pause([], until: Self.seconds(20))
        pauses.pause(["a"], until: Self.seconds(10))
        #expect(pauses.next == Self.seconds(10))
        #expect(pauses.expire(at: Self.seconds(9)) == false)
        #expect(pauses.expire(at: Self.seconds(10)) == true)
        // The pause of the other hooks continues.
        #expect(pauses["a"] == nil && pauses["b"] != nil && pauses.next == Self.seconds(20))
        #expect(pauses.expire(at: Self.seconds(20)) == true)
        #expect(pauses == Pauses())
    }

    @Test func anExceptionEndsWithThePauseOfAll() {
        var pauses = Pauses()
        pauses.pause([], until: Self.seconds(20))
        pauses.resume(["a"])
        _ = pauses.expire(at: Self.seconds(20))
        pauses.pause([], until: nil)
        #expect(pauses["a"] != nil)
    }
}
