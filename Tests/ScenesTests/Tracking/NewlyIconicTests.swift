import Testing

@testable import Scenes

/// WM_STATE Iconic on viewable windows in frames.
@Suite struct NewlyIconicTests {
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
