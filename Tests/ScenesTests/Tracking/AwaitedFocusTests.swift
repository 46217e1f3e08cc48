import Testing

@testable import Scenes

/// openbox focuses a window 80 ms before it maps it.
@Suite struct AwaitedFocusTests {
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
