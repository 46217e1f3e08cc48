import Testing

@testable import Scenes

/// The scene in use, on all monitors or on one.
@Suite struct ActiveSceneTests {
    private func timeline(focus: String? = nil) -> Timeline {
        Timeline("a", "b", "c", focus: focus) { timeline in
            timeline.arrange { desktop in
                for window in desktop.windows.windows {
                    desktop.edit(window.id.xid) { $0.text.monitor = "left" }
                }
            }
        }
    }

    private func active(_ timeline: Timeline, on monitor: String = "left", topmost: String = "c") -> WindowID?
    {
        let top = timeline.names.id(topmost)
        return timeline.tracker.activeScene(on: monitor) { $0 == top ? 1 : 0 }
    }

    @Test func itIsTheTopmostOfThoseThatWereNeverActive() {
        let timeline = timeline()
        for name in ["a", "b", "c"] {
            #expect(active(timeline, topmost: name) == timeline.names.id(name))
        }
        #expect(active(timeline, on: "right") == nil)
    }

    @Test func itIsTheLastActiveOneThatIsNotHidden() {
        var timeline = timeline(focus: "a")
        timeline.focus("b")
        timeline.wait(100)
        timeline.focus(nil)
        timeline.wait(100)
        #expect(active(timeline) == timeline.names.id("b"))
        timeline.iconify("b")
        timeline.wait(100)
        #expect(active(timeline) == timeline.names.id("a"))
    }

    /// A dialog of another application was active together with the window that it is for, and later.
    @Test func anActiveOneComesBeforeThoseThatWereActiveLater() {
        var timeline = timeline(focus: "a")
        let parent = timeline.names["a"]
        timeline.edit("c") { $0.transientFor = parent }
        timeline.focus("c")
        timeline.wait(100)
        timeline.focus("a")
        timeline.wait(100)
        #expect(active(timeline, topmost: "b") == timeline.names.id("a"))
    }

    @Test func aNewTrackerKnowsItFromAnOlderOne() {
        var timeline = timeline(focus: "b")
        timeline.focus(nil)
        timeline.wait(100)
        var tracker = SceneTracker()
        _ = tracker.update(to: timeline.desktop, at: timeline.now)
        tracker.takeHistory(of: timeline.tracker)
        timeline.tracker = tracker
        #expect(active(timeline, topmost: "a") == timeline.names.id("b"))
    }
}
