import Testing

@testable import Hooks

/// A pair is not entered while one of its exceptions holds.
@Suite struct ExceptionTests {
    private static func hook(after: Int = 0, unless: Bool = false, _ except: Set<Exception>? = nil) -> Hook {
        var hook = Hook.pair("sleep", after: after, unless: unless)
        hook.reaction = .pair(Hook.Pair(phases: [.background], builtIns: [.freeze], except: except))
        return hook
    }

    @Test func anExceptionIsCheckedRepeatedlyAndReportedOnce() {
        var timeline = ScheduleTimeline(Self.hook())
        #expect(timeline.go("Chat", .active, .background) == ["check sleep Chat"])
        #expect(
            timeline.end("check sleep Chat", .excepted("it plays")) == [
                "excepted by it plays: enter sleep Chat"
            ])
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["check sleep Chat"])
        #expect(timeline.end("check sleep Chat", .excepted("it plays")).isEmpty)
        #expect(timeline.wait(10) == ["check sleep Chat"])
        #expect(
            timeline.end("check sleep Chat", .excepted("other")) == ["excepted by other: enter sleep Chat"])
        #expect(timeline.wait(10) == ["check sleep Chat"])
        #expect(timeline.end("check sleep Chat", .exited(1)) == ["enter sleep Chat"])
    }

    @Test func checksAreAsFarApartAsTheDelay() {
        var timeline = ScheduleTimeline(Self.hook(after: 30))
        _ = timeline.go("Chat", .active, .background)
        #expect(timeline.wait(30) == ["check sleep Chat"])
        #expect(timeline.end("check sleep Chat", .excepted("it plays")).count == 1)
        #expect(timeline.wait(29).isEmpty)
        #expect(timeline.wait(1) == ["check sleep Chat"])
    }

    @Test func nothingIsCheckedAfterThePhaseEnds() {
        var timeline = ScheduleTimeline(Self.hook())
        _ = timeline.go("Chat", .active, .background)
        _ = timeline.end("check sleep Chat", .excepted("it plays"))
        #expect(timeline.go("Chat", .active).isEmpty)
        #expect(timeline.wait(60).isEmpty)
        #expect(timeline.schedule.next == nil && timeline.schedule.owedJobs.isEmpty)
    }

    /// The exception begins to hold between the check and the freeze.
    @Test func whatIsExceptedAtTheLastMomentIsAskedAgain() {
        var timeline = ScheduleTimeline(Self.hook())
        _ = timeline.go("Chat", .active, .background)
        #expect(timeline.end("check sleep Chat", .exited(1)) == ["enter sleep Chat"])
        #expect(
            timeline.end("enter sleep Chat", .excepted("a menu")) == ["excepted by a menu: enter sleep Chat"])
        #expect(timeline.schedule.owedJobs.isEmpty && timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["check sleep Chat"])
    }

    @Test func freezeExceptsSoundAndSelectionsUnlessSomethingElseIsSaid() {
        #expect(Self.hook().except == [.audio, .selection])
        // It may have a menu open all the same.
        #expect(Self.hook([]).except.isEmpty && Self.hook([]).isChecked)
        #expect(Self.hook([.fullscreen]).except == [.fullscreen])
        #expect(Hook.Pair(phases: [.background], builtIns: [.mute, .slow]).except.isEmpty)
    }
}
