import Testing

@testable import Scenes

/// What a pending change waits for, and what it does not wait for.
@Suite struct WaitingTests {
    @Test func applicationsThatASceneJoinsSettleTogether() {
        var timeline = Timeline("p", "q", "p.2", levels: [.scene, .application])
        timeline.iconify("p")
        timeline.iconify("q")
        #expect(timeline.wait(50) == [])
        timeline.edit("p.2") { $0.className = "Q" }
        #expect(
            timeline.exactly(100) == [
                "p inactive→background iconify", "p.2 closed inactive regroup",
                "app P inactive→background iconify", "q inactive→background iconify",
                "p.2 opened inactive regroup",
            ])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func joinedApplicationsAreJoinedForLaterScenesToo() {
        var timeline = Timeline("p", "q.2", "p.2", "r", levels: [.scene])
        timeline.iconify("p")
        timeline.edit("q.2") { $0.className = "R" }
        timeline.iconify("r")
        #expect(timeline.wait(50) == [])
        timeline.edit("p.2") { $0.className = "Q" }
        #expect(timeline.exactly(100).count == 6)
        #expect(timeline.wait(1_000) == [])
    }

    /// The focus is about to move to an iconic window.
    @Test func onlyTheLossOfTheFocusWaitsForAnAwaitedFocus() {
        var timeline = Timeline("a", "b", "c", focus: "a", arrange: { $0.arrangeIconic("b") })
        timeline.focus("b")
        timeline.iconify("c")
        #expect(timeline.exactly(100) == ["c inactive→background iconify"])
    }

    @Test func theLossOfTheFocusDoesNotOutlastTheOpeningOfTheWindowWithTheFocus() {
        var timeline = Timeline("a", focus: "a")
        timeline.open("b")
        let dialog = timeline.names.create("b.2").with { [names = timeline.names] in
            ($0.transientFor, $0.mapState) = (names["b"], .unmapped)
        }
        timeline.change {
            $0.add(dialog)
            $0.screen.activeWindow = dialog.id.xid
        }
        #expect(timeline.exactly(100) == ["b opened inactive open", "a active→inactive blur"])
    }

    /// A locker may take the focus before the lock is certain.
    @Test func anAwaitedLockDoesNotDelayAWindowThatOpensWithTheFocus() {
        var timeline = Timeline("a", focus: "a")
        timeline.open("b", focus: true)
        timeline.limit(.lock)
        #expect(timeline.exactly(100) == ["a active→inactive blur", "b opened active open"])
    }

    @Test func aHiddenWindowOfAnApplicationDoesNotDelayAnotherOne() {
        var timeline = Timeline("e.1", "e.2", arrange: { $0.arrangeIconic("e.1") })
        timeline.edit("e.1") { $0.desktop = 1 }
        timeline.iconify("e.2")
        #expect(timeline.exactly(100) == ["e.2 inactive→background iconify"])
    }

