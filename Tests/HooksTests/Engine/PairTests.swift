import PhaseWatch
import System
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
        timeline.enter("slow")
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

    @Test func aVetoKeepsBothFromRunningAndLeaveIsNotVetoed() {
        var timeline = EngineTimeline(.pair("slow", unless: true))
        _ = timeline.go("A", .background)
        #expect(timeline.end("check slow A") == ["vetoed: enter slow A"])
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.go("A", .background) == ["check slow A"])
        _ = timeline.end("check slow A", .exited(1)) + timeline.end("enter slow A")
        #expect(timeline.go("A", .active) == ["leave slow A"])
    }

    @Test(arguments: [Cause.close, .regroup]) func anApplicationThatIsGoneIsLeft(cause: Cause) {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        #expect(timeline.go("A", nil, cause: cause) == ["leave slow A"])
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
        #expect(timeline.find("A", .inactive).isEmpty)
        #expect(timeline.go("A", .background).isEmpty)
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
        timeline.enter("slow")
        _ = timeline.go("B", .background)
        #expect(timeline.stop() == ["leave slow A"])
        #expect(timeline.end("enter slow B") == ["leave slow B"])
        #expect(timeline.wait(10).isEmpty)
        #expect(timeline.go("C", .background).isEmpty)
    }

    @Test func aDroppedHookIsLeft() {
        var timeline = EngineTimeline(.pair("slow"), .pair("calm"))
        timeline.enter("slow")
        _ = timeline.end("enter calm A")
        #expect(timeline.replace(.pair("calm")) == ["leave slow A"])
        #expect(timeline.go("A", .active) == ["leave calm A"])
    }

    @Test func aChangedHookIsLeftAsItWasEntered() throws {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
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
        #expect(timeline.find("A", .background).isEmpty)
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
    // MARK: The record

    @Test func enterWaitsForItsRecordAndIsNotRunIfXphaseEndsMeanwhile() {
        for isStopped in [false, true] {
            var timeline = EngineTimeline(.pair("slow"))
            timeline.isDiskBusy = true
            #expect(timeline.go("A", .background).isEmpty)
            if isStopped { #expect(timeline.stop().isEmpty) }
            #expect(timeline.answerDisk() == (isStopped ? [] : ["enter slow A"]))
            #expect(timeline.engine.isIdle == isStopped)
        }
    }

    @Test func theProcessOfEachPartIsRecorded() {
        var timeline = EngineTimeline(.pair("slow"))
        for (phase, part) in [(ScenePhase.background, Job.Part.enter), (.active, .leave)] {
            _ = timeline.go("A", phase)
            let writes = timeline.writes
            #expect(timeline.start("\(part) slow A").isEmpty && timeline.writes == writes + 1)
            #expect(timeline.engine.owed.first?.started?.part == part)
            _ = timeline.end("\(part) slow A")
        }
    }

    @Test func leaveIsRunForTheProcessesOfEnter() {
        var timeline = EngineTimeline(.pair("slow"))
        let processes = [ProcessIdentity(pid: 7, startTicks: 7)]
        _ = timeline.go("A", .background)
        for job in timeline.engine.running { _ = timeline.handle(.identified(job, processes)) }
        _ = timeline.end("enter slow A")
        let left = HookInput.changes([timeline.trigger("A", to: .active)])
        let runs = timeline.engine.handle(left, at: Moment(now: .zero, time: .zero))
        #expect(runs.contains { if case .run(_, _, _, processes) = $0 { true } else { false } })
    }
}
