import Testing

@testable import Scenes

/// Changes of windows while another virtual terminal is shown.
@Suite struct LockedDesktopTests {
    private var timeline = Timeline("a", "b", focus: "a")

    init() {
        timeline.limit(.away)
        timeline.wait(1_000)
    }

    @Test mutating func aNewWindowIsInTheBackground() {
        timeline.open("c", focus: true)
        #expect(timeline.wait(1_000) == ["c opened background open"])
        timeline.limit(.away, ends: true)
        #expect(
            timeline.wait(1_000).dropFirst() == [
                "a background→inactive back", "b background→inactive back", "c background→active back",
            ])
    }

    @Test mutating func oneThatClosesIsReported() {
        #expect(timeline.destroy("b") == ["b closed background close"])
    }

    @Test mutating func oneThatGetsANameIsReported() {
        timeline.edit("b") { $0.className = "New" }
        #expect(
            timeline.wait(1_000) == ["b closed background regroup", "b opened background regroup"])
    }

    @Test mutating func aFocusOrAHidingDuringALockIsReportedWhenItIsOver() {
        timeline.focus("b")
        timeline.wait(1_000)
        timeline.iconify("a")
        #expect(timeline.wait(1_000) == [])
        timeline.limit(.away, ends: true)
        #expect(timeline.wait(1_000).dropFirst() == ["b background→active back"])
        timeline.deiconify("a")
        #expect(timeline.wait(1_000) == ["a background→inactive deiconify"])
    }

    @Test mutating func aManagerThatRestartsEndsNothing() {
        timeline.killManager()
        #expect(timeline.wait(500) == [])
        timeline.startManager()
        #expect(timeline.wait(10_000) == ["notice: openbox took over; phases were read again"])
        timeline.limit(.away, ends: true)
        #expect(timeline.wait(1_000).last == "b background→inactive back")
    }

    @Test mutating func aLockThatEndsWhileTheManagerIsGoneIsReportedAfterwards() {
        timeline.killManager()
        timeline.limit(.away, ends: true)
        #expect(timeline.wait(500) == [])
        timeline.startManager()
        timeline.focus("a")
        let reported = timeline.wait(10_000)
        #expect(
            reported == [
                "notice: openbox took over; phases were read again",
                "notice: back: this display is shown again",
                "a background→active back", "b background→inactive back",
            ])
        #expect(timeline.wake == nil)
    }

    @Test mutating func aReaderThatWasTooSlowGetsTheCappedPhases() {
        let before = timeline.tracker
        timeline.open("c")
        timeline.wait(1_000)
        #expect(
            timeline.resync(since: before) == [
                "a initial background resync", "b initial background resync", "c initial background resync",
            ])
    }

    @Test(arguments: [
        (SessionChange.away, Cause?.some(.away), "away: another virtual terminal is shown"),
        (.back, .back, "back: this display is shown again"),
        (.locked(by: "i3lock", scenes: 4), .lock, "locked: a window of i3lock covers all 4 visible scenes"),
        (.locked(by: "i3lock", scenes: 1), .lock, "locked: a window of i3lock covers the visible scene"),
        (.locked(by: nil, scenes: 0), .lock, "locked: a window covers the screen"),
        (
            .locked(bySaver: "org.gnome.ScreenSaver"), .lock,
            "locked: org.gnome.ScreenSaver reports it on the session bus"
        ),
        (.unlocked, .unlock, "unlocked"),
        (.displayOff(.blanked), .displayOff, "display off: the screen saver blanked it"),
        (.displayOff(.poweredDown), .displayOff, "display off: it was powered down"),
        (.displayOff(.noMonitor), .displayOff, "display off: no monitor is on"),
        (.displayOn, .displayOn, "display on"), (.idle, .idle, "idle: no user input"),
        (.returned, .return, "return: the user is back"),
        (.dropped(.displayOff), nil, "display-off: no longer followed: the options changed"),
        (.dropped(nil), nil, "idle: no longer followed: the options changed"),
    ])
    func aNoticeSaysItAndHasTheCauseOfTheChanges(_ change: SessionChange, cause: Cause?, text: String) {
        #expect(Notice.session(change).text == text)
        #expect(change.cause == cause)
    }
}

/// A lock that a screen saver without a window reports.
@Suite struct AnnouncedLockTests {
    private var timeline = Timeline("a", focus: "a")

    private mutating func announce(_ name: String?) -> [String] {
        timeline.change { $0.session.activeSaver = name }
    }

