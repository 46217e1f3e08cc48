import Loop
import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Hooks that react to nothing for a while.
@Suite struct SuspensionTests {
    @Test func whatHoldsIsLeftAndEnteredAgain() {
        var play = Play(.pair("slow"), .pair("other"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.end("enter other A")
        #expect(play.suspend("slow") == ["leave slow A"])
        _ = play.end("leave slow A")
        #expect(play.suspend() == ["enter slow A"])
        _ = play.end("enter slow A")
        #expect(play.go("A", .active) == ["leave slow A", "leave other A"])
    }

    /// Its time, its turn or an answer; what holds does so until its phase is left.
    @Test func whatIsGivenUpBeginsWithItsPhaseAnew() {
        var play = Play(.pair("slow", after: 30), .pair("veto", unless: true), .pair("turn"), limit: 2)
        #expect(play.go("B", .background) == ["check veto B", "enter turn B"])
        #expect(play.go("A", .background).isEmpty)
        #expect(play.giveUp("slow", "veto", "turn") == ["stop check veto B"])
        #expect(play.end("check veto B", .stopped).isEmpty)
        #expect(play.end("enter turn B").isEmpty)
        #expect(play.wait(60).isEmpty)
        #expect(play.go("B", .active) == ["leave turn B"])
        _ = play.end("leave turn B")
        _ = play.go("A", .active)
        #expect(play.go("A", .background) == ["check veto A", "enter turn A"])
    }

    @Test func whatHasLeftItsPhaseMeanwhileIsNotEntered() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.suspend("slow")
        _ = play.end("leave slow A")
        #expect(play.go("A", .active).isEmpty)
        #expect(play.suspend().isEmpty)
        #expect(play.go("A", .background) == ["enter slow A"])
    }

    @Test func whatHasComeToItsPhaseMeanwhileIsEnteredWhenAfterHasPassed() {
        var play = Play(.pair("slow", after: 30))
        _ = play.go("A", .active)
        #expect(play.suspend("slow").isEmpty)
        #expect(play.go("A", .background).isEmpty)
        #expect(play.wait(60).isEmpty)
        #expect(play.go("B", .background).isEmpty)
        #expect(play.suspend() == ["enter slow A"])
        #expect(play.wait(29).isEmpty)
        #expect(play.wait(1) == ["enter slow B"])
    }

    @Test func whatWaitsKeepsItsMoment() {
        var play = Play(.pair("slow", after: 30))
        _ = play.go("A", .background)
        _ = play.wait(10)
        #expect(play.suspend("slow").isEmpty)
        #expect(play.wait(10).isEmpty)
        #expect(play.suspend().isEmpty)
        #expect(play.wait(9).isEmpty)
        #expect(play.wait(1) == ["enter slow A"])
    }

    @Test func aCheckIsStoppedAndAskedAgain() {
        var play = Play(.pair("slow", unless: true))
        _ = play.go("A", .background)
        #expect(play.suspend("slow") == ["stop check slow A"])
        #expect(play.end("check slow A", .stopped).isEmpty)
        #expect(play.suspend() == ["check slow A"])
    }

    @Test func aLeaveThatIsUnderWayIsNotBegunAgain() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.go("A", .active)
        #expect(play.suspend("slow").isEmpty)
        #expect(play.end("leave slow A").isEmpty)
        #expect(play.suspend().isEmpty)
    }

    @Test func aRunIsGivenUpAndNotMadeUpFor() {
        var play = Play(.run("sync", after: 5))
        _ = play.go("A", .background)
        #expect(play.suspend("sync").isEmpty)
        #expect(play.go("A", .active, .background).isEmpty)
        #expect(play.suspend().isEmpty)
        #expect(play.wait(10).isEmpty)
        #expect(play.go("A", .active, .background).isEmpty)
        #expect(play.wait(5) == ["run sync A"])
    }

    @Test func aHookThatIsDroppedIsForgotten() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.suspend("slow")
        _ = play.end("leave slow A")
        #expect(play.replace(.pair("other")).isEmpty)
        #expect(play.suspend().isEmpty)
    }

    @Test func nothingIsEnteredAtTheEnd() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.suspend("slow")
        _ = play.end("leave slow A")
        #expect(play.stop().isEmpty)
        #expect(play.suspend().isEmpty)
    }
}

@Suite struct PausesTests {
    private static func seconds(_ count: Int) -> Duration { .seconds(count) }

    @Test func allOrSome() {
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

    @Test func eachEndsByItself() {
        var pauses = Pauses()
        pauses.pause([], until: Self.seconds(20))
        pauses.pause(["a"], until: Self.seconds(10))
        #expect(pauses.next == Self.seconds(10))
        #expect(pauses.expire(at: Self.seconds(9)) == false)
        #expect(pauses.expire(at: Self.seconds(10)) == true)
        // The others wait for the end of theirs.
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
