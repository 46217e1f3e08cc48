import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Pairs of programs, and what an earlier process has entered.
@Suite struct PairTests {
    @Test func leaveFollowsEnter() {
        var timeline = EngineTimeline(.pair("slow"))
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.go("A", .background) == ["enter slow A"])
        #expect(timeline.engine.owed.count == 1)
        // Coming back while `enter` runs changes nothing.
        #expect(timeline.go("A", .active, .background).isEmpty)
        #expect(timeline.end("enter slow A").isEmpty)
        #expect(timeline.go("A", .inactive) == ["leave slow A"])
        // Each part waits for the other one to end.
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("leave slow A") == ["enter slow A"])
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.end("enter slow A") == ["leave slow A"])
        #expect(timeline.end("leave slow A").isEmpty && timeline.isAsleep)
        #expect(timeline.go("A", .inactive).isEmpty)
    }

    @Test func aPairThatDidNotEnterDoesNotLeaveAndLeaveIsNotVetoed() {
        var timeline = EngineTimeline(.pair("slow", after: 5, unless: true))
        _ = timeline.go("A", .background)
        #expect(timeline.go("A", .active) == ["too early: enter slow A"] && timeline.isAsleep)
        _ = timeline.go("A", .background) + timeline.wait(5)
        #expect(timeline.end("check slow A") == ["vetoed: enter slow A"])
        #expect(timeline.go("A", .active).isEmpty)
        #expect((timeline.go("A", .background) + timeline.wait(5)) == ["check slow A"])
        #expect(timeline.end("check slow A", .exited(1)) == ["enter slow A"])
        _ = timeline.end("enter slow A")
        #expect(timeline.go("A", .active) == ["leave slow A"])
    }

    @Test(arguments: [Cause.close, .regroup]) func aSubjectThatIsGoneIsLeftAndNotEnteredForItsLastMoment(
        cause: Cause
    ) {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        #expect(timeline.go("A", nil, cause: cause) == ["leave slow A"])
        _ = timeline.settle() + timeline.go("A", .active)
        #expect(timeline.go("A", .background, nil, cause: cause).isEmpty)
    }

    @Test(arguments: [
        (Outcome.exited(1), true), (.killed(signal: 15), true), (.timedOut, true),
        (.notStarted("missing"), false), (.postponed("full"), false),
    ])
    func onlyAnEnterThatStartedIsLeft(outcome: Outcome, isLeft: Bool) {
        for isActive in [false, true] {
            var timeline = EngineTimeline(.pair("slow"))
            _ = timeline.go("A", .background)
            if isActive { _ = timeline.go("A", .active) }
            let words = timeline.end("enter slow A", outcome)
            #expect(timeline.engine.owed.isEmpty != isLeft)
            #expect(words + timeline.go("A", .active) == (isLeft ? ["leave slow A"] : []))
            #expect(timeline.settle().isEmpty && timeline.isAsleep)
        }
    }

    @Test func theCheckGoesOnForWhatClosesAndOpensAgain() {
        var timeline = EngineTimeline(Hook.pair("slow", unless: true).closed)
        #expect(timeline.go("A", .background) == ["check slow A"])
        var closed = timeline.trigger("A", to: nil, .close)
        closed.isSurvived = true
        #expect(timeline.handle(.changes([closed])).isEmpty)
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("check slow A", .exited(1)) == ["enter slow A"])
        #expect(timeline.end("enter slow A").isEmpty && timeline.engine.commands.turns.isEmpty)
    }

    @Test(arguments: [false, true]) func onlyAHookForClosedLastsWhileItsProcessLives(lastsClosed: Bool) {
        var hook = Hook.pair("slow")
        if lastsClosed { hook = hook.closed }
        var timeline = EngineTimeline(hook)
        timeline.enter("slow")
        var closed = timeline.trigger("A", to: nil, .close)
        closed.isSurvived = true
        #expect(timeline.handle(.changes([closed])) == (lastsClosed ? [] : ["leave slow A"]))
        closed.isSurvived = false
        #expect(timeline.handle(.changes([closed], only: ["slow"])) == (lastsClosed ? ["leave slow A"] : []))
        #expect(timeline.settle().isEmpty && timeline.isAsleep)
    }

    // MARK: Reloads

    @Test func aDroppedHookIsLeftAndAnUnchangedOneGoesOn() {
        var timeline = EngineTimeline(.pair("slow"), .pair("calm"), .pair("late", after: 5))
        _ = timeline.go("A", .background) + timeline.settle()
        #expect(timeline.replace(.pair("calm"), .pair("late", after: 5)) == ["leave slow A"])
        #expect(timeline.wait(5) == ["enter late A"])
        #expect(timeline.go("A", .active) == ["leave calm A"])
    }

    @Test func aChangedHookIsLeftAsItWasEnteredAndEnteredAnew() {
        var timeline = EngineTimeline(.pair("slow"))
        _ = timeline.go("A", .background)
        var changed = Hook.pair("slow", after: 1)
        changed.condition.initial = true
        changed.reaction = .pair(
            .init(phases: [.background], enter: .arguments(["new"]), leave: .arguments(["newer"])))
        #expect(timeline.replace(changed).isEmpty)
        #expect(timeline.find("A", .background).isEmpty)
        #expect(timeline.wait(1).isEmpty)
        #expect(timeline.end("enter slow A") == ["leave slow A"])
        #expect(timeline.tasks.map(\.job.program) == [.arguments(["leave"])])
        #expect(timeline.end("leave slow A") == ["enter slow A"])
        #expect(timeline.tasks.map(\.job.program) == [.arguments(["new"])])
    }

    // MARK: The record

    @Test func theProcessOfEachPartIsRecorded() {
        var timeline = EngineTimeline(.pair("slow"))
        var owed: [UndoRecordEntry] = []
        for (phase, part) in [(ScenePhase.background, Job.Part.enter), (.active, .leave)] {
            _ = timeline.go("A", phase)
            let writes = timeline.writes
            #expect(timeline.start("\(part) slow A").isEmpty && timeline.writes == writes + 1)
            owed = timeline.engine.owed
            #expect(owed.first?.started?.part == part)
            _ = timeline.end("\(part) slow A")
        }
        // What an earlier process has left is not left again.
        var later = EngineTimeline(.pair("slow"), restored: owed)
        #expect(later.settle().isEmpty && later.isAsleep)
    }

    /// An earlier process has entered the pair, or still enters or leaves it. Both jobs share a lane: behind the `enter`,
    /// the `leave` would wait for a job that waits for it.
    @Test(arguments: [nil, .enter, .leave] as [Job.Part?], [false, true])
    func anOwedPairIsLeftBeforeItIsEntered(running: Job.Part?, isReadFirst: Bool) {
        var earlier = EngineTimeline(.pair("slow"))
        _ = earlier.go("A", .background)
        var timeline = EngineTimeline(.pair("slow"), restored: nil)
        if !isReadFirst { #expect(timeline.go("A", .background).isEmpty) }
        let words = timeline.restore(earlier.engine.owed, running: running)
        #expect(words == [running.map { "follow \($0) slow A" } ?? "leave slow A"])
        if isReadFirst { #expect(timeline.go("A", .background).isEmpty) }
        if running == .enter { #expect(timeline.end("enter slow A") == ["leave slow A"]) }
        #expect(timeline.end("leave slow A") == ["enter slow A"])
    }

    // MARK: A limit keeps `leave` from starting

    @Test func leaveIsTriedAgainLaterAndLater() {
        var timeline = EngineTimeline(.pair("slow"))
        timeline.enter("slow")
        #expect(timeline.go("A", .active) == ["leave slow A"])
        #expect(timeline.end("leave slow A", .postponed("full")) == ["slow: leave for A is retried in 1s"])
        for (delay, next) in [(1, 2), (2, 4), (4, 8)] {
            #expect(timeline.engine.owed.count == 1)
            #expect(timeline.wait(.seconds(delay) - .milliseconds(1)).isEmpty)
            #expect(timeline.wait(.milliseconds(1)) == ["leave slow A"])
            let again = "slow: leave for A is retried in \(Duration.seconds(next).text)"
            #expect(timeline.end("leave slow A", .postponed("full")) == [again])
        }
        // The end does not wait for that.
        #expect(timeline.handle(.stop) == ["leave slow A"])
        #expect(timeline.end("leave slow A").isEmpty && timeline.isAsleep)
    }
}
