import Testing

@testable import Scenes

@Suite struct FocusMoveTests {
    @Test(arguments: [0, 6, 99])
    func bothWindowsChangeTogetherAfter20Milliseconds(withoutFocus: Int) {
        var timeline = Timeline("a", "b", focus: "a")
        #expect(timeline.focus(nil) + timeline.wait(withoutFocus) == [])
        #expect(timeline.focus("b") == [])
        #expect(timeline.exactly(20) == ["a active→inactive blur", "b inactive→active focus"])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func theFocusThatComesBackIsNotReported() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.focus("b")
        #expect(timeline.wait(19) == [])
        #expect(timeline.focus("a") == [])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func aWindowThatIsOnlyPassedByIsNotReported() {
        var timeline = Timeline("a", "b", "c", focus: "a")
        timeline.focus("b")
        #expect(timeline.wait(10) == [])
        timeline.focus("c")
        #expect(timeline.exactly(20) == ["a active→inactive blur", "c inactive→active focus"])
    }

    @Test func theMoveIsNotPureIfTheOldWindowReadAnythingElseSinceTheFirstSign() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.iconify("a")
        timeline.wait(5)
        timeline.deiconify("a")
        timeline.focus("b")
        #expect(timeline.exactly(100) == ["a active→inactive blur", "b inactive→active focus"])
    }

    @Test func aWindowThatRisesWaitsForTheOneItFollows() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.focus("b")
        timeline.wait(10)
        timeline.iconify("a")
        #expect(timeline.exactly(100) == ["a active→background iconify", "b inactive→active focus"])
    }

    @Test func movesInsideAnApplicationAreNoChangesOfIt() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1", levels: [.group, .application])
        timeline.focus("e.2")
        #expect(timeline.wait(1_000) == [])
        timeline.focus(nil)
        timeline.wait(99)
        timeline.focus("e.1")
        #expect(timeline.wait(1_000) == [])
    }

    @Test func anApplicationDoesNotLeaveItsPhaseWhenItsOtherWindowTakesOverAsOneIsIconified() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1", levels: [.scene, .application])
        timeline.focus(nil)
        timeline.wait(3)
        timeline.iconify("e.1")
        timeline.wait(40)
        timeline.focus("e.2")
        #expect(timeline.wait(100) == ["e.1 active→background iconify", "e.2 inactive→active focus"])
    }

    // MARK: openbox focuses a window 80 ms before it maps it

    @Test(arguments: [80, 99, 101, 300])
    func theBlurWaitsForAWindowThatHasTheFocusAndIsNotVisibleYet(delay: Int) {
        var timeline = Timeline("a", "b", focus: "a", arrange: { $0.arrangeIconic("b") })
        #expect(timeline.focus("b") == [])
        #expect(timeline.wait(delay) == [])
        #expect(timeline.deiconify("b") == [])
        #expect(timeline.exactly(100) == ["a active→inactive blur", "b background→active deiconify"])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func aNewWindowIsAwaitedAsWell() {
        var timeline = Timeline("a", focus: "a")
        let window = timeline.names.create("b").with { $0.mapState = .unmapped }
        timeline.change { desktop in
            desktop.add(window)
            desktop.screen.activeWindow = window.id.xid
        }
        timeline.wait(90)
        timeline.map("b")
        #expect(timeline.exactly(100) == ["a active→inactive blur", "b opened active open"])
    }

    @Test func theWaitEnds500MillisecondsAfterTheFirstSign() {
        var timeline = Timeline("a", "b", focus: "a", arrange: { $0.arrangeIconic("b") })
        timeline.focus("b")
        #expect(timeline.exactly(500) == ["a active→inactive blur"])
    }

    @Test func aWindowThatIsNotManagedIsNotAwaited() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.withdraw("b")
        timeline.wait(100)
        timeline.focus("b")
        #expect(timeline.exactly(100) == ["a active→inactive blur"])
    }

    @Test func aManagerThatKeepsNamingAWindowItHidesDoesNotDelayThat() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.unmap("a")
        #expect(timeline.exactly(100) == ["a active→background unmap"])
    }
}
