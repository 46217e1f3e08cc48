import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Delays, turns and vetoes.
@Suite struct TurnTests {
    @Test func aHookRunsOnceThePhaseHasLasted() {
        var timeline = EngineTimeline(.run("sync"), .run("late", after: 5))
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.go("A", .background) == ["run sync A"])
        // Other applications are not held up.
        #expect(timeline.go("B", .background) == ["run sync B"])
        #expect(timeline.wait(4).isEmpty)
        #expect(timeline.wait(1) == ["run late A", "run late B"])
        #expect(timeline.settle().isEmpty && timeline.isAsleep)
    }

    @Test func aSubjectThatLeavesThePhaseEarlierRunsNothing() {
        var timeline = EngineTimeline(.run("rest", to: [.inactive, .background], after: 5))
        _ = timeline.go("A", .background)
        #expect(timeline.go("A", .active) == ["too early: run rest A"] && timeline.isAsleep)
        // What closes has not left its phase too early.
        _ = timeline.go("A", .background) + timeline.go("A", nil)
        let events = timeline.engine.history["rest"]
        #expect(events.contains { $0.kind == .dropped && $0.reason == "it closed within 5s" })
        // Another phase that matches starts the time anew.
        _ = timeline.go("A", .inactive) + timeline.wait(3)
        #expect(timeline.go("A", .background) == ["too early: run rest A"])
        #expect(timeline.wait(4).isEmpty)
        #expect(timeline.wait(1) == ["run rest A"])
    }

    @Test func aHookRunsAtMostOnceInItsTime() {
        var hook = Hook.run("sync")
        hook.every = .seconds(300)
        var timeline = EngineTimeline(hook, isPrompt: true)
        #expect(timeline.go("A", .background) == ["run sync A"])
        _ = timeline.wait(299)
        #expect(timeline.go("A", .active, .background).isEmpty)
        #expect(timeline.engine.history["sync"].last?.reason == "it ran less than 5m ago")
        // Other applications have their own time.
        #expect(timeline.go("B", .background) == ["run sync B"])
        _ = timeline.wait(1)
        #expect(timeline.go("A", .active, .background) == ["run sync A"])
        // A changed time counts from the last run.
        hook.every = .seconds(3)
        _ = timeline.wait(2) + timeline.handle(.reload([hook]))
        #expect(timeline.go("A", .active, .background).isEmpty && timeline.wait(1).isEmpty)
        #expect(timeline.go("A", .active, .background) == ["run sync A"])
    }

    @Test(arguments: [Outcome.notStarted("missing"), .postponed("full"), .exited(1)])
    func onlyARunThatStartedCounts(outcome: Outcome) {
        var hook = Hook.run("sync")
        hook.every = .seconds(300)
        var timeline = EngineTimeline(hook)
        _ = timeline.go("A", .background) + timeline.end("run sync A", outcome)
        let words = timeline.go("A", .active) + timeline.go("A", .background)
        #expect(words == (outcome == .exited(1) ? [] : ["run sync A"]))
    }

    @Test func oneRunAtATimeAndThenTheLast() {
        var timeline = EngineTimeline(.run("log", to: []), .run("sync"))
        #expect(timeline.go("A", .background) == ["run log A", "run sync A"])
        #expect(timeline.go("A", .active, .background, .inactive).isEmpty)
        #expect(timeline.end("run log A") == ["run log A"])
        #expect(timeline.tasks.contains { $0.job.trigger.change?.to == .inactive })
        // What was left again meanwhile is dropped.
        #expect(timeline.settle().isEmpty && timeline.isAsleep)
    }

    @Test func theEndOfAnApplicationDoesNotCancelItsRun() {
        var timeline = EngineTimeline(.run("sync"), .run("all", to: []))
        _ = timeline.go("A", .active) + timeline.end("run all A")
        // The background before the end is reported in one batch.
        #expect(timeline.go("A", .background, nil, cause: .close) == ["run sync A", "run all A"])
        #expect(timeline.end("run all A") == ["run all A"])
        #expect(timeline.go("A", .background, nil, cause: .close).isEmpty)
        #expect(timeline.end("run sync A") == ["run sync A"])
    }

    @Test func onlySoManyRunAtOnceAndTheRestWaitInOrder() {
        var timeline = EngineTimeline(.run("sync"), limit: 2)
        for name in ["A", "B", "C", "D"] { _ = timeline.go(name, .background) }
        #expect(timeline.end("run sync B") == ["run sync C"])
        #expect(timeline.end("run sync A") == ["run sync D"])
    }

    @Test func tooManyThatWaitAreGivenUpAndReportedOnce() {
        var timeline = EngineTimeline(.run("sync", after: 5), bound: 2)
        #expect(timeline.go("A", .background).isEmpty && timeline.go("B", .background).isEmpty)
        let words = "2 runs of hooks are waiting; further runs are dropped until there are fewer"
        #expect(timeline.go("C", .background) == [words])
        #expect(timeline.go("D", .background).isEmpty)
        #expect(timeline.wait(5) == ["run sync A", "run sync B"])
        #expect(timeline.go("C", .active, .background).isEmpty)
        #expect(timeline.wait(5) == ["run sync C"])
    }

    /// Those of a hook that is paused for long must not keep others from running.
    @Test func aTurnOfAPausedHookTakesNoPlaceOfOtherTurns() {
        var timeline = EngineTimeline(.pair("slow"), .run("sync", after: 5), bound: 2)
        _ = timeline.suspend("slow")
        for name in ["A", "B"] { #expect(timeline.go(name, .background).isEmpty) }
        #expect(timeline.wait(5) == ["run sync A", "run sync B"])
        #expect(timeline.settle().isEmpty)
        #expect(timeline.suspend() == ["enter slow A", "enter slow B"])
    }

    @Test(arguments: [Outcome.exited(0), .exited(2), .killed(signal: 9), .timedOut, .notStarted("missing")])
    func onlyExitZeroOfUnlessIsAVeto(outcome: Outcome) {
        var timeline = EngineTimeline(.run("sync", unless: true))
        #expect(timeline.go("A", .background) == ["check sync A"])
        // The answer comes too late when the phase is left.
        #expect(timeline.go("A", .active) == ["stop check sync A"])
        #expect(timeline.end("check sync A", .exited(1)).isEmpty && timeline.isAsleep)
        #expect(timeline.go("A", .background) == ["check sync A"])
        let isVeto = outcome == .exited(0)
        #expect(timeline.end("check sync A", outcome) == [isVeto ? "vetoed: run sync A" : "run sync A"])
        #expect(timeline.settle().isEmpty && timeline.isAsleep)
    }

    @Test func nothingBeginsOnceTheEngineIsClosed() {
        var timeline = EngineTimeline(.run("sync", unless: true))
        _ = timeline.go("A", .background) + timeline.handle(.close)
        #expect(timeline.end("check sync A", .exited(1)).isEmpty && timeline.isAsleep)
        #expect(timeline.go("A", .active, .background).isEmpty)
    }

    @Test func theExecutablesOfHooksDRunOneAfterTheOther() {
        var timeline = EngineTimeline(.run("hooks.d/10", to: []), .run("hooks.d/20", to: []))
        #expect(timeline.go("A", .active) == ["run hooks.d/10 A"])
        #expect(timeline.go("B", .active) == ["run hooks.d/10 B"])
        #expect(timeline.end("run hooks.d/10 A") == ["run hooks.d/20 A"])
    }

    @Test func eachSceneHasItsOwnDelay() {
        var hook = Hook.run("sync", after: 5)
        hook.condition.level = .scene
        var timeline = EngineTimeline(hook, isPrompt: true)
        for number in [1, 2] as [UInt32] {
            #expect(timeline.go(.scene(Change.SceneFacts(id: WindowID(number))), .background).isEmpty)
        }
        #expect(timeline.wait(5) == ["run sync A", "run sync A"])
    }
}
