import Testing

@testable import Scenes

@Suite struct TakeoverTests {
    @Test func aManagerThatComesBackWithin2SecondsChangesNothing() {
        var timeline = Timeline("a", "b", focus: "a", levels: Set(Change.Level.allCases))
        timeline.iconify("b")
        timeline.wait(1_000)
        timeline.killManager()
        timeline.wait(500)
        #expect(timeline.startManager() == [])
        #expect(timeline.wait(299) == [])
        #expect(timeline.fullReads == 0)
        #expect(timeline.wait(1) == ["notice: openbox took over; phases were read again"])
        #expect(timeline.fullReads == 1)
        #expect(timeline.wait(10_000) == [])
    }

    @Test func theThawIs300MillisecondsAfterTheLastChange() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.killManager()
        timeline.wait(100)
        timeline.startManager("xfwm4")
        timeline.wait(200)
        #expect(timeline.focus("b") == [])
        timeline.wait(200)
        #expect(timeline.focus("a") == [])
        timeline.wait(200)
        // What the manager says of itself is a change, too.
        #expect(timeline.change { $0.screen.currentDesktop = 2 } == [])
        timeline.wait(200)
        #expect(timeline.iconify("b") == [])
        #expect(
            timeline.exactly(300) == [
                "notice: xfwm4 took over; phases were read again", "b inactive→background window-manager",
            ])
    }

    @Test(arguments: [100, 1_000])
    func aManagerThatHasNotGivenTheFocusYetIsAwaited(withoutManager: Int) {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.killManager()
        timeline.wait(withoutManager)
        timeline.arrange { $0.screen.activeWindow = 0 }
        timeline.startManager("awesome")
        #expect(timeline.wait(700) == [])
        #expect(timeline.focus("a") == [])
        #expect(timeline.exactly(300) == ["notice: awesome took over; phases were read again"])
    }

    /// awesome shows iconified windows while it starts, and gives the focus last.
    @Test(arguments: [PhasePolicy.application, .visible])
    func aManagerThatHasNotGivenTheFocusYetIsAwaitedUnderEveryPolicy(_ policy: PhasePolicy) {
        var timeline = Timeline("a", "b", focus: "a", policy: policy)
        timeline.iconify("b")
        timeline.wait(1_000)
        timeline.killManager()
        timeline.wait(100)
        timeline.startManager("awesome")
        timeline.focus(nil)
        let iconic = timeline.names["b"]
        timeline.change { $0.edit(iconic) { $0.mapState = .viewable } }
        #expect(timeline.wait(1_000) == [])
        timeline.change { $0.edit(iconic) { $0.mapState = .unmapped } }
        #expect(timeline.focus("a") == [])
        #expect(timeline.exactly(300) == ["notice: awesome took over; phases were read again"])
    }

    @Test func theFocusThatAManagerTakesAfterItHasReplacedAnotherIsAwaited() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.startManager("metacity", check: 0x400_0077)
        timeline.wait(100)
        timeline.focus(nil)
        #expect(timeline.wait(700) == [])
        timeline.focus("a")
        #expect(timeline.exactly(300) == ["notice: metacity took over; phases were read again"])
    }

    @Test func theFocusThatNobodyHadForLongIsNotAwaited() {
        var timeline = Timeline("a", focus: "a")
        timeline.focus(nil)
        timeline.wait(1_000)
        timeline.killManager()
        timeline.startManager()
        #expect(timeline.exactly(300) == ["notice: openbox took over; phases were read again"])
    }

    @Test func aManagerThatGivesNobodyTheFocusIsAwaited2Seconds() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.killManager()
        timeline.wait(100)
        timeline.startManager("awesome")
        timeline.focus(nil)
        #expect(
            timeline.exactly(2000) == [
                "notice: awesome took over; phases were read again", "a active→inactive window-manager",
            ])
    }

    @Test func aManagerThatHasNotSaidThatItIsThereIsAwaited() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.killManager()
        timeline.change { $0.screen.manager = Screen.Manager() }
        #expect(timeline.wait(700) == [])
        #expect(timeline.startManager("xfwm4") == [])
        #expect(timeline.exactly(300) == ["notice: xfwm4 took over; phases were read again"])
    }

    @Test func aManagerWithoutACheckWindowIsAwaited2Seconds() {
        var timeline = Timeline("a", focus: "a")
        timeline.killManager()
        timeline.wait(100)
        timeline.change { $0.screen.manager = Screen.Manager() }
        #expect(
            timeline.exactly(2000) == [
                "notice: the window manager took over; phases were read again",
                "a active→inactive window-manager",
            ])
    }

    @Test func aManagerWithoutACheckWindowAfterAnotherOneIsNotAwaited() {
        var timeline = Timeline("a", arrange: { $0.arrange { $0.haveUnknownManager() } })
        timeline.killManager()
        timeline.wait(100)
        timeline.change { $0.screen.manager = Screen.Manager() }
        #expect(timeline.exactly(300) == ["notice: the window manager took over; phases were read again"])
    }

    @Test func oneThatDiesDuringTheFreezeDoesNotLengthenItAndThePhasesAreRightOnceItIsBack() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.iconify("b")
        timeline.wait(1_000)
        timeline.killManager()
        timeline.wait(1_800)
        timeline.startManager()
        timeline.wait(100)
        #expect(timeline.killManager() == ["notice: openbox went away; phases are frozen"])
        #expect(timeline.wait(99) == [])
        // No window manager hides b now.
        #expect(
            timeline.wait(1) == [
                "notice: no window manager; every mapped window counts",
                "a active→inactive window-manager", "b background→inactive window-manager",
            ])
        timeline.wait(500)
        #expect(timeline.startManager() == [])
        #expect(timeline.focus("a") == [])
        #expect(
            timeline.wait(300) == [
                "notice: openbox took over; phases were read again",
                "b inactive→background window-manager", "a inactive→active window-manager",
            ])
        #expect(timeline.wait(10_000) == [])
    }

    @Test func oneThatIsFoundDeadByTheLastReadingDoesNotLengthenTheFreeze() {
        var timeline = Timeline("a", focus: "a")
        timeline.killManager()
        timeline.wait(1_900)
        timeline.startManager()
        timeline.focus("a")
        timeline.sleep(300)
        var (tracker, desktop) = (timeline.tracker, timeline.desktop)
        #expect(tracker.update(to: desktop, at: timeline.now).wantsFullRead)
        desktop.screen.manager = nil
        let last = tracker.update(to: desktop, at: timeline.now)
        #expect(!last.wantsFullRead)
        #expect(
            timeline.words(for: last.events).prefix(2) == [
                "notice: openbox went away; phases are frozen",
                "notice: no window manager; every mapped window counts",
            ])
    }

    @Test func aManagerThatNeverComesToRestIsBelievedAllTheSame() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.killManager()
        timeline.wait(100)
        timeline.startManager()
        for step in 0..<30 {
            timeline.wait(100)
            timeline.focus(step.isMultiple(of: 2) ? "b" : "a")
        }
        #expect(timeline.fullReads == 1)
    }

    @Test func aManagerThatReplacesAnotherWithoutAGapIsATakeover() {
        var timeline = Timeline("a", "b", focus: "a")
        #expect(timeline.startManager("metacity", check: 0x400_0077) == [])
        timeline.unmap("a")
        timeline.wait(60)
        timeline.map("a")
        #expect(timeline.exactly(300) == ["notice: metacity took over; phases were read again"])
    }

    @Test(arguments: ["a", nil])
    func theChangesOfAManagerThatIsBeingReplacedAreNotReported(focus: String?) {
        var timeline = Timeline(
            "a", "b", focus: focus, arrange: { $0.arrange { $0.screen.selectionOwner = 5 } })
        timeline.change { $0.screen.selectionOwner = 6 }
        timeline.focus(nil)
        #expect(timeline.wait(1_000) == [])
        #expect(timeline.killManager() == ["notice: openbox went away; phases are frozen"])
        timeline.startManager("kwin")
        timeline.focus(focus)
        #expect(timeline.wait(300) == ["notice: kwin took over; phases were read again"])
    }

    @Test(arguments: ["selection", "check window", "name"])
    func aManagerThatNamesItselfLateIsNoTakeover(_ what: String) {
        var timeline = Timeline(
            "a", "b", arrange: { if what == "check window" { $0.arrange { $0.haveUnknownManager() } } })
        timeline.change {
            switch what {
            case "selection": $0.screen.selectionOwner = 6
            case "check window": $0.screen.manager = Screen.Manager(checkWindow: 0x400_0033, name: "jwm")
            default: $0.screen.manager?.name = "Openbox 3"
            }
        }
        timeline.iconify("a")
        #expect(timeline.exactly(100) == ["a inactive→background iconify"])
        #expect(timeline.wait(1_000) == [] && timeline.fullReads == 0)
    }

    @Test func theFirstManagerOfADisplayIsATakeover() {
        var timeline = Timeline("a", arrange: { $0.arrange { $0.screen.manager = nil } })
        #expect(timeline.startManager("twm") == [])
        timeline.focus("a")
        #expect(
            timeline.wait(300) == [
                "notice: twm took over; phases were read again", "a inactive→active window-manager",
            ])
    }
}
