import Console
import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// A `leave` that is owed: by an earlier process, or since a limit kept it from starting.
@Suite struct LeaveRetryTests {
    @Test func whatAnEarlierProcessEnteredIsLeftFirst() {
        var play = Play(.pair("slow"))
        var earlier = Play(.pair("slow"))
        _ = earlier.go("A", .background)
        #expect(play.restore(earlier.schedule.debts[0]) == ["leave slow A"])
        #expect(play.go("A", .background).isEmpty)
        #expect(play.end("leave slow A") == ["enter slow A"])
    }

    @Test func aLeaveThatALimitKeptFromStartingIsTriedAgainLaterAndLater() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.go("A", .active)
        for delay in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            #expect(
                play.end("leave slow A", .postponed("full")) == [
                    "again in \(Duration.seconds(delay).text): leave slow A"
                ])
            #expect(play.schedule.next == play.now + .seconds(delay))
            #expect(play.schedule.debts.count == 1)
            #expect(play.wait(delay - 1).isEmpty || delay == 1)
            #expect(play.wait(1) == ["leave slow A"])
        }
        #expect(play.end("leave slow A").isEmpty)
        #expect(play.schedule.debts.isEmpty && play.schedule.isIdle && play.schedule.next == nil)
    }

    @Test func whatWaitsForALeaveThatIsTriedAgainKeepsItsPlace() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        #expect(play.replace(.pair("slow", after: 1)) == ["leave slow A"])
        _ = play.go("A", .active, .background)
        #expect(play.end("leave slow A", .postponed("full")) == ["again in 1s: leave slow A"])
        #expect(play.wait(1) == ["leave slow A"])
        #expect(play.end("leave slow A") == ["enter slow A"])
    }

    @Test func comingBackBeforeALeaveIsTriedAgainChangesNothing() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.go("A", .active)
        _ = play.end("leave slow A", .postponed("full"))
        #expect(play.go("A", .background).isEmpty)
        #expect(play.wait(10).isEmpty)
        #expect(play.go("A", .active) == ["leave slow A"])
    }

    @Test func stoppingTriesAgainAtOnceAndALimitThenLeavesItOwed() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.go("A", .active)
        _ = play.end("leave slow A", .postponed("full"))
        #expect(play.stop() == ["leave slow A"])
        _ = play.end("leave slow A", .postponed("full"))
        #expect(play.schedule.debts.count == 1)
    }

    @Test func anEnterThatALimitKeptFromStartingIsNotLeft() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        #expect(play.end("enter slow A", .postponed("full")).isEmpty)
        #expect(play.go("A", .active).isEmpty)
    }

    @Test func whatAnEarlierProcessIsStillEnteringIsLeftWhenItEnds() {
        var play = Play(.pair("slow"))
        var earlier = Play(.pair("slow"))
        _ = earlier.go("A", .background)
        #expect(play.restore(earlier.schedule.debts[0], running: .enter) == ["follow enter slow A"])
        #expect(play.end("enter slow A") == ["leave slow A"])
    }

    @Test func whatAnEarlierProcessIsStillLeavingIsNotLeftAgain() {
        var play = Play(.pair("slow"))
        var earlier = Play(.pair("slow"))
        _ = earlier.go("A", .background)
        #expect(play.restore(earlier.schedule.debts[0], running: .leave) == ["follow leave slow A"])
        #expect(play.go("A", .background).isEmpty)
        #expect(play.end("leave slow A") == ["enter slow A"])
    }
}
