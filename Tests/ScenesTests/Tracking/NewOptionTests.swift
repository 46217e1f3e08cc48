import Testing

@testable import Scenes

/// New options while the tracker runs, and delays other than the usual ones.
@Suite struct NewOptionTests {
    private static func follow(_ timeline: inout Timeline, _ policy: PhasePolicy = .focus, settle: Int = 100)
    {
        timeline.tracker.follow(policy: policy, delays: Delays(settle: .milliseconds(settle)), states: [])
    }

    @Test func optionsThatChangeBeforeTheStartAreThoseOfTheStart() {
        let timeline = Timeline("a") { Self.follow(&$0, .visible) }
        #expect(timeline.started == ["a initial active start"])
    }

    @Test func aSecondChangeUncoversAtOnceToo() {
        var timeline = Timeline("a", "b", occlusion: 0) {
            $0.arrange {
                $0.stacking.followsCovers = true
                $0.putOnTop(0x100, 0, 0, 200, 100)
                $0.putOnTop(0x101, 0, 0, 200, 100)
            }
        }
        #expect(timeline.started.first == "a initial background start")
        Self.follow(&timeline)
        Self.follow(&timeline, settle: 200)
        #expect(timeline.change { $0.stacking.followsCovers = false } == ["a background→inactive resync"])
    }

    @Test func theDeathOfAManagerHasTheNewDelays() {
        var timeline = Timeline("a", focus: "a")
        Self.follow(&timeline, settle: 0)
        #expect(timeline.killManager().first == "notice: openbox went away")
    }

    @Test func aPendingChangeSettlesAnewUnderNewOptions() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.unmap("b")
        timeline.wait(60)
        Self.follow(&timeline, .application)
        #expect(timeline.look() == [])
        #expect(timeline.exactly(100) == ["b inactive→background unmap"])
    }

    @Test func aChangeThatWasRevertedBeforeDelaysNoMoveOfTheFocus() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.unmap("a")
        timeline.map("a")
        Self.follow(&timeline, settle: 120)
        timeline.focus("b")
        #expect(timeline.exactly(20) == ["a active→inactive blur", "b inactive→active focus"])
    }

    @Test func withoutSettlingAnotherManagerIsBelievedAtOnce() {
        var timeline = Timeline("a", focus: "a", settle: 0)
        timeline.killManager()
        #expect(timeline.startManager("twm").contains("notice: twm took over; phases were read again"))
    }

    @Test func theFocusMovesAfterAShorterSettleTime() {
        var timeline = Timeline("a", "b", focus: "a", settle: 12)
        timeline.focus("b")
        #expect(timeline.exactly(12) == ["a active→inactive blur", "b inactive→active focus"])
    }

    @Test func aBatchWaitsNoLongerThanAShorterSettleTime() {
        var timeline = Timeline("a", "b", "c", settle: 5)
        timeline.iconify("a")
        timeline.wait(4)
        timeline.iconify("b")
        timeline.wait(4)
        timeline.iconify("c")
        #expect(
            timeline.exactly(1) == ["a inactive→background iconify", "b inactive→background iconify"])
        #expect(timeline.exactly(4) == ["c inactive→background iconify"])
    }

    @Test func aLockSettlesAfterALongerSettleTime() {
        var timeline = Timeline("a", focus: "a", settle: 2_000)
        timeline.limit(.lock)
        #expect(timeline.exactly(2_000).last == "a active→background lock")
    }
}
