import Console
import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// An owed `leave`: from an earlier process, or because a limit kept it from starting.
@Suite struct LeaveRetryTests {
    @Test func whatAnEarlierProcessEnteredIsLeftFirst() {
        var timeline = EngineTimeline(.pair("slow"))
        var earlier = EngineTimeline(.pair("slow"))
        _ = earlier.go("A", .background)
        #expect(timeline.restore(earlier.engine.owed[0]) == ["leave slow A"])
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("leave slow A") == ["enter slow A"])
    }

    @Test func aLeaveThatALimitKeptFromStartingIsTriedAgainLaterAndLater() {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        _ = timeline.go("A", .active)
        for delay in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            #expect(
                timeline.end("leave slow A", .postponed("full")) == [
                    "slow: leave for A is retried in \(Duration.seconds(delay).text)"
                ])
            #expect(timeline.engine.next == timeline.now + .seconds(delay))
            #expect(timeline.engine.owed.count == 1)
            #expect(timeline.wait(delay - 1).isEmpty || delay == 1)
            #expect(timeline.wait(1) == ["leave slow A"])
        }
        #expect(timeline.end("leave slow A").isEmpty)
        #expect(
            timeline.engine.owed.isEmpty && timeline.engine.isIdle && timeline.engine.next == nil)
    }

    @Test func whatWaitsForALeaveThatIsTriedAgainKeepsItsPlace() {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        #expect(timeline.replace(.pair("slow", after: 1)) == ["leave slow A"])
        _ = timeline.go("A", .active, .background)
        #expect(timeline.end("leave slow A", .postponed("full")) == ["slow: leave for A is retried in 1s"])
        #expect(timeline.wait(1) == ["leave slow A"])
        #expect(timeline.end("leave slow A") == ["enter slow A"])
    }

    @Test func comingBackBeforeALeaveIsTriedAgainChangesNothing() {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        _ = timeline.go("A", .active)
        _ = timeline.end("leave slow A", .postponed("full"))
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.wait(10).isEmpty)
        #expect(timeline.go("A", .active) == ["leave slow A"])
    }

    @Test func stoppingTriesAgainAtOnceAndALimitThenLeavesItOwed() {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        _ = timeline.go("A", .active)
        _ = timeline.end("leave slow A", .postponed("full"))
        #expect(timeline.stop() == ["leave slow A"])
        _ = timeline.end("leave slow A", .postponed("full"))
        #expect(timeline.engine.owed.count == 1)
    }

    @Test func anEnterThatALimitKeptFromStartingIsNotLeft() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .background)
        #expect(timeline.end("enter slow A", .postponed("full")).isEmpty)
        #expect(timeline.go("A", .active).isEmpty)
    }

    @Test func whatAnEarlierProcessIsStillEnteringIsLeftWhenItEnds() {
        var timeline = EngineTimeline(.pair("slow"))
        var earlier = EngineTimeline(.pair("slow"))
        _ = earlier.go("A", .background)
        #expect(timeline.restore(earlier.engine.owed[0], running: .enter) == ["follow enter slow A"])
        #expect(timeline.end("enter slow A") == ["leave slow A"])
    }

    @Test func whatAnEarlierProcessIsStillLeavingIsNotLeftAgain() {
        var timeline = EngineTimeline(.pair("slow"))
        var earlier = EngineTimeline(.pair("slow"))
        _ = earlier.go("A", .background)
        #expect(timeline.restore(earlier.engine.owed[0], running: .leave) == ["follow leave slow A"])
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("leave slow A") == ["enter slow A"])
    }
    /// Both jobs share a lane: behind the `enter`, the `leave` would wait for a job that waits for it.
    @Test func whatIsOwedIsLeftBeforeWhatCameWhileTheRecordWasRead() {
        var earlier = EngineTimeline(.pair("slow"))
        _ = earlier.go("A", .background)
        var timeline = EngineTimeline(.pair("slow"), restored: nil)
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.restore(earlier.engine.owed[0]) == ["leave slow A"])
        #expect(timeline.end("leave slow A") == ["enter slow A"])
    }
}
