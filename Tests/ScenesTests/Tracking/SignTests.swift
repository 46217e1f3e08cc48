import Testing

@testable import Scenes

/// Signs that an application may soon be used, before its phase settles.
@Suite struct SignTests {
    private var timeline = Timeline("a", "b", focus: "b", settle: 1_000)

    init() {
        timeline.tracker.reportsSigns = true
    }

    /// Hides window a and waits until the change is reported.
    private mutating func hide(_ hide: (inout Timeline) -> Void) {
        hide(&timeline)
        #expect(timeline.wait(1_000).contains { $0.hasPrefix("a ") && $0.contains("→background") })
        #expect(timeline.tracker.takeSigns().isEmpty)
    }

    /// Shows the window again and returns the signs. Nothing is reported yet.
    private mutating func signs(_ show: (inout Timeline) -> [String]) -> Set<String> {
        #expect(show(&timeline).isEmpty)
        return timeline.tracker.takeSigns()
    }

    @Test mutating func aMappedWindowIsASign() {
        hide { $0.iconify("a") }
        #expect(signs { $0.deiconify("a") } == ["A"])
        #expect(timeline.tracker.takeSigns().isEmpty)
    }

    /// The window manager focuses the window first and raises it later.
    @Test mutating func theFocusOfACoveredWindowIsASign() {
        timeline = Timeline("b", focus: "b", settle: 1_000, occlusion: 1_000) { timeline in
            let windows = [timeline.names.create("a"), timeline.names.create("c")]
            timeline.arrange { desktop in
                desktop.stacking.followsCovers = true
                for window in windows {
                    desktop.add(window)
                    desktop.putOnTop(window.id.xid, 0, 0, 10, 10)
                }
            }
        }
        timeline.tracker.reportsSigns = true
        _ = timeline.tracker.takeSigns()
        #expect(signs { $0.focus("a") } == ["A"])
    }

    @Test func nothingIsASignAtTheStart() {
        var timeline = Timeline("a", "b", focus: "b") { $0.tracker.reportsSigns = true }
        #expect(timeline.tracker.takeSigns().isEmpty)
    }

    @Test mutating func aWindowThatIsMappedWhileNobodySeesItIsNoSignYet() {
        hide { $0.iconify("a") }
        timeline.limit(.away)
        timeline.wait(1_000)
        #expect(signs { $0.deiconify("a") }.isEmpty)
    }

    @Test mutating func aShownDesktopIsASignOfItsWindows() {
        hide { $0.goToDesktop(1) }
        #expect(signs { $0.goToDesktop(0, focus: "b") } == ["A", "B"])
    }

    @Test mutating func everythingIsShownAgain() {
        hide { $0.limit(.away) }
        #expect(signs { $0.limit(.away, ends: true) } == ["A", "B"])
    }

    @Test mutating func theFocusOfAVisibleWindowIsASign() {
        #expect(signs { $0.focus("a") } == ["A"])
    }

    @Test mutating func anotherWindowOfWhatIsActiveGetsTheFocus() {
        timeline = Timeline("a", "a.2", focus: "a", settle: 1_000)
        timeline.tracker.reportsSigns = true
        #expect(signs { $0.focus("a.2") }.isEmpty)
    }

    @Test mutating func onlyItsTitleChanges() {
        hide { $0.iconify("a") }
        #expect(signs { $0.edit("a") { $0.title = "new" } }.isEmpty)
        timeline.tracker.reportsSigns = false
        #expect(signs { $0.deiconify("a") }.isEmpty)
    }
}
