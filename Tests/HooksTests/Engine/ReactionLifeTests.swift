import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Pauses, reloads, the record of an earlier process, and the stop.
@Suite struct ReactionLifeTests {
    @Test func aPauseThawsAndAResumeAsksAndFreezes() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enterFrozen("ice")
        #expect(timeline.suspend("ice") == ["thaw ice A", "undo ice A"])
        #expect(timeline.suspend().isEmpty)
        #expect(timeline.end("undo ice A") == ["ask ice A"])
    }

    /// The `leave` is still queued when the pair is to be entered again.
    @Test func aLeaveThatIsNotNeededTakesTheNextEnterAlong() {
        var timeline = EngineTimeline(
            .pair("wide", while: [.inactive, .background]), .pair("other"), limit: 1)
        _ = timeline.go("A", .inactive)
        _ = timeline.end("enter wide A")
        #expect(timeline.go("B", .background) == ["enter wide B"])
        #expect(timeline.suspend("wide").isEmpty && timeline.suspend().isEmpty)
        #expect(timeline.go("A", .background).isEmpty)
        _ = timeline.end("enter wide B")
        #expect(
            timeline.engine.queue.jobs.allSatisfy { $0.subject.application == "B" || $0.hook.name == "other" }
        )
    }

    @Test func aHookThatChangesThawsAndIsEnteredAnew() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enterFrozen("ice")
        var changed = Hook.ice("ice", after: 1)
        changed.condition.initial = true
        #expect(timeline.replace(changed) == ["thaw ice A", "undo ice A"])
        var found = Change.step("A", from: nil, to: .background)
        found.kind = .initial
        _ = timeline.react(to: HookTrigger(change: found, time: .zero))
        #expect(timeline.end("undo ice A").isEmpty)
        #expect(timeline.wait(1) == ["ask ice A"])
    }

    @Test func whatAKilledProcessHasFrozenIsThawedByTheNext() {
        var earlier = EngineTimeline.ofReactions(.ice("first", hasPrograms: true), .ice("second"))
        earlier.enterFrozen("first", "second")
        var timeline = EngineTimeline.ofReactions(restored: nil)
        #expect(
            timeline.handle(.restored(earlier.engine.owed.map { RestoredPair($0) })) == [
                "thaw first and second A", "undo first A", "undo second A",
            ])
    }

    /// Both jobs share a lane: behind the `enter`, the `leave` would wait for a job that waits for it.
    @Test func whatIsOwedIsLeftBeforeWhatCameWhileTheRecordWasRead() {
        var earlier = EngineTimeline(.pair("slow"))
        _ = earlier.go("A", .background)
        var timeline = EngineTimeline.ofReactions(.pair("slow"), restored: nil)
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.restore(earlier.engine.owed[0]) == ["leave slow A"])
        #expect(timeline.end("leave slow A") == ["enter slow A"])
    }

    /// `after` and the exceptions may have changed since the pair was entered.
    @Test func whatIsOwedIsLeftThoughItsPhaseLasts() {
        let hooks = (ReactionTimelineTests.slow("first"), ReactionTimelineTests.slow("second"))
        var earlier = EngineTimeline.ofReactions(hooks.0, hooks.1)
        _ = earlier.go("A", .background)
        _ = earlier.answer("prepare first A", ReactionTimelineTests.answer(ReactionTimelineTests.holds))
        _ = earlier.end("perform first A")
        _ = earlier.answer(
            "prepare second A", ReactionTimelineTests.answer([.slowed(unit: "B.scope", weights: [])]))
        var timeline = EngineTimeline.ofReactions(hooks.0, hooks.1, restored: nil)
        #expect(
            timeline.handle(.restored(earlier.engine.owed.map { RestoredPair($0) })) == ["undo first A"])
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("undo first A") == ["undo second A"])
        #expect(timeline.end("undo second A") == ["prepare first A"])
    }

    @Test func nothingIsAskedWhileTheRecordCannotBeRead() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"), restored: nil)
        _ = timeline.handle(.notRestored("busy"))
        #expect(timeline.go("A", .background).isEmpty && timeline.engine.isIdle)
    }

    @Test func aRecordThatCouldNotBeWrittenIsWrittenOnceMoreAtTheEnd() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enterFrozen("ice")
        timeline.isDiskBusy = true
        _ = timeline.go("A", .active)
        _ = timeline.end("undo ice A")
        _ = timeline.answerDisk(failure: "full")
        let effects = timeline.engine.handle(.stop, at: Moment(now: timeline.now, time: .zero))
        #expect(effects.contains { if case .record = $0 { true } else { false } })
    }
}
