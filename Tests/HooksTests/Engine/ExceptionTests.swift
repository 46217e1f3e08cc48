import PhaseWatch
import Testing

@testable import Hooks

/// Nothing is done to an application while one of the exceptions of a hook holds.
@Suite struct ExceptionTests {
    /// The timeline once A has come to the background and an exception was found.
    private static func excepted(_ hooks: Hook...) -> EngineTimeline {
        var timeline = EngineTimeline()
        _ = timeline.handle(.reload(hooks)) + timeline.go("A", .background)
        #expect(timeline.except("A", [.audio: "it plays"]).contains("excepted ice A: it plays"))
        return timeline
    }

    @Test(arguments: [
        (0, [10, 20, 40, 80, 160, 300, 300]), (30, [30, 60, 120, 240, 300]), (400, [400, 400]),
    ])
    func exceptionsAreAskedForAgainLessAndLessOften(after: Int, waits: [Int]) {
        var timeline = EngineTimeline(.doing("ice", .freeze, after: after))
        _ = timeline.go("A", .active, .background)
        _ = timeline.wait(after)
        for wait in waits {
            _ = timeline.except("A", [.audio: "it plays"])
            #expect(timeline.wait(wait - 1).isEmpty)
            #expect(timeline.wait(1) == ["ask A: freeze"])
        }
        #expect(timeline.settle() == ["freeze A", "ice: A frozen"])
        #expect(timeline.engine.next == nil)
    }

    @Test func anExceptionIsReportedOnceAndNothingIsAskedAfterThePhaseEnds() {
        var timeline = Self.excepted(.doing("ice", .freeze))
        _ = timeline.wait(10)
        #expect(timeline.except("A", [.audio: "it plays"]).isEmpty)
        _ = timeline.wait(20)
        #expect(timeline.except("A", [.selection: "it owns one"]) == ["excepted ice A: it owns one"])
        #expect(timeline.go("A", .active).isEmpty && timeline.isAsleep)
    }

    /// Otherwise, the history would say that it ran.
    @Test func theHistoryOfAnExceptedFreezeHasNoRun() {
        var timeline = Self.excepted(.doing("ice", .freeze))
        var kinds: [HookEvent.Kind] { timeline.engine.history["ice"].map(\.kind) }
        #expect(kinds == [.matched, .excepted])
        _ = timeline.wait(10) + timeline.settle()
        #expect(kinds == [.matched, .excepted, .ran])
        #expect(timeline.engine.history["ice"].last?.reason == "frozen")
    }

    @Test func theHistoryOfEachHookThatWantsAFreezeHasIt() {
        var timeline = EngineTimeline()
        let names = ["ice", "second"]
        _ = timeline.handle(.reload(names.map { .doing($0, .freeze) })) + timeline.go("A", .background)
        _ = timeline.settle()
        for name in names { #expect(timeline.engine.history[name].map(\.kind) == [.matched, .ran]) }
    }

    /// The status names the phase first: the exception may no longer apply.
    @Test func theStatusOfWhatIsBackInFrontSaysSo() {
        var timeline = Self.excepted(.doing("ice", .freeze))
        #expect(timeline.status == ["excepted: it plays"])
        for phase in [ScenePhase.active, .inactive] {
            _ = timeline.go("A", phase)
            #expect(timeline.status == ["ready: it is no longer in the background; before that: it plays"])
        }
        _ = timeline.go("A", .background)
        #expect(timeline.status == ["checking"])
        _ = timeline.except("A", [.audio: "it plays"])
        _ = timeline.go("A", nil)
        #expect(timeline.status == ["ready"])
    }

    @Test func anExceptionOfOneHookPreventsOnlyItsOwnReactions() {
        var timeline = Self.excepted(.doing("ice", .freeze), .doing("slow", .slow))
        #expect(timeline.end("apply A").isEmpty)
        #expect(timeline.wait(10) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen"])
    }

    /// A program that is stopped while its menu is open keeps its grab.
    @Test func aMenuPreventsEveryFreezeAndNothingElse() {
        var timeline = EngineTimeline(.doing("both", .freeze, except: []), .doing("slow", .slow))
        _ = timeline.go("A", .background)
        #expect(timeline.except("A", [nil: "a menu"]) == ["excepted both A: a menu", "apply A: slow"])
    }

    @Test func anExceptionThatHasEndedWithItsVoteIsNotAskedForAgain() {
        var timeline = Self.excepted(
            .doing("ice", .freeze), .doing("slow", .slow, while: [.inactive, .background]))
        _ = timeline.settle() + timeline.go("A", .inactive)
        #expect(timeline.wait(1_000).isEmpty && timeline.engine.next == nil)
    }

    /// Another reaction has a vote all the time.
    @Test func anExceptionEndsWithThePhaseInWhichItPreventedAFreeze() {
        var timeline = Self.excepted(
            .doing("ice", .freeze), .doing("slow", .slow, while: [.inactive, .background]))
        _ = timeline.settle() + timeline.go("A", .inactive)
        #expect(timeline.go("A", .background) == ["ask A: freeze"])
        #expect(timeline.except("A", [.audio: "it plays"]) == ["excepted ice A: it plays"])
        #expect(timeline.wait(9).isEmpty && timeline.wait(1) == ["ask A: freeze"])
    }

    @Test func freezeExceptsSoundAndSelectionsUnlessSomethingElseIsSaid() {
        func except(_ builtIn: BuiltIn) -> Set<Exception> { Hook.doing("a", builtIn).except }
        #expect(except(.freeze) == [.audio, .microphone, .selection])
        #expect(except(.mute).isEmpty && except(.slow).isEmpty)
        #expect(Hook.doing("a", .freeze, except: [.fullscreen]).except == [.fullscreen])
    }
}
