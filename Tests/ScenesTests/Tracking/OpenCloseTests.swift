import Testing

@testable import Scenes

@Suite struct OpenCloseTests {
    @Test func aWindowThatOpensIsBelievedAfter100Milliseconds() {
        var timeline = Timeline(levels: Set(Change.Level.allCases))
        #expect(timeline.open("a") == [])
        #expect(
            timeline.exactly(100) == [
                "a opened inactive open", "group a opened inactive open", "app A opened inactive open",
            ]
        )
    }

    @Test func aWindowThatOpensWithTheFocusTakesItFromTheOtherInTheSameMoment() {
        var timeline = Timeline("a", focus: "a")
        #expect(timeline.open("b", focus: true) == [])
        #expect(timeline.exactly(100) == ["a active→inactive blur", "b opened active open"])
    }

    /// mutter opens windows like this in GNOME Shell's overview.
    @Test func aWindowThatIsListedBeforeItIsMappedOpensOnce() {
        var timeline = Timeline("a", focus: "a")
        timeline.open("b")
        timeline.edit("b") { $0.mapState = .unmapped }
        #expect(timeline.wait(380) == [])
        timeline.edit("b") { $0.mapState = .viewable }
        #expect(timeline.exactly(100) == ["b opened inactive open"])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func theScenesOfAnApplicationWaitForItsWindowThatIsListedBeforeItIsMapped() {
        var timeline = Timeline("e.1")
        timeline.open("e.2")
        timeline.unmap("e.2")
        timeline.iconify("e.1")
        #expect(timeline.wait(380) == [])
        timeline.map("e.2")
        #expect(timeline.exactly(100) == ["e.1 inactive→background iconify", "e.2 opened inactive open"])
    }

    @Test(arguments: [WindowFacts.ManagedState.normal, .iconic, nil])
    func aWindowThatStaysUnmappedOpensAtLast(_ state: WindowFacts.ManagedState?) {
        var timeline = Timeline("a", focus: "a")
        timeline.open("b")
        timeline.edit("b") { ($0.mapState, $0.state) = (.unmapped, state) }
        #expect(timeline.wait(state == .normal ? 499 : 99) == [])
        #expect(timeline.wait(1) == ["b opened background open"])
    }

    @Test func aWindowThatIsGoneBeforeItWasBelievedIsNotReported() {
        var timeline = Timeline("a")
        timeline.open("b")
        timeline.wait(60)
        #expect(timeline.destroy("b") == [])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func anApplicationThatLosesItsLastSceneGoesToTheBackgroundAndIsThenClosed() {
        var timeline = Timeline("a", focus: "a", levels: Set(Change.Level.allCases))
        timeline.wait(3_000)
        #expect(
            timeline.destroy("a") == [
                "a closed active close", "group a closed active close", "app A active→background close",
                "app A closed background close",
            ])
        let reported = timeline.changes(.application).suffix(2)
        #expect(reported.map(\.held) == [.seconds(3), .zero])
        #expect(reported.map(\.to) == [.background, nil])
    }

    @Test func anApplicationInTheBackgroundIsClosedOnly() {
        var timeline = Timeline("a", levels: [.application], arrange: { $0.arrangeIconic("a") })
        timeline.wait(1_500)
        #expect(timeline.destroy("a") == ["app A closed background close"])
        #expect(timeline.changes(.application).last?.held == .milliseconds(1_500))
    }

    @Test func anApplicationThatOpensAgainIsNotMistakenForTheNext() {
        var timeline = Timeline("a", levels: [.application])
        for name in ["a", "b", "c"] {
            timeline.destroy("a")
            timeline.open("a")
            timeline.open(name + ".2")
            timeline.wait(1_000)
        }
        timeline.focus("c.2")
        #expect(timeline.wait(100) == ["app C inactive→active focus"])
        timeline.focus("a")
        #expect(timeline.wait(100) == ["app C active→inactive blur", "app A inactive→active focus"])
    }

    @Test func applicationsThatAreClosedAreForgotten() {
        var timeline = Timeline()
        for number in 0..<100 {
            timeline.open("a\(number)")
            timeline.wait(100)
            timeline.destroy("a\(number)")
        }
        // One application and its group.
        #expect(timeline.tracker.table.groups.count == 2)
    }

    @Test func aGroupThatLosesItsLastSceneIsClosedThoughTheApplicationGoesOn() {
        var timeline = Timeline("e", "e/find", levels: Set(Change.Level.allCases))
        #expect(
            timeline.destroy("e/find") == [
                "e/find closed inactive close", "group find closed inactive close",
            ])
    }

    @Test func aWindowThatIsUnmappedBeforeItLeavesTheListIsClosedOnce() {
        var timeline = Timeline("a", "b", focus: "b")
        #expect(timeline.unmap("a") == [])
        #expect(timeline.wait(11) == [])
        #expect(timeline.withdraw("a") == [])
        #expect(timeline.exactly(100) == ["a closed inactive close"])
        #expect(timeline.wait(1_000) == [])
    }

    // MARK: WM_STATE Iconic on viewable windows in frames

    /// xfwm4 shows an iconified dialog again with a desktop switch, and leaves its WM_STATE.
    @Test func aWindowThatStaysViewableIsIconicForHalfASecond() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.edit("b") { ($0.topLevel, $0.state) = (0x900, .iconic) }
        #expect(timeline.wait(100) == ["b inactive→background iconify"])
        #expect(timeline.exactly(500) == ["b background→inactive deiconify"])
        #expect(timeline.wait(10_000) == [] && timeline.wake == nil)
        timeline.edit("b") { $0.mapState = .unmapped }
        #expect(timeline.wait(1_000) == ["b inactive→background iconify"])
        timeline.edit("b") { $0.mapState = .viewable }
        #expect(timeline.wait(400) == [])
    }

    @Test func anIconicWindowThatIsShownAtTheStartIsVisible() {
        let timeline = Timeline(
            "a", focus: "a",
            arrange: { timeline in
                let xid = timeline.names["a"]
                timeline.arrange { $0.edit(xid) { ($0.topLevel, $0.state) = (0x900, .iconic) } }
            })
        #expect(timeline.started == ["a initial active start"])
    }
}

extension Timeline {
    mutating func arrangeIconic(_ name: String) {
        let xid = names[name]
        arrange { $0.edit(xid) { $0.iconify() } }
    }
}