    @Test func theLongestWaitCountsFromTheFirstSignOfAnyOfThem() {
        var timeline = Timeline("e.1", "e.2")
        timeline.iconify("e.1")
        for step in 1..<10 {
            #expect(timeline.wait(50) == [])
            timeline.edit("e.1") { $0.desktop = step.isMultiple(of: 2) ? 0 : 1 }
            if step == 6 { timeline.iconify("e.2") }
        }
        #expect(
            timeline.exactly(50) == [
                "e.1 inactive→background desktop", "e.2 inactive→background iconify",
            ])
    }

    @Test func aBatchWaits10MillisecondsFromItsFirstChange() {
        var timeline = Timeline("a", "b", "c")
        for name in ["a", "b", "c"] {
            timeline.iconify(name)
            timeline.wait(8)
        }
        #expect(
            timeline.exactly(84) == ["a inactive→background iconify", "b inactive→background iconify"])
        #expect(timeline.exactly(8) == ["c inactive→background iconify"])
    }

    @Test func whereAllVisibleScenesAreActiveTheyDoNotWaitForEachOther() {
        var timeline = Timeline("a", "b", policy: .visible)
        timeline.iconify("a")
        #expect(timeline.wait(60) == [])
        timeline.iconify("b")
        #expect(timeline.exactly(40) == ["a active→background iconify"])
        #expect(timeline.exactly(60) == ["b active→background iconify"])
    }

    @Test func theFocusThatComesBackDelaysTheNextMoveByNothing() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.focus("b")
        timeline.wait(10)
        timeline.focus("a")
        timeline.wait(30)
        timeline.focus("b")
        #expect(timeline.exactly(20) == ["a active→inactive blur", "b inactive→active focus"])
    }

    @Test func aMoveOfTheFocusFromAWindowWithANewNameTakesLonger() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.edit("a") { $0.className = "New" }
        timeline.focus("b")
        #expect(
            timeline.exactly(100) == [
                "a closed active regroup", "b inactive→active focus", "a opened inactive regroup",
            ])
    }

    /// WM_STATE Iconic on viewable windows counts for half a second.
    @Test func eachIconicWindowIsShownAgainInItsTime() {
        var timeline = Timeline("a", "b")
        timeline.edit("a") { ($0.topLevel, $0.state) = (0x900, .iconic) }
        #expect(timeline.wait(300) == ["a inactive→background iconify"])
        timeline.edit("b") { ($0.topLevel, $0.state) = (0x901, .iconic) }
        #expect(timeline.wait(100) == ["b inactive→background iconify"])
        #expect(timeline.exactly(200) == ["a background→inactive deiconify"])
        #expect(timeline.exactly(300) == ["b background→inactive deiconify"])
    }

    @Test(arguments: ["unmapped", "without a frame", "gone"])
    func anIconicWindowThatCannotBeShownAgainCausesNoWakeup(_ which: String) {
        var timeline = Timeline("a")
        timeline.edit("a") {
            $0.state = .iconic
            $0.topLevel = which == "without a frame" ? $0.id.xid : 0x900
            if which == "unmapped" { $0.mapState = .unmapped }
        }
        if which == "gone" { timeline.destroy("a") }
        timeline.wait(100)
        #expect(timeline.wake == nil)
    }

    /// Returns what is reported when e.1 is destroyed shortly before the display counts as hidden.
    private static func destroyed(_ timeline: inout Timeline) -> [String] {
        timeline.limit(.away)
        timeline.wait(50)
        let xid = timeline.names["e.1"]
        return timeline.changeLate(50) { $0.remove(xid) }
    }

    @Test func aWindowThatIsDestroyedAsTheDisplayIsHiddenClosesAtOnce() {
        var timeline = Timeline("e.1", "e.2")
        #expect(
            Self.destroyed(&timeline) == [
                "notice: away: another virtual terminal is shown", "e.1 inactive→background away",
                "e.2 inactive→background away", "e.1 closed background close",
            ])
    }

    /// The application has left its phase already: no other window keeps it there.
    @Test func anActiveWindowThatIsDestroyedAsTheDisplayIsHiddenClosesAfter20Milliseconds() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1")
        #expect(
            Self.destroyed(&timeline) == [
                "notice: away: another virtual terminal is shown", "e.1 active→background away",
                "e.2 inactive→background away",
            ])
        #expect(timeline.exactly(20) == ["e.1 closed background close"])
    }

    @Test func windowsThatOpenDoNotWaitForEachOther() {
        var timeline = Timeline()
        timeline.open("a")
        timeline.wait(50)
        timeline.open("b")
        #expect(timeline.exactly(50) == ["a opened inactive open"])
        #expect(timeline.exactly(50) == ["b opened inactive open"])
    }

    // MARK: The session

    @Test func theFirstLimitThatSettlesIsReportedFirst() {
        var timeline = Timeline("a", focus: "a")
        timeline.limit(.lock)
        timeline.limit(.displayOff)
        #expect(timeline.exactly(100).last == "a active→background display-off")
    }

    @Test func aLimitThatBeginsIsNotTheCauseOfARise() {
        var timeline = Timeline("a", focus: "a")
        timeline.limit(.lock)
        timeline.wait(1_000)
        timeline.tracker.follow(policy: .focus, delays: Delays(), states: [.away])
        #expect(timeline.limit(.idle).last == "a background→inactive resync")
    }
}

extension Timeline {
    /// Advances the clock without updating the tracker, as on a busy machine, changes the desktop, and returns the lines of
    /// the update.
    mutating func changeLate(_ milliseconds: Int, _ edit: (inout Desktop) -> Void) -> [String] {
        sleep(milliseconds)
        return change(edit)
    }
}
