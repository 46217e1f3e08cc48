import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct ScheduleTests {
    @Test func aHookRunsWhenItsPhaseComes() {
        var timeline = EngineTimeline(.run("sync"))
        #expect(timeline.go("Editor", .active).isEmpty)
        #expect(timeline.go("Editor", .background) == ["run sync Editor"])
        #expect(timeline.end("run sync Editor").isEmpty)
        #expect(timeline.engine.isIdle)
    }

    @Test func itRunsOnceTheApplicationHasStayedThere() {
        var timeline = EngineTimeline(.run("sync", after: 5))
        #expect(timeline.go("Editor", .active, .background).isEmpty)
        #expect(timeline.engine.next == .seconds(5))
        #expect(timeline.wait(4).isEmpty)
        #expect(timeline.wait(1) == ["run sync Editor"])
        #expect(timeline.engine.next == nil)
    }

    @Test func itRunsAtMostOnceInItsTime() {
        var hook = Hook.run("sync")
        hook.every = .seconds(300)
        var timeline = EngineTimeline(hook)
        #expect(timeline.go("A", .background) == ["run sync A"])
        _ = timeline.end("run sync A")
        _ = timeline.wait(299)
        #expect(timeline.go("A", .active, .background).isEmpty)
        #expect(timeline.engine.history["sync"].last?.reason == "it ran less than 5m ago")
        // Other applications have their own time.
        #expect(timeline.go("B", .background) == ["run sync B"])
        _ = timeline.wait(1)
        #expect(timeline.go("A", .active, .background) == ["run sync A"])
    }

    @Test func leavingThePhaseCancelsIt() {
        var timeline = EngineTimeline(.run("sync", after: 5))
        _ = timeline.go("Editor", .active, .background)
        #expect(timeline.go("Editor", .active) == ["too early: run sync Editor"])
        #expect(timeline.wait(10).isEmpty)
        _ = timeline.go("Editor", .background)
        #expect(timeline.go("Editor", nil) == ["too early: run sync Editor"])
        #expect(timeline.engine.next == nil)
    }

    @Test func anotherMatchingPhaseStartsTheTimeAnew() {
        var timeline = EngineTimeline(.run("rest", to: [.inactive, .background], after: 5))
        _ = timeline.go("Editor", .active, .inactive)
        _ = timeline.wait(3)
        #expect(timeline.go("Editor", .background) == ["too early: run rest Editor"])
        #expect(timeline.wait(3).isEmpty)
        #expect(timeline.wait(2) == ["run rest Editor"])
    }

    @Test func oneRunAtATimeAndThenTheLast() {
        var timeline = EngineTimeline(.run("log", to: []))
        #expect(timeline.go("Editor", .active) == ["run log Editor"])
        #expect(timeline.go("Editor", .background, .active, .inactive).isEmpty)
        #expect(timeline.engine.turns.count == 1)
        #expect(timeline.end("run log Editor") == ["run log Editor"])
        #expect(timeline.engine.running.map(\.trigger.change.to) == [.inactive])
        #expect(timeline.end("run log Editor").isEmpty)
    }

    @Test func whatWasLeftAgainWhileAnotherRanIsDropped() {
        var timeline = EngineTimeline(.run("sync"))
        _ = timeline.go("Editor", .active, .background)
        _ = timeline.go("Editor", .active, .background, .active)
        #expect(timeline.end("run sync Editor").isEmpty)
    }

    @Test func theEndOfAnApplicationDoesNotCancelItsRun() {
        var timeline = EngineTimeline(.run("sync"))
        _ = timeline.go("Editor", .active, .background)
        _ = timeline.go("Editor", .active)
        #expect(timeline.go("Editor", .background, nil, cause: .close).isEmpty)
        #expect(timeline.end("run sync Editor") == ["run sync Editor"])
    }

    @Test func theBackgroundBeforeTheEndIsReportedInOneBatch() {
        var timeline = EngineTimeline(.run("sync"), .run("all", to: []))
        _ = timeline.go("Editor", .active)
        _ = timeline.end("run all Editor")
        #expect(
            timeline.go("Editor", .background, nil, cause: .close) == ["run sync Editor", "run all Editor"])
        #expect(timeline.end("run all Editor") == ["run all Editor"])
    }

    @Test func otherApplicationsAreNotHeldUp() {
        var timeline = EngineTimeline(.run("sync"))
        _ = timeline.go("A", .background)
        #expect(timeline.go("B", .background) == ["run sync B"])
    }

    @Test func onlySoManyRunAtOnceAndTheRestWaitInOrder() {
        var timeline = EngineTimeline(.run("sync"), limit: 2)
        for name in ["A", "B", "C", "D"] { _ = timeline.go(name, .background) }
        #expect(timeline.end("run sync B") == ["run sync C"])
        #expect(timeline.end("run sync A") == ["run sync D"])
    }

    @Test func aVetoIsAskedFirst() {
        var timeline = EngineTimeline(.run("sync", unless: true))
        #expect(timeline.go("A", .background) == ["check sync A"])
        #expect(timeline.end("check sync A") == ["vetoed: run sync A"])
        #expect(timeline.engine.isIdle)
        _ = timeline.go("A", .active)
        _ = timeline.go("A", .background)
        #expect(timeline.end("check sync A", .exited(1)) == ["run sync A"])
    }

    @Test(arguments: [Outcome.exited(2), .killed(signal: 9), .timedOut, .notStarted("missing")])
    func onlyExitZeroIsAVeto(outcome: Outcome) {
        var timeline = EngineTimeline(.run("sync", unless: true))
        _ = timeline.go("A", .background)
        #expect(timeline.end("check sync A", outcome) == ["run sync A"])
    }

    @Test func theAnswerOfACheckComesTooLateWhenThePhaseIsLeft() {
        var timeline = EngineTimeline(.run("sync", unless: true))
        _ = timeline.go("A", .background)
        #expect(timeline.go("A", .active) == ["stop check sync A"])
        #expect(timeline.end("check sync A", .exited(1)).isEmpty)
        #expect(timeline.engine.isIdle)
    }

    @Test func tooManyThatWaitAreGivenUpAndReportedOnce() {
        var timeline = EngineTimeline(.run("sync", after: 5), bound: 2)
        for name in ["A", "B"] { #expect(timeline.go(name, .background).isEmpty) }
        #expect(
            timeline.go("C", .background) == [
                "2 runs of hooks are waiting; further runs are dropped until there are fewer"
            ])
        #expect(timeline.go("D", .background).isEmpty)
        #expect(timeline.wait(5) == ["run sync A", "run sync B"])
        _ = timeline.go("C", .active)
        #expect(timeline.go("C", .background).isEmpty)
        #expect(timeline.wait(5) == ["run sync C"])
    }

    @Test func theExecutablesOfHooksDRunOneAfterTheOther() {
        var hooks = [Hook.run("hooks.d/10", to: []), .run("hooks.d/20", to: [])]
        for index in hooks.indices { hooks[index].origin = .directory }
        var timeline = EngineTimeline(hooks[0], hooks[1])
        #expect(timeline.go("A", .active) == ["run hooks.d/10 A"])
        #expect(timeline.go("B", .active) == ["run hooks.d/10 B"])
        #expect(timeline.end("run hooks.d/10 A") == ["run hooks.d/20 A"])
    }

    @Test func eachSceneHasItsOwnDelay() {
        var hook = Hook.run("sync", after: 5)
        hook.condition.level = .scene
        var timeline = EngineTimeline(hook)
        for number in [1, 2] as [UInt32] {
            var change = Change.step("A", from: .active, to: .background)
            change.subject = .scene(Change.SceneFacts(id: WindowID(number)))
            #expect(timeline.react(to: HookTrigger(change: change, time: .zero)).isEmpty)
        }
        #expect(timeline.wait(5).count == 1)
        #expect(timeline.end("run sync A").count == 1)
    }
}
