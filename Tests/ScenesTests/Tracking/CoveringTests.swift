import Testing

@testable import Scenes

/// A window that others cover enters the background after a delay.
@Suite struct CoveringTests {
    /// Returns two windows side by side, a on the left, with an occlusion delay of two seconds.
    private func twoWindows(focus: String? = nil, policy: PhasePolicy = .focus) -> Timeline {
        Timeline("a", "b", focus: focus, policy: policy, occlusion: 2000) {
            $0.arrange { $0.stacking.followsCovers = true }
            $0.put("a", x: 0)
            $0.put("b", x: 300)
        }
    }

    @Test func aCoverCountsAfterItsDelayAndEndsAfterTheSettleTime() {
        var timeline = twoWindows()
        timeline.place("b", x: 0)
        #expect(timeline.wait(1990) == [])
        #expect(timeline.wait(10) == ["a inactive→background covered"])
        #expect(timeline.wake == nil)
        #expect(timeline.look() == [] && timeline.wake == nil)
        timeline.place("b", x: 50)
        #expect(timeline.wait(90) == [])
        #expect(timeline.wait(10) == ["a background→inactive uncovered"])
    }

    @Test func aDragAcrossAWindowReportsNothing() {
        var timeline = twoWindows()
        for x in stride(from: 300, to: -100, by: -10) as StrideTo<Int32> {
            timeline.place("b", x: x)
            #expect(timeline.wait(30) == [])
        }
        #expect(timeline.wait(5000) == [])
    }

    @Test func switchingOcclusionOffIsAResyncAndNotAnUncovering() {
        var timeline = twoWindows()
        timeline.place("b", x: 0)
        #expect(timeline.wait(2000) == ["a inactive→background covered"])
        timeline.tracker.follow(policy: .focus, delays: Delays(), states: [])
        timeline.arrange { $0.stacking.followsCovers = false }
        #expect(timeline.look() == ["a background→inactive resync"])
        #expect(timeline.wait(1000) == [])
    }

    @Test func theFocusGoesOverAtOnceAndTheCoverComesLater() {
        var timeline = twoWindows(focus: "a")
        timeline.focus("b")
        timeline.place("b", x: 0)
        #expect(timeline.wait(20) == ["a active→inactive blur", "b inactive→active focus"])
        #expect(timeline.wait(2000) == ["a inactive→background covered"])
        timeline.focus("a")
        timeline.place("a", x: 0)
        #expect(
            timeline.wait(3000) == [
                "b active→inactive blur", "a background→active uncovered",
                "b inactive→background covered",
            ])
    }

    @Test func aSceneThatIsCoveredAtTheStartIsSoAtOnce() {
        let timeline = Timeline("a", "b", occlusion: 2000) {
            $0.arrange { $0.stacking.followsCovers = true }
            $0.put("a", x: 0)
            $0.put("b", x: 0)
        }
        #expect(timeline.started == ["a initial background start", "b initial inactive start"])
        #expect(timeline.wake == nil)
    }

    @Test func whileNobodySeesAnythingNoCoverIsBelieved() {
        var timeline = twoWindows()
        timeline.limit(.away)
        timeline.wait(1000)
        timeline.place("b", x: 0)
        timeline.wait(5000)
        timeline.limit(.away, ends: true)
        timeline.wait(5)
        timeline.place("b", x: 300)
        #expect(
            timeline.wait(5000).dropFirst() == [
                "a background→inactive back", "b background→inactive back",
            ])
        timeline.limit(.away)
        timeline.wait(1000)
        timeline.place("b", x: 0)
        timeline.wait(5000)
        timeline.limit(.away, ends: true)
        #expect(
            timeline.wait(5000).dropFirst() == [
                "a background→inactive back", "b background→inactive back", "a inactive→background covered",
            ])
    }

    @Test func aSceneCoveredAtTheStartBehindAHiddenDisplayIsCoveredAfterItsDelay() {
        var timeline = Timeline("a", "b", occlusion: 2000) {
            $0.arrange {
                $0.stacking.followsCovers = true
                $0.session.isAway = true
            }
            $0.put("a", x: 0)
            $0.put("b", x: 0)
        }
        #expect(timeline.wake == nil)
        timeline.limit(.away, ends: true)
        #expect(
            timeline.wait(5000).dropFirst() == [
                "a background→inactive back", "b background→inactive back", "a inactive→background covered",
            ])
    }

    @Test func aCoveredWindowThatGetsANameStaysCovered() {
        var timeline = twoWindows()
        timeline.place("b", x: 0)
        timeline.wait(2000)
        let lines = timeline.edit("a") { $0.className = "New" }
        #expect(
            lines + timeline.wait(5000) == ["a closed background regroup", "a opened background regroup"])
    }

    @Test func anIconifiedOneIsHiddenForThatReason() {
        var timeline = twoWindows()
        timeline.place("b", x: 0)
        timeline.wait(500)
        timeline.edit("a") { ($0.state, $0.mapState) = (.iconic, .unmapped) }
        #expect(timeline.wait(5000) == ["a inactive→background iconify"])
        timeline.edit("a") { ($0.state, $0.mapState) = (.normal, .viewable) }
        // a comes back behind b.
        #expect(
            timeline.wait(5000) == ["a background→inactive deiconify", "a inactive→background covered"])
    }

    @Test func aWindowThatClosesWhileItsCoverIsAwaitedIsOnlyClosed() {
        var timeline = twoWindows()
        timeline.place("b", x: 0)
        timeline.wait(500)
        let xid = timeline.names["a"]
        timeline.arrange { $0.stacking.remove(xid) }
        #expect(timeline.destroy("a") + timeline.wait(5000) == ["a closed inactive close"])
    }
}

extension Timeline {
    /// Puts a window above all others and updates the tracker.
    fileprivate mutating func place(_ name: String, x: Int32) {
        put(name, x: x)
        _ = look()
    }

    /// Puts a window above all others without updating the tracker.
    fileprivate mutating func put(_ name: String, x: Int32) {
        let xid = names[name]
        arrange { $0.putOnTop(xid, x, 0, 200, 100) }
    }
}
