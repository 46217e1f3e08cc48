import Testing

@testable import Scenes

@Suite struct ManagerDeathTests {
    @Test func aNoticeIsReportedAtOnceAndNoPhaseChangesFor2Seconds() {
        var timeline = Timeline("a", "b", focus: "a", levels: Set(Change.Level.allCases))
        timeline.iconify("b")
        timeline.wait(1_000)
        #expect(timeline.killManager() == ["notice: openbox went away; phases are frozen"])
        for _ in 0..<19 {
            #expect(timeline.wait(100) == [])
            timeline.change { $0.inputFocus = .underPointer(nil) }
        }
        #expect(timeline.wait(99) == [])
        #expect(timeline.fullReads == 0)
        #expect(
            timeline.wait(1) == [
                "notice: no window manager; every mapped window counts",
                "a active→inactive window-manager", "group a active→inactive window-manager",
                "app A active→inactive window-manager",
                "b background→inactive window-manager", "group b background→inactive window-manager",
                "app B background→inactive window-manager",
            ])
        #expect(timeline.fullReads == 1)
        #expect(timeline.wake == nil)
    }

    @Test func changesAreReportedAgainAfterTheThaw() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.killManager()
        timeline.wait(2_000)
        let xid = timeline.names["b"]
        timeline.change { $0.inputFocus = .window(xid) }
        #expect(timeline.wait(100) == ["b inactive→active focus"])
        timeline.unmap("a")
        #expect(timeline.wait(100) == ["a closed inactive close"])
    }

    @Test func aChangePendingWhenTheManagerDiesIsNotBelieved() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.focus("b")
        timeline.wait(10)
        timeline.killManager()
        #expect(timeline.wait(1_999) == [])
    }

    @Test func destroyedWindowsAreReportedDuringTheFreeze() {
        var timeline = Timeline("a", "b", focus: "a", levels: [.scene, .application])
        timeline.killManager()
        timeline.wait(500)
        #expect(
            timeline.destroy("a") == [
                "a closed active close", "app A active→background close", "app A closed background close",
            ])
        #expect(timeline.exactly(1500) == ["notice: no window manager; every mapped window counts"])
    }

    @Test func scenesThatOpenAndCloseDuringAHandoverAreReportedAfterItAsThat() {
        var timeline = Timeline("a", "b", focus: "b")
        timeline.killManager()
        timeline.wait(500)
        #expect(timeline.withdraw("a") == [])
        #expect(timeline.open("c") == [])
        #expect(
            timeline.exactly(1500) == [
                "notice: no window manager; every mapped window counts",
                "a closed inactive close", "b active→inactive window-manager", "c opened inactive open",
            ])
    }

    @Test func aClassThatChangesDuringTheFreezeIsReportedAfterIt() {
        var timeline = Timeline("a", levels: [.application])
        timeline.killManager()
        timeline.edit("a") { $0.className = "New" }
        #expect(
            timeline.wait(2_000) == [
                "notice: no window manager; every mapped window counts",
                "app A closed inactive regroup", "app New opened inactive regroup",
            ])
    }

    @Test func aDisplayThatNeverHadAManagerIsNotFrozen() {
        var timeline = Timeline("a", arrange: { $0.arrange { $0.screen = Screen() } })
        #expect(timeline.started == ["a initial inactive start"])
        let xid = timeline.names["a"]
        timeline.change { $0.inputFocus = .window(xid) }
        #expect(timeline.wait(100) == ["a inactive→active focus"])
    }
}
