import PhaseWatch
import Testing

@testable import Hooks

/// Pairs are not entered while one of their exceptions applies.
@Suite struct ExceptionTests {
    private static func hook(after: Int = 0, unless: Bool = false, _ except: Set<Exception>? = nil) -> Hook {
        var hook = Hook.pair("sleep", after: after, unless: unless)
        hook.reaction = .pair(Hook.Pair(phases: [.background], builtIns: [.freeze], except: except))
        return hook
    }

    @Test func anExceptionIsCheckedRepeatedlyAndReportedOnce() {
        var timeline = EngineTimeline(Self.hook())
        #expect(timeline.go("Chat", .active, .background) == ["check sleep Chat"])
        #expect(
            timeline.except("check sleep Chat", "it plays") == [
                "excepted by it plays: enter sleep Chat"
            ])
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["check sleep Chat"])
        #expect(timeline.except("check sleep Chat", "it plays").isEmpty)
        #expect(timeline.wait(10) == ["check sleep Chat"])
        #expect(
            timeline.except("check sleep Chat", "other") == ["excepted by other: enter sleep Chat"])
        #expect(timeline.wait(10) == ["check sleep Chat"])
        #expect(timeline.end("check sleep Chat", .exited(1)) == ["enter sleep Chat"])
    }

    @Test func checksAreAsFarApartAsTheDelay() {
        var timeline = EngineTimeline(Self.hook(after: 30))
        _ = timeline.go("Chat", .active, .background)
        #expect(timeline.wait(30) == ["check sleep Chat"])
        #expect(timeline.except("check sleep Chat", "it plays").count == 1)
        #expect(timeline.wait(29).isEmpty)
        #expect(timeline.wait(1) == ["check sleep Chat"])
    }

    @Test func nothingIsCheckedAfterThePhaseEnds() {
        var timeline = EngineTimeline(Self.hook())
        _ = timeline.go("Chat", .active, .background)
        _ = timeline.except("check sleep Chat", "it plays")
        #expect(timeline.go("Chat", .active).isEmpty)
        #expect(timeline.wait(60).isEmpty)
        #expect(timeline.engine.next == nil && timeline.engine.owed.isEmpty)
    }

    /// The status names the phase first: the exception may no longer apply.
    @Test func theStatusOfWhatIsBackInFrontSaysSo() {
        var timeline = EngineTimeline(Self.hook())
        func status() -> [HookStatus] { timeline.engine.status(own: { _ in nil }, describe: { _, _ in }) }
        _ = timeline.go("Chat", .active, .background)
        _ = timeline.except("check sleep Chat", "it plays")
        #expect(status().map(\.state) == [.excepted] && status().map(\.reason) == ["it plays"])
        for phase in [ScenePhase.active, .inactive] {
            _ = timeline.go("Chat", phase)
            #expect(status().map(\.state) == [.ready])
            #expect(
                status().map(\.reason) == ["it is no longer in the background; before that: it plays"])
        }
        _ = timeline.go("Chat", .background)
        #expect(status().map(\.state) == [.checking] && status().map(\.reason) == [nil])
        _ = timeline.except("check sleep Chat", "it plays")
        _ = timeline.go("Chat", nil)
        #expect(status().map(\.subject) == [nil])
    }

    /// The exception begins to apply between the check and the freeze.
    @Test func whatIsExceptedAtTheLastMomentIsAskedAgain() {
        var timeline = EngineTimeline(Self.hook())
        _ = timeline.go("Chat", .active, .background)
        #expect(timeline.end("check sleep Chat", .exited(1)) == ["enter sleep Chat"])
        #expect(
            timeline.except("enter sleep Chat", "a menu") == ["excepted by a menu: enter sleep Chat"])
        #expect(timeline.engine.owed.isEmpty && timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["check sleep Chat"])
    }

    @Test func freezeExceptsSoundAndSelectionsUnlessSomethingElseIsSaid() {
        #expect(Self.hook().except == [.audio, .microphone, .selection])
        // A menu may still be open.
        #expect(Self.hook([]).except.isEmpty && Self.hook([]).isChecked)
        #expect(Self.hook([.fullscreen]).except == [.fullscreen])
        #expect(Hook.Pair(phases: [.background], builtIns: [.mute, .slow]).except.isEmpty)
    }
}