    @Test mutating func anAnnouncedLockAndItsEndSettleAlike() {
        #expect(announce("org.gnome.ScreenSaver") == [])
        #expect(
            timeline.wait(100) == [
                "notice: locked: org.gnome.ScreenSaver reports it on the session bus",
                "a active→background lock",
            ])
        #expect(announce(nil) == [])
        #expect(timeline.wait(100) == ["notice: unlocked", "a background→active unlock"])
    }

    /// The locker's window covers the screen after the announcement, and is still there after its end.
    @Test mutating func aWindowThatLocksGoesOn() {
        _ = announce("org.mate.ScreenSaver")
        timeline.wait(100)
        #expect(
            timeline.change {
                $0.addLocker()
                $0.session.isKeyboardGrabbed = true
            } == [])
        #expect(announce(nil) + timeline.wait(10_000) == [])
        timeline.change { $0.session.isKeyboardGrabbed = false }
        #expect(timeline.wait(100) == ["notice: unlocked", "a background→active unlock"])
    }

    @Test mutating func aWindowThatLocksIsNamedBeforeTheSaver() {
        timeline.change {
            $0.addLocker { $0.className = "Locker" }
            $0.session.activeSaver = "org.mate.ScreenSaver"
        }
        #expect(timeline.wait(100).first == "notice: locked: a window of Locker covers the visible scene")
    }

    /// A menu may have the keyboard.
    @Test mutating func aGrabOfTheKeyboardDoesNotKeepIt() {
        _ = announce("org.gnome.ScreenSaver")
        timeline.wait(100)
        timeline.change { $0.session.isKeyboardGrabbed = true }
        _ = announce(nil)
        #expect(timeline.wait(100) == ["notice: unlocked", "a background→active unlock"])
    }
}

/// A lock that has been reported, and a monitor that is plugged in.
@Suite struct KeptLockTests {
    private var timeline = Timeline("a", focus: "a") { timeline in
        timeline.arrange {
            $0.addLocker()
            $0.session.isKeyboardGrabbed = true
        }
    }

    private mutating func plugIn() -> [String] {
        timeline.change {
            $0.screen.monitors = [$0.screen.bounds, Rectangle(x: 1280, y: 0, width: 800, height: 600)]
            $0.screen.bounds.width = 2080
        }
    }

    @Test mutating func aMonitorThatIsNotCoveredYetEndsNothing() {
        #expect(plugIn() == [])
        #expect(timeline.wait(10_000) == [])
        timeline.change {
            $0.addLocker(0xF001) { $0.geometry = Rectangle(x: 1280, y: 0, width: 800, height: 600) }
        }
        #expect(timeline.wait(10_000) == [])
    }

    /// The saver has also announced it, and ends after its windows have left the new monitor uncovered.
    @Test mutating func theEndOfASaverThatHasWindowsEndsNothing() {
        timeline.change { $0.session.activeSaver = "org.mate.ScreenSaver" }
        #expect(plugIn() == [])
        timeline.change { $0.session.activeSaver = nil }
        #expect(timeline.wait(10_000) == [])
    }

    @Test mutating func aLockEndsWithTheGrab() {
        #expect(plugIn() == [])
        timeline.change { $0.session.isKeyboardGrabbed = false }
        #expect(timeline.exactly(100) == ["notice: unlocked", "a background→active unlock"])
    }

    @Test(arguments: [true, false]) mutating func aLockEndsWithTheWindowOfTheLocker(isDestroyed: Bool) {
        #expect(plugIn() == [])
        timeline.change { desktop in
            if isDestroyed {
                desktop.remove(0xF000)
            } else {
                desktop.edit(0xF000) { $0.mapState = .unmapped }
            }
        }
        #expect(timeline.exactly(100) == ["notice: unlocked", "a background→active unlock"])
    }

    /// Here, the locker has a window for each monitor.
    @Test mutating func aLockEndsWithTheFirstOfSeveralWindows() {
        #expect(plugIn() == [])
        timeline.change {
            $0.addLocker(0xF001) { $0.geometry = Rectangle(x: 1280, y: 0, width: 800, height: 600) }
        }
        timeline.change { $0.edit(0xF000) { $0.mapState = .unmapped } }
        #expect(timeline.exactly(100) == ["notice: unlocked", "a background→active unlock"])
    }

    @Test mutating func theNextLockIsKeptByItsOwnWindow() {
        timeline.change { $0.remove(0xF000) }
        timeline.wait(100)
        timeline.change { $0.addLocker(0xF001) }
        timeline.wait(1_000)
        #expect(plugIn() == [])
        #expect(timeline.wait(10_000) == [])
    }

    @Test mutating func aMonitorPluggedInBeforeTheLockIsReportedPreventsIt() {
        var timeline = Timeline("a", focus: "a")
        timeline.change {
            $0.addLocker()
            $0.session.isKeyboardGrabbed = true
        }
        timeline.wait(500)
        timeline.change {
            $0.screen.monitors = [$0.screen.bounds, Rectangle(x: 1280, y: 0, width: 8, height: 6)]
        }
        #expect(timeline.wait(10_000) == [])
    }
}
