import Testing

@testable import Scenes

@Suite struct SettlingTests {
    @Test func iconifyReadAsBlurThenBackgroundIsOneChangeAfter100Milliseconds() {
        var timeline = Timeline("a", "b", focus: "a")
        #expect(timeline.focus(nil) == [])
        #expect(timeline.wait(4) == [])
        #expect(timeline.iconify("a") == [])
        #expect(timeline.exactly(100) == ["a active→background iconify"])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func deiconifyReadAsInactiveThenActiveIsOneChange() {
        var timeline = Timeline("a", "b", focus: "b", arrange: { $0.arrangeIconic("a") })
        timeline.deiconify("a")
        timeline.wait(7)
        timeline.focus("a")
        #expect(timeline.exactly(100) == ["b active→inactive blur", "a background→active deiconify"])
    }

    /// openbox moves a deiconified window in from below the screen, which takes a while on a busy machine.
    @Test func deiconifyByWayOfAPlaceOffTheScreenIsDeiconify() {
        var timeline = Timeline("a", "b", focus: "b", arrange: { $0.arrangeIconic("a") })
        timeline.edit("a") {
            $0.deiconify()
            $0.geometry = Rectangle(x: 100, y: 5_000, width: 200, height: 100)
        }
        #expect(timeline.wait(300) == [])
        timeline.edit("a") { $0.geometry = Rectangle(x: 100, y: 500, width: 200, height: 100) }
        #expect(timeline.wait(1_000) == ["a background→inactive deiconify"])
    }

    @Test func aDesktopSwitchIsOneChangeOfEachScene() {
        var timeline = Timeline("a", "b", "c", focus: "a")
        timeline.edit("c") { $0.desktop = 1 }
        timeline.goToDesktop(0, focus: "a")
        timeline.wait(1_000)
        timeline.focus(nil)
        timeline.wait(2)
        timeline.goToDesktop(1)
        timeline.wait(3)
        timeline.focus("c")
        // b is due 3 ms before the others and waits for them, so all are in one batch and in its order.
        #expect(
            timeline.exactly(100) == [
                "a active→background desktop", "b inactive→background desktop", "c background→active desktop",
            ])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func aWindowUnmappedAndMappedAgainWithin30MillisecondsIsNotReported() {
        var timeline = Timeline("a", "b", focus: "a", levels: Set(Change.Level.allCases))
        timeline.unmap("a")
        #expect(timeline.wait(30) == [])
        #expect(timeline.map("a") == [])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func theFocusThatAWindowUnmappedAndMappedAgainLosesForAMomentIsNotReported() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.unmap("a")
        timeline.wait(20)
        timeline.map("a")
        timeline.wait(5)
        timeline.focus("b")
        #expect(timeline.wait(60) == [])
        #expect(timeline.focus("a") == [])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func theFocusMovesAsSoonAsEverOnceAWindowHasBeenStill() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.unmap("a")
        timeline.map("a")
        timeline.wait(100)
        timeline.focus("b")
        #expect(timeline.wait(20) == ["a active→inactive blur", "b inactive→active focus"])
    }

    @Test func aWindowThatIsReparentedIsNotReported() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.withdraw("a")
        timeline.wait(1)
        timeline.change { desktop in
            for xid in desktop.windows.windows.map(\.id.xid) {
                desktop.edit(xid) {
                    $0.mapState = .viewable
                    $0.state = .normal
                }
                desktop.screen.clients?.insert(xid)
            }
        }
        #expect(timeline.wait(1_000) == [])
    }

    @Test func aFlappingWindowIsBelieved500MillisecondsAfterTheFirstSign() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.focus(nil)
        for step in 1..<10 {
            #expect(timeline.wait(50) == [])
            if step.isMultiple(of: 2) { timeline.deiconify("a") } else { timeline.iconify("a") }
        }
        #expect(timeline.exactly(50) == ["a active→background iconify"])
    }

    @Test func windowsOfDifferentApplicationsDoNotWaitForEachOther() {
        var timeline = Timeline("a", "b", "c", focus: "a")
        timeline.iconify("b")
        timeline.wait(60)
        timeline.iconify("c")
        #expect(timeline.wait(40) == ["b inactive→background iconify"])
        #expect(timeline.wait(60) == ["c inactive→background iconify"])
    }

    @Test func anotherReasonToBeHiddenIsNoChange() {
        var timeline = Timeline("a", arrange: { $0.arrangeIconic("a") })
        timeline.edit("a") { $0.desktop = 1 }
        #expect(timeline.wait(1_000) == [])
        timeline.edit("a") {
            $0.desktop = 0
            $0.deiconify()
        }
        #expect(timeline.wait(100) == ["a background→inactive desktop"])
    }

    @Test func earlyUpdatesChangeNothing() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.focus(nil)
        for _ in 0..<99 {
            timeline.wait(1)
            #expect(timeline.look() == [])
        }
        #expect(timeline.wait(1) == ["a active→inactive blur"])
        #expect(timeline.look() == [])
        #expect(timeline.wake == nil)
    }

    @Test func aLateUpdateReportsWhatWasDue() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.focus("b")
        let late = timeline.now + 3_000_000_000
        var tracker = timeline.tracker
        let update = tracker.update(to: timeline.desktop, hasRead: false, at: late)
        #expect(
            timeline.words(for: update.events) == ["a active→inactive blur", "b inactive→active focus"])
        #expect(update.next == nil)
    }
}
