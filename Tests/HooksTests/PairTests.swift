import Console
import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct PairTests {
    @Test func leaveFollowsEnter() {
        var play = Play(.pair("slow"))
        #expect(play.go("A", .active).isEmpty)
        #expect(play.go("A", .background) == ["enter slow A"])
        #expect(play.schedule.debts.count == 1)
        #expect(play.end("enter slow A").isEmpty)
        #expect(play.go("A", .inactive) == ["leave slow A"])
        #expect(play.end("leave slow A").isEmpty)
        #expect(play.schedule.debts.isEmpty)
        #expect(play.go("A", .active).isEmpty)
    }

    @Test func leaveWaitsForEnterToEnd() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .active, .background)
        #expect(play.go("A", .active).isEmpty)
        #expect(play.end("enter slow A") == ["leave slow A"])
    }

    @Test func comingBackWhileEnterRunsChangesNothing() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .active, .background)
        #expect(play.go("A", .active, .background).isEmpty)
        #expect(play.end("enter slow A").isEmpty)
        #expect(play.go("A", .active) == ["leave slow A"])
    }

    @Test func comingBackWhileLeaveRunsEntersAgain() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.go("A", .active)
        #expect(play.go("A", .background).isEmpty)
        #expect(play.end("leave slow A") == ["enter slow A"])
        _ = play.end("enter slow A")
        #expect(play.go("A", .active) == ["leave slow A"])
    }

    @Test func whatDidNotEnterDoesNotLeave() {
        var play = Play(.pair("slow", after: 5))
        _ = play.go("A", .background)
        #expect(play.go("A", .active) == ["too early: enter slow A"])
        #expect(play.wait(10).isEmpty)
    }

    @Test func aVetoKeepsBothFromRunning() {
        var play = Play(.pair("slow", unless: true))
        _ = play.go("A", .background)
        #expect(play.end("check slow A") == ["vetoed: enter slow A"])
        #expect(play.go("A", .active).isEmpty)
    }

    @Test func leaveIsNotVetoed() {
        var play = Play(.pair("slow", unless: true))
        _ = play.go("A", .background)
        #expect(play.end("check slow A", .exited(1)) == ["enter slow A"])
        _ = play.end("enter slow A")
        #expect(play.go("A", .active) == ["leave slow A"])
    }

    @Test func theEndOfAnApplicationIsLeaving() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        #expect(play.go("A", nil, cause: .close) == ["leave slow A"])
    }

    @Test func otherNamesAreLeaving() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        #expect(play.go("A", nil, cause: .regroup) == ["leave slow A"])
    }

    @Test func anApplicationThatClosesIsNotEnteredForItsLastMoment() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .active)
        #expect(play.go("A", .background, nil, cause: .close).isEmpty)
    }

    @Test func phasesOfOneListAreOneStay() {
        var play = Play(.pair("rest", while: [.inactive, .background]))
        _ = play.go("A", .active)
        #expect(play.go("A", .inactive) == ["enter rest A"])
        _ = play.end("enter rest A")
        #expect(play.go("A", .background).isEmpty)
        #expect(play.go("A", .active) == ["leave rest A"])
    }

    @Test func whatWasThereBeforeIsNotEnteredByAStepInside() {
        var play = Play(.pair("rest", while: [.inactive, .background]))
        let found = HookTrigger(
            change: Change(
                kind: .initial, application: "A", group: nil,
                subject: .application(Change.Members(counts: Change.Counts(), pids: [], groups: [])),
                from: nil, to: .inactive, cause: .start, held: nil), time: .zero)
        play.schedule.react(to: [found], at: .zero)
        #expect(play.schedule.takeSteps().isEmpty)
        play.schedule.react(
            to: [HookTrigger(change: .step("A", from: .inactive, to: .background), time: .zero)], at: .zero)
        #expect(play.schedule.takeSteps().isEmpty)
    }

    @Test(arguments: [Outcome.exited(1), .killed(signal: 15), .timedOut])
    func aFailedEnterIsLeft(outcome: Outcome) {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A", outcome)
        #expect(play.go("A", .active) == ["leave slow A"])
    }

    @Test func anEnterThatDidNotStartIsNotLeft() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.go("A", .active)
        #expect(play.end("enter slow A", .notStarted("missing")).isEmpty)
        #expect(play.schedule.debts.isEmpty)
        #expect(play.schedule.isIdle)
    }

    @Test func stoppingLeavesEverythingAndStartsNothingElse() {
        var play = Play(.pair("slow"), .run("sync", after: 5), .pair("late", after: 5))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.go("B", .background)
        #expect(play.stop() == ["leave slow A"])
        #expect(play.end("enter slow B") == ["leave slow B"])
        #expect(play.wait(10).isEmpty)
        #expect(play.go("C", .background).isEmpty)
    }

    @Test func aDroppedHookIsLeft() {
        var play = Play(.pair("slow"), .pair("calm"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        _ = play.end("enter calm A")
        #expect(play.replace(.pair("calm")) == ["leave slow A"])
        #expect(play.go("A", .active) == ["leave calm A"])
    }

    @Test func aChangedHookIsLeftAsItWasEntered() throws {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        _ = play.end("enter slow A")
        var changed = Hook.pair("slow")
        changed.reaction = .pair(
            while: [.background], enter: .arguments(["new"]), leave: .arguments(["newer"]))
        #expect(play.replace(changed) == ["leave slow A"])
        let left = try #require(play.schedule.running.values.first)
        #expect(left.job.program == .arguments(["leave"]))
    }

    @Test func aChangedHookIsEnteredAnewAfterItsLeave() {
        var play = Play(.pair("slow"))
        _ = play.go("A", .background)
        var changed = Hook.pair("slow", after: 1)
        changed.condition.initial = true
        #expect(play.replace(changed).isEmpty)
        var found = Change.step("A", from: nil, to: .background)
        found.kind = .initial
        play.schedule.react(to: [HookTrigger(change: found, time: .zero)], at: play.now)
        #expect(play.wait(1).isEmpty)
        #expect(play.end("enter slow A") == ["leave slow A"])
        #expect(play.end("leave slow A") == ["enter slow A"])
    }

    @Test func anUnchangedHookGoesOn() {
        var play = Play(.pair("slow", after: 5), .run("sync"))
        _ = play.go("A", .background)
        #expect(play.replace(.pair("slow", after: 5)).isEmpty)
        #expect(play.wait(5) == ["enter slow A"])
    }
}
