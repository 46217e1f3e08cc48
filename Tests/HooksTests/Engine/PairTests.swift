import Console
import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct PairTests {
    @Test func leaveFollowsEnter() {
        var timeline = EngineTimeline(.pair("slow"))
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.go("A", .background) == ["enter slow A"])
        #expect(timeline.engine.owed.count == 1)
        #expect(timeline.end("enter slow A").isEmpty)
        #expect(timeline.go("A", .inactive) == ["leave slow A"])
        #expect(timeline.end("leave slow A").isEmpty)
        #expect(timeline.engine.owed.isEmpty)
        #expect(timeline.go("A", .active).isEmpty)
    }

    @Test func leaveWaitsForEnterToEnd() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .active, .background)
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.end("enter slow A") == ["leave slow A"])
    }

    @Test func comingBackWhileEnterRunsChangesNothing() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .active, .background)
        #expect(timeline.go("A", .active, .background).isEmpty)
        #expect(timeline.end("enter slow A").isEmpty)
        #expect(timeline.go("A", .active) == ["leave slow A"])
    }

    @Test func comingBackWhileLeaveRunsEntersAgain() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .background)
        _ = timeline.end("enter slow A")
        _ = timeline.go("A", .active)
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("leave slow A") == ["enter slow A"])
        _ = timeline.end("enter slow A")
        #expect(timeline.go("A", .active) == ["leave slow A"])
    }

    @Test func whatDidNotEnterDoesNotLeave() {
        var timeline = EngineTimeline(.pair("slow", after: 5))
        _ = timeline.go("A", .background)
        #expect(timeline.go("A", .active) == ["too early: enter slow A"])
        #expect(timeline.wait(10).isEmpty)
    }

    @Test func aVetoKeepsBothFromRunning() {
        var timeline = EngineTimeline(.pair("slow", unless: true))
        _ = timeline.go("A", .background)
        #expect(timeline.end("check slow A") == ["vetoed: enter slow A"])
        #expect(timeline.go("A", .active).isEmpty)
    }

    @Test func leaveIsNotVetoed() {
        var timeline = EngineTimeline(.pair("slow", unless: true))
        _ = timeline.go("A", .background)
        #expect(timeline.end("check slow A", .exited(1)) == ["enter slow A"])
        _ = timeline.end("enter slow A")
        #expect(timeline.go("A", .active) == ["leave slow A"])
    }

    @Test func anApplicationThatClosesIsLeft() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .background)
        _ = timeline.end("enter slow A")
        #expect(timeline.go("A", nil, cause: .close) == ["leave slow A"])
    }

    @Test func aRegroupedApplicationIsLeft() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .background)
        _ = timeline.end("enter slow A")
        #expect(timeline.go("A", nil, cause: .regroup) == ["leave slow A"])
    }

    @Test func anApplicationThatClosesIsNotEnteredForItsLastMoment() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .active)
        #expect(timeline.go("A", .background, nil, cause: .close).isEmpty)
    }

    @Test func aPairStaysEnteredAcrossAllPhasesOfItsList() {
        var timeline = EngineTimeline(.pair("rest", while: [.inactive, .background]))
        _ = timeline.go("A", .active)
        #expect(timeline.go("A", .inactive) == ["enter rest A"])
        _ = timeline.end("enter rest A")
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.go("A", .active) == ["leave rest A"])
    }

    @Test func anInitialApplicationIsNotEnteredByAChangeWithinItsPhases() {
        var timeline = EngineTimeline(.pair("rest", while: [.inactive, .background]))
        let found = HookTrigger(
            change: Change(
                kind: .initial, application: "A", group: nil,
                subject: .application(Change.Members(counts: Change.Counts(), pids: [], groups: [])),
                from: nil, to: .inactive, cause: .start, held: nil), time: .zero)
        #expect(timeline.react(to: found).isEmpty)
        let left = HookTrigger(change: .step("A", from: .inactive, to: .background), time: .zero)
        #expect(timeline.react(to: left).isEmpty)
    }

    @Test(arguments: [Outcome.exited(1), .killed(signal: 15), .timedOut])
    func aFailedEnterIsLeft(outcome: Outcome) {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .background)
        _ = timeline.end("enter slow A", outcome)
        #expect(timeline.go("A", .active) == ["leave slow A"])
    }

    @Test func anEnterThatDidNotStartIsNotLeft() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .background)
        _ = timeline.go("A", .active)
        #expect(timeline.end("enter slow A", .notStarted("missing")).isEmpty)
        #expect(timeline.engine.owed.isEmpty)
        #expect(timeline.engine.isIdle)
    }

    @Test func stoppingLeavesEverythingAndStartsNothingElse() {
        var timeline = EngineTimeline(.pair("slow"), .run("sync", after: 5), .pair("late", after: 5))
        _ = timeline.go("A", .background)
        _ = timeline.end("enter slow A")
        _ = timeline.go("B", .background)
        #expect(timeline.stop() == ["leave slow A"])
        #expect(timeline.end("enter slow B") == ["leave slow B"])
        #expect(timeline.wait(10).isEmpty)
        #expect(timeline.go("C", .background).isEmpty)
    }

    @Test func aDroppedHookIsLeft() {
        var timeline = EngineTimeline(.pair("slow"), .pair("calm"))
        _ = timeline.go("A", .background)
        _ = timeline.end("enter slow A")
        _ = timeline.end("enter calm A")
        #expect(timeline.replace(.pair("calm")) == ["leave slow A"])
        #expect(timeline.go("A", .active) == ["leave calm A"])
    }

    @Test func aChangedHookIsLeftAsItWasEntered() throws {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .background)
        _ = timeline.end("enter slow A")
        var changed = Hook.pair("slow")
        changed.reaction = .pair(
            .init(phases: [.background], enter: .arguments(["new"]), leave: .arguments(["newer"])))
        #expect(timeline.replace(changed) == ["leave slow A"])
        #expect(timeline.engine.running.map(\.program) == [.arguments(["leave"])])
    }

    @Test func aChangedHookIsEnteredAnewAfterItsLeave() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .background)
        var changed = Hook.pair("slow", after: 1)
        changed.condition.initial = true
        #expect(timeline.replace(changed).isEmpty)
        var found = Change.step("A", from: nil, to: .background)
        found.kind = .initial
        #expect(timeline.react(to: HookTrigger(change: found, time: .zero)).isEmpty)
        #expect(timeline.wait(1).isEmpty)
        #expect(timeline.end("enter slow A") == ["leave slow A"])
        #expect(timeline.end("leave slow A") == ["enter slow A"])
    }

    @Test func anUnchangedHookGoesOn() {
        var timeline = EngineTimeline(.pair("slow", after: 5), .run("sync"))
        _ = timeline.go("A", .background)
        #expect(timeline.replace(.pair("slow", after: 5)).isEmpty)
        #expect(timeline.wait(5) == ["enter slow A"])
    }
}
