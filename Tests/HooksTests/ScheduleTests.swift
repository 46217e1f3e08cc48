import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct ScheduleTests {
    @Test func aHookRunsWhenItsPhaseComes() {
        var play = Play(.run("sync"))
        #expect(play.go("Editor", .active).isEmpty)
        #expect(play.go("Editor", .background) == ["run sync Editor"])
        #expect(play.end("run sync Editor").isEmpty)
        #expect(play.schedule.isIdle)
    }

    @Test func itRunsOnceTheApplicationHasStayedThere() {
        var play = Play(.run("sync", after: 5))
        #expect(play.go("Editor", .active, .background).isEmpty)
        #expect(play.schedule.next == .seconds(5))
        #expect(play.wait(4).isEmpty)
        #expect(play.wait(1) == ["run sync Editor"])
        #expect(play.schedule.next == nil)
    }

    @Test func leavingThePhaseCancelsIt() {
        var play = Play(.run("sync", after: 5))
        _ = play.go("Editor", .active, .background)
        #expect(play.go("Editor", .active) == ["too early: run sync Editor"])
        #expect(play.wait(10).isEmpty)
        _ = play.go("Editor", .background)
        #expect(play.go("Editor", nil) == ["too early: run sync Editor"])
        #expect(play.schedule.next == nil)
    }

    @Test func anotherMatchingPhaseStartsTheTimeAnew() {
        var play = Play(.run("rest", to: [.inactive, .background], after: 5))
        _ = play.go("Editor", .active, .inactive)
        _ = play.wait(3)
        #expect(play.go("Editor", .background) == ["too early: run rest Editor"])
        #expect(play.wait(3).isEmpty)
        #expect(play.wait(2) == ["run rest Editor"])
    }

    @Test func oneRunAtATimeAndThenTheLast() {
        var play = Play(.run("log", to: []))
        #expect(play.go("Editor", .active) == ["run log Editor"])
        #expect(play.go("Editor", .background, .active, .inactive).isEmpty)
        #expect(play.schedule.queue.count == 1)
        #expect(play.end("run log Editor") == ["run log Editor"])
        #expect(play.schedule.running.values.map(\.job.trigger.change.to) == [.inactive])
        #expect(play.end("run log Editor").isEmpty)
    }

    @Test func whatWasLeftAgainWhileAnotherRanIsDropped() {
        var play = Play(.run("sync"))
        _ = play.go("Editor", .active, .background)
        _ = play.go("Editor", .active, .background, .active)
        #expect(play.end("run sync Editor").isEmpty)
    }

    @Test func theEndOfAnApplicationTakesNothingBack() {
        var play = Play(.run("sync"))
        _ = play.go("Editor", .active, .background)
        _ = play.go("Editor", .active)
        #expect(play.go("Editor", .background, nil, cause: .close).isEmpty)
        #expect(play.end("run sync Editor") == ["run sync Editor"])
    }

    @Test func theBackgroundBeforeTheEndIsToldInOneBatch() {
        var play = Play(.run("sync"), .run("all", to: []))
        _ = play.go("Editor", .active)
        _ = play.end("run all Editor")
        #expect(play.go("Editor", .background, nil, cause: .close) == ["run sync Editor", "run all Editor"])
        #expect(play.end("run all Editor") == ["run all Editor"])
    }

    @Test func otherApplicationsAreNotHeldUp() {
        var play = Play(.run("sync"))
        _ = play.go("A", .background)
        #expect(play.go("B", .background) == ["run sync B"])
    }

    @Test func onlySoManyRunAtOnceAndTheRestWaitInOrder() {
        var play = Play(.run("sync"), limit: 2)
        for name in ["A", "B", "C", "D"] { _ = play.go(name, .background) }
        #expect(play.end("run sync B") == ["run sync C"])
        #expect(play.end("run sync A") == ["run sync D"])
    }

    @Test func aVetoIsAskedFirst() {
        var play = Play(.run("sync", unless: true))
        #expect(play.go("A", .background) == ["check sync A"])
        #expect(play.end("check sync A") == ["vetoed: run sync A"])
        #expect(play.schedule.isIdle)
        _ = play.go("A", .active)
        _ = play.go("A", .background)
        #expect(play.end("check sync A", .exited(1)) == ["run sync A"])
    }

    @Test(arguments: [Outcome.exited(2), .killed(signal: 9), .timedOut, .notStarted("missing")])
    func onlyExitZeroIsAVeto(outcome: Outcome) {
        var play = Play(.run("sync", unless: true))
        _ = play.go("A", .background)
        #expect(play.end("check sync A", outcome) == ["run sync A"])
    }

    @Test func theAnswerOfACheckComesTooLateWhenThePhaseIsLeft() {
        var play = Play(.run("sync", unless: true))
        _ = play.go("A", .background)
        #expect(play.go("A", .active) == ["stop check sync A"])
        #expect(play.end("check sync A", .exited(1)).isEmpty)
        #expect(play.schedule.isIdle)
    }

    @Test func tooManyThatWaitAreGivenUpAndToldOnce() {
        var play = Play(.run("sync", after: 5), bound: 2)
        for name in ["A", "B"] { #expect(play.go(name, .background).isEmpty) }
        #expect(play.go("C", .background) == ["more than 2: run sync C"])
        #expect(play.go("D", .background).isEmpty)
        #expect(play.wait(5) == ["run sync A", "run sync B"])
        _ = play.go("C", .active)
        #expect(play.go("C", .background).isEmpty)
        #expect(play.wait(5) == ["run sync C"])
    }

    @Test func theExecutablesOfHooksDRunOneAfterTheOther() {
        var hooks = [Hook.run("hooks.d/10", to: []), .run("hooks.d/20", to: [])]
        for index in hooks.indices { hooks[index].origin = .directory }
        var play = Play(hooks[0], hooks[1])
        #expect(play.go("A", .active) == ["run hooks.d/10 A"])
        #expect(play.go("B", .active) == ["run hooks.d/10 B"])
        #expect(play.end("run hooks.d/10 A") == ["run hooks.d/20 A"])
    }

    @Test func eachSceneHasItsOwnDelay() {
        var hook = Hook.run("sync", after: 5)
        hook.condition.level = .scene
        var schedule = Schedule(hooks: [hook])
        for number in [1, 2] as [UInt32] {
            var change = Change.step("A", from: .active, to: .background)
            change.subject = .scene(
                Change.SceneFacts(id: WindowID(number), title: nil, pid: nil, desktop: nil))
            schedule.react(to: [HookTrigger(change: change, time: .zero)], at: .zero)
        }
        #expect(schedule.waiting.count == 2)
    }
}
