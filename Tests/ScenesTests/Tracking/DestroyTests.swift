import Testing

@testable import Scenes

@Suite struct DestroyTests {
    @Test func aDestroyedWindowIsReportedAtOnce() {
        var timeline = Timeline("a", "b", focus: "b")
        #expect(timeline.destroy("a") == ["a closed inactive close"])
        #expect(timeline.destroy("b") == ["b closed active close"])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func aDestroyedWindowDoesNotWaitForWhatElseIsPending() {
        var timeline = Timeline("a", "b", "c", focus: "a")
        timeline.iconify("b")
        timeline.wait(50)
        #expect(timeline.destroy("c") == ["c closed inactive close"])
        #expect(timeline.wait(50) == ["b inactive→background iconify"])
    }

    @Test func theApplicationStaysActiveWhenItsOtherWindowGetsTheFocus5MillisecondsLater() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1", levels: Set(Change.Level.allCases))
        #expect(timeline.destroy("e.1") == [])
        timeline.wait(5)
        #expect(timeline.focus("e.2") == [])
        #expect(timeline.exactly(20) == ["e.1 closed active close", "e.2 inactive→active focus"])
    }

    /// The window manager moves the focus a few milliseconds before or after the end of the window.
    @Test(arguments: [true, false])
    func theFocusOfADestroyedWindowMovesOnInOneBatch(isDestroyedFirst: Bool) {
        var timeline = Timeline("a", "b", focus: "a", levels: [.scene, .application])
        if isDestroyedFirst { #expect(timeline.destroy("a") == []) } else { timeline.focus("b") }
        timeline.wait(5)
        if isDestroyedFirst { timeline.focus("b") } else { #expect(timeline.destroy("a") == []) }
        #expect(
            timeline.exactly(20) == [
                "a closed active close", "app A active→background close", "app A closed background close",
                "b inactive→active focus", "app B inactive→active focus",
            ])
    }

    @Test func aDestroyedWindowWaits20MillisecondsForAnotherThatMayGetItsFocus() {
        var timeline = Timeline("a", "b", focus: "a")
        #expect(timeline.destroy("a") == [])
        #expect(timeline.exactly(20) == ["a closed active close"])
        timeline.focus("b")
        #expect(timeline.exactly(100) == ["b inactive→active focus"])
    }

    @Test func aDestroyedWindowDoesNotWaitForWhatOpensInItsPlace() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.destroy("a")
        timeline.open("c", focus: true)
        #expect(timeline.exactly(20) == ["a closed active close"])
        #expect(timeline.exactly(80) == ["c opened active open"])
    }

    @Test func aDestroyedWindowThatNoOtherCanFollowIsReportedAtOnce() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.iconify("b")
        timeline.wait(1_000)
        #expect(timeline.destroy("a") == ["a closed active close"])
    }

    @Test func whereAllVisibleScenesAreActiveADestroyedWindowIsReportedAtOnce() {
        var timeline = Timeline("a", "b", policy: .visible, arrange: { $0.arrangeIconic("b") })
        timeline.deiconify("b")
        timeline.wait(50)
        #expect(timeline.destroy("a") == ["a closed active close"])
        #expect(timeline.exactly(50) == ["b background→active deiconify"])
    }

    @Test func theApplicationIsInactiveWhenItsOtherWindowDoesNotGetTheFocus() {
        var timeline = Timeline("e.1", "e.2", "b", focus: "e.1", levels: [.scene, .application])
        timeline.destroy("e.1")
        timeline.wait(5)
        timeline.focus("b")
        #expect(
            timeline.wait(100) == [
                "e.1 closed active close", "app E active→inactive close",
                "b inactive→active focus", "app B inactive→active focus",
            ])
    }

    @Test func aWindowWithoutTheFocusLeavesItsApplicationWhereItIsAndIsReportedAtOnce() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1", levels: [.scene, .application])
        #expect(timeline.destroy("e.2") == ["e.2 closed inactive close"])
    }

    @Test func aProgramThatEndsWithSeveralWindowsIsReportedAtOnceAndClosedOnce() {
        var timeline = Timeline("e.1", "e.2", "e/find", focus: "e.2", levels: [.scene, .application])
        #expect(
            timeline.destroy("e.1", "e.2", "e/find") == [
                "e.1 closed inactive close", "e.2 closed active close", "e/find closed inactive close",
                "app E active→background close", "app E closed background close",
            ])
    }

    @Test func aDialogThatIsDestroyedGivesTheFocusBackWithoutAWord() {
        var timeline = Timeline("e", focus: "e", levels: [.scene, .application])
        timeline.open("e.ask", dialogOf: "e", focus: true)
        #expect(timeline.wait(1_000) == [])
        timeline.destroy("e.ask")
        timeline.wait(3)
        timeline.focus("e")
        #expect(timeline.wait(1_000) == [])
    }

    @Test func aDialogOfAnotherClassLeavesItsWindowActiveAllTheTime() {
        var timeline = Timeline("e", focus: "e")
        timeline.open("z", dialogOf: "e", focus: true)
        #expect(timeline.wait(1_000) == ["z opened active open"])
        #expect(timeline.destroy("z") == ["z closed active close"])
        timeline.wait(3)
        timeline.focus("e")
        #expect(timeline.wait(1_000) == [])
    }

    @Test func aNewWindowWithTheIdOfADestroyedOneIsAnotherScene() {
        var timeline = Timeline("a", "b", focus: "b")
        let old = timeline.names.id("a")
        let new = timeline.names.create("c", xid: old.xid)
        #expect(timeline.change { $0.add(new) } == ["a closed inactive close"])
        #expect(timeline.wait(100) == ["c opened inactive open"])
        #expect(new.id != old)
        #expect(timeline.destroy("c") == ["c closed inactive close"])
    }

    /// The application lives on, so that the close would wait for the focus.
    @Test func anIdThatIsUsedAgainEndsTheOldSceneBeforeTheNewOneOpens() {
        var timeline = Timeline("h.1", "h.2", "b", focus: "h.1")
        let new = timeline.names.create("a", xid: timeline.names["h.1"])
        #expect(timeline.change { $0.add(new) } == ["h.1 closed active close"])
        #expect(timeline.wait(100) == ["a opened active open"])
    }

    @Test func anApplicationWhoseWindowIsReplacedUnderTheSameIdIsNotClosed() {
        var timeline = Timeline("e.1", "b", focus: "b", levels: [.scene, .application])
        let new = timeline.names.create("e.2", xid: timeline.names["e.1"])
        #expect(timeline.change { $0.add(new) } == [])
        #expect(timeline.wait(100) == ["e.1 closed inactive close", "e.2 opened inactive open"])
    }
}
