import Testing

@testable import Scenes

/// The effects of session states on phases, and their delays.
@Suite struct SessionTests {
    @Test(arguments: [
        (
            Cause.away, Cause.back, 100,
            ["away: another virtual terminal is shown", "back: this display is shown again"]
        ),
        (.displayOff, .displayOn, 100, ["display off: the screen saver blanked it", "display on"]),
        (.lock, .unlock, 1_000, ["locked: a window of Locker covers all 2 visible scenes", "unlocked"]),
    ])
    func everySceneIsInTheBackgroundAndComesBack(fall: Cause, rise: Cause, time: Int, notices: [String]) {
        var timeline = Timeline("a", "b", "c", focus: "a")
        timeline.iconify("c")
        timeline.wait(1_000)
        #expect(timeline.limit(fall) == [])
        #expect(
            timeline.exactly(time) == [
                "notice: \(notices[0])", "a active→background \(fall.rawValue)",
                "b inactive→background \(fall.rawValue)",
            ])
        #expect(timeline.wait(10_000) == [])
        #expect(timeline.limit(fall, ends: true) == [])
        #expect(
            timeline.exactly(100) == [
                "notice: \(notices[1])", "a background→active \(rise.rawValue)",
                "b background→inactive \(rise.rawValue)",
            ])
        #expect(timeline.wake == nil)
    }

    @Test(arguments: [
        (["Locker", "instance", "program", "title"], "Locker"),
        ([nil, "instance", "program", "title"], "instance"),
        ([nil, nil, "i3lock", "title"], "i3lock"), ([nil, nil, nil, "title"], "title"),
        ([nil, nil, nil, String(repeating: "long", count: 20)], String(repeating: "long", count: 15)),
        ([nil, nil, nil, nil], WindowID(0xF000).description),
    ])
    func aLockerIsNamedByItsClassItsProgramOrItsTitle(names: [String?], name: String) {
        var timeline = Timeline("a", focus: "a")
        timeline.change {
            $0.addLocker {
                ($0.className, $0.instanceName) = (names[0], names[1])
                ($0.executable, $0.title) = (names[2], names[3])
            }
        }
        let notice = "notice: locked: a window of \(name) covers the visible scene"
        #expect(timeline.exactly(1_000).first == notice)
    }

    /// Plasma's locker takes the focus before it has been mapped for a second.
    @Test func aLockerThatTakesTheFocusIsOneChange() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.limit(.lock)
        timeline.wait(790)
        timeline.change { $0.screen.activeWindow = 0 }
        #expect(
            timeline.exactly(210).dropFirst() == ["a active→background lock", "b inactive→background lock"])
        #expect(timeline.wait(1_000) == [])
    }

    @Test func idleTakesWhatIsActiveAtOnceAndNothingElse() {
        var timeline = Timeline("a", "b", "c", focus: "a")
        timeline.iconify("c")
        timeline.wait(1_000)
        #expect(timeline.limit(.idle) == ["notice: idle: no user input", "a active→inactive idle"])
        #expect(timeline.limit(.idle, ends: true) == [])
        #expect(timeline.wait(100) == ["notice: return: the user is back", "a inactive→active return"])
    }

    /// With several states at once, the first one names the fall and the last one the rise.
    @Test func stateChangesInBetweenAreOnlyNotices() {
        var timeline = Timeline("a", focus: "a")
        timeline.limit(.idle)
        timeline.limit(.displayOff)
        #expect(timeline.wait(1_000).last == "a inactive→background display-off")
        timeline.limit(.lock)
        #expect(timeline.wait(1_000).count == 1)
        timeline.limit(.displayOff, ends: true)
        timeline.limit(.idle, ends: true)
        #expect(timeline.wait(1_000) == ["notice: display on", "notice: return: the user is back"])
        timeline.limit(.lock, ends: true)
        #expect(timeline.wait(1_000) == ["notice: unlocked", "a background→active unlock"])
    }

    @Test func theGreaterOfSeveralLimitsAtOneTimeNamesTheChange() {
        var timeline = Timeline("a", focus: "a")
        timeline.change {
            $0.session.isAway = true
            $0.session.displayOff = .blanked
            $0.session.isIdle = true
        }
        #expect(timeline.wait(100).last == "a inactive→background away")
        timeline.change { $0.session = Session() }
        #expect(timeline.wait(100).last == "a background→active back")
    }

    /// A key press turns off the screen saver. The alarm of the idle time follows some milliseconds later.
    @Test func limitsThatEndMillisecondsApartAreOneChange() {
        var timeline = Timeline("a", focus: "a")
        timeline.limit(.idle)
        timeline.limit(.displayOff)
        #expect(timeline.wait(1_000).last == "a inactive→background display-off")
        timeline.limit(.displayOff, ends: true)
        timeline.wait(4)
        timeline.limit(.idle, ends: true)
        #expect(
            timeline.exactly(100) == [
                "notice: display on", "notice: return: the user is back", "a background→active display-on",
            ])
        #expect(timeline.wake == nil)
    }

    @Test func aLimitThatEndsBeforeItsTimeIsNothing() {
        var timeline = Timeline("a", focus: "a")
        timeline.limit(.lock)
        #expect(timeline.wait(999) == [])
        timeline.limit(.lock, ends: true)
        timeline.limit(.away)
        #expect(timeline.wait(99) == [])
        timeline.limit(.away, ends: true)
        #expect(timeline.wait(10_000) == [])
        #expect(timeline.wake == nil)
    }

    /// xscreensaver removes its windows for a moment when it shows its dialog.
    @Test func aLockThatIsGoneForAMomentStays() {
        var timeline = Timeline("a", focus: "a")
        timeline.limit(.lock)
        timeline.wait(1_000)
        timeline.limit(.lock, ends: true)
        #expect(timeline.wait(90) == [])
        timeline.limit(.lock)
        #expect(timeline.wait(10_000) == [])
    }

    @Test func onlyWantedStatesCount() {
        var timeline = Timeline("a", focus: "a", states: [.away])
        timeline.limit(.lock)
        timeline.limit(.displayOff)
        #expect(timeline.wait(10_000) == [])
        timeline.limit(.away)
        #expect(timeline.wait(100).last == "a active→background away")
    }

    /// After a reload of the configuration, for example: the display was not unlocked.
    @Test func aStateThatIsNoLongerFollowedHasNotEnded() {
        var timeline = Timeline("a", focus: "a")
        timeline.limit(.lock)
        timeline.limit(.idle)
        timeline.wait(1_000)
        timeline.tracker.follow(policy: .focus, delays: Delays(), states: [.away])
        #expect(
            timeline.change { _ in } == [
                "notice: lock: no longer followed: the options changed", "a background→inactive resync",
            ])
        timeline.tracker.follow(policy: .focus, delays: Delays(), states: [.away])
        #expect(
            timeline.limit(.idle, ends: true) == [
                "notice: idle: no longer followed: the options changed", "a inactive→active resync",
            ])
        timeline.limit(.away)
        #expect(timeline.wait(100).last == "a active→background away")
        timeline.limit(.away, ends: true)
        timeline.wait(50)
        timeline.tracker.follow(policy: .focus, delays: Delays(), states: [])
        #expect(timeline.wait(100).last == "a background→active back")
    }

    @Test func applicationsGoDownInOneBatchWithTheirScenes() {
        var timeline = Timeline("a", "b.1", "b.2", focus: "a", levels: Set(Change.Level.allCases))
        timeline.limit(.away)
        #expect(
            timeline.wait(100).dropFirst() == [
                "a active→background away", "group a active→background away", "app A active→background away",
                "b.1 inactive→background away", "b.2 inactive→background away",
                "group b inactive→background away", "app B inactive→background away",
            ])
    }

    @Test func aDisplayThatIsLockedAtTheStartIsReported() {
        let timeline = Timeline("a", focus: "a") { $0.arrange { $0.limit(.lock) } }
        #expect(
            timeline.started == [
                "notice: locked: a window of Locker covers the visible scene", "a initial background start",
            ])
    }
}

extension Timeline {
    /// Begins or ends a session state that limits phases.
    @discardableResult
    mutating func limit(_ fall: Cause, ends: Bool = false) -> [String] {
        change { $0.limit(fall, ends: ends) }
    }
}

extension Desktop {
    mutating func limit(_ fall: Cause, ends: Bool = false) {
        switch fall {
        case .away: session.isAway = !ends
        case .displayOff: session.displayOff = ends ? nil : .blanked
        case .idle: session.isIdle = !ends
        default:
            addLocker {
                $0.className = "Locker"
                $0.mapState = ends ? .unmapped : .viewable
            }
        }
    }
}
