import Testing

@testable import Scenes

/// What a handover of the window manager awaits, and what is left of it.
@Suite struct HandoverTests {
    /// No window has the focus, so nothing but the check window is awaited.
    @Test(arguments: [true, false])
    func theCheckWindowIsAwaited(ofTheFirstManager isFirst: Bool) {
        var timeline = Timeline("a") { if isFirst { $0.arrange { $0.screen.manager = nil } } }
        if !isFirst { timeline.killManager() }
        timeline.change { $0.screen.manager = Screen.Manager() }
        #expect(timeline.wait(1_000) == [])
        timeline.startManager("xfwm4")
        #expect(timeline.exactly(300) == ["notice: xfwm4 took over; phases were read again"])
    }

    @Test func anotherOwnerOfTheSelectionDuringAHandoverDoesNotBeginItAgain() {
        var timeline = Timeline("a") { $0.arrange { $0.screen.selectionOwner = 5 } }
        timeline.startManager("metacity", check: 0x400_0077)
        timeline.wait(10)
        timeline.change { $0.screen.selectionOwner = 6 }
        #expect(timeline.exactly(300) == ["notice: metacity took over; phases were read again"])
    }

    @Test func factsNeedNotSettleAfterIt() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.startManager("metacity", check: 0x400_0077)
        timeline.edit("b") {
            $0.desktop = 1
            $0.iconify()
        }
        #expect(timeline.wait(1_000).last == "b inactive→background window-manager")
        #expect(timeline.changes(.scene).last?.scene?.desktop == 1)
    }

    /// A recording has no reading without news.
    @Test func factsAreReportedAfterItThoughTheLastReadingFoundNothingNew() {
        var timeline = Timeline("a", "b")
        timeline.startManager("metacity", check: 0x400_0077)
        timeline.edit("b") {
            $0.desktop = 1
            $0.iconify()
        }
        timeline.sleep(300)
        var tracker = timeline.tracker
        let first = tracker.update(to: timeline.desktop, hasRead: false, at: timeline.now)
        let last = tracker.update(to: timeline.desktop, hasRead: false, at: timeline.now)
        #expect(first.wantsFullRead && !last.wantsFullRead)
        #expect(last.events.compactMap(\.change).first?.scene?.desktop == 1)
    }

    @Test func aChangePendingBeforeAHandoverSettlesAnew() {
        var timeline = Timeline("a", "b")
        timeline.unmap("b")
        timeline.wait(50)
        timeline.killManager()
        timeline.startManager()
        timeline.wait(1_000)
        timeline.unmap("b")
        #expect(timeline.exactly(100) == ["b inactive→background unmap"])
    }

    @Test func nothingHasSettledWhileSomethingOlderIsPending() {
        var timeline = Timeline("a", "b", focus: "a")
        let start = timeline.now
        #expect(timeline.tracker.hasSettled(since: start))
        timeline.killManager()
        #expect(!timeline.tracker.hasSettled(since: start))
        timeline.startManager()
        timeline.focus("a")
        timeline.wait(1_000)
        #expect(timeline.tracker.hasSettled(since: timeline.now))
        timeline.limit(.away)
        #expect(!timeline.tracker.hasSettled(since: start))
        timeline.wait(100)
        timeline.unmap("b")
        #expect(timeline.tracker.hasSettled(since: start))
        #expect(!timeline.tracker.hasSettled(since: timeline.now))
    }
}
