import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Failures, wake-ups, and other reactions beside a freeze, as a sequence of questions and answers.
@Suite struct ReactionTimelineTests {
    static let holds: [Hold] = [.slowed(unit: "A.scope", weights: [100, .max])]

    static func answer(_ holds: [Hold], _ exception: String? = nil) -> (RunID) -> HookInput {
        var answer = ReactionAnswer()
        (answer.holds, answer.exception) = (holds, exception)
        return { .answered($0, answer) }
    }

    static func slow(_ name: String) -> Hook {
        var hook = Hook.pair(name)
        hook.reaction = .pair(Hook.Pair(phases: [.background], builtIns: [.slow]))
        return hook
    }

    // MARK: Failures

    @Test func aThawThatFailsIsTriedAgainBeforeTheLeaveRuns() {
        var timeline = EngineTimeline.ofReactions(.ice("ice", hasPrograms: true))
        timeline.enterFrozen("ice")
        #expect(timeline.go("A", .active) == ["thaw ice A", "undo ice A"])
        _ = timeline.handle(.notThawed(application: "A", [.frozen(path: "/A")]))
        #expect(timeline.engine.owed.map(\.holds) == [[.frozen(path: "/A")]])
        #expect(timeline.end("undo ice A") == ["again in 1s: leave ice A"])
        #expect(timeline.wait(1) == ["thaw ice A quietly", "undo ice A"])
        #expect(timeline.end("undo ice A") == ["leave ice A"])
    }

    @Test func aThawThatFailsAfterASignStaysOwedUntilTheLeave() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enterFrozen("ice")
        _ = timeline.handle(.wanted(["A"], because: .wanted))
        _ = timeline.handle(.notThawed(application: "A", [.frozen(path: "/A")]))
        #expect(timeline.engine.owed.map(\.holds) == [[.frozen(path: "/A")]])
        #expect(timeline.go("A", .active) == ["thaw ice A quietly", "undo ice A"])
        #expect(timeline.end("undo ice A").isEmpty && timeline.engine.owed.isEmpty)
    }

    @Test func theNextSignTriesAThawAgainThatHasFailed() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enterFrozen("ice")
        _ = timeline.handle(.wanted(["A"], because: .wanted))
        _ = timeline.handle(.notThawed(application: "A", [.frozen(path: "/A")]))
        #expect(timeline.handle(.wanted(["A"], because: .wanted)) == ["thaw ice A quietly"])
        _ = timeline.handle(.notThawed(application: "A", [.frozen(path: "/A")]))
        #expect(timeline.handle(.thaw(nil)) == ["thaw ice A quietly"])
    }

    @Test func whatWasFrozenInPartStaysOwedIfItCannotBeThawed() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enter("ice")
        #expect(
            timeline.answer("freeze ice A") { .froze($0, .failed("denied")) } == [
                "thaw ice A", "not done ice A: is not frozen: denied", "undo ice A",
            ])
        _ = timeline.handle(.notThawed(application: "A", [.frozen(path: "/A")]))
        #expect(timeline.end("undo ice A") == ["again in 1s: leave ice A"])
        #expect(timeline.engine.owed.map(\.holds) == [[.frozen(path: "/A")]])
    }

    /// The holds that were read are undone, whether or not they took effect.
    @Test func anUndoThatFailsIsTriedAgain() {
        var timeline = EngineTimeline.ofReactions(Self.slow("slow"))
        _ = timeline.go("A", .background)
        #expect(timeline.answer("prepare slow A", Self.answer(Self.holds)) == ["perform slow A"])
        _ = timeline.end("perform slow A")
        #expect(timeline.go("A", .active) == ["undo slow A"])
        #expect(
            timeline.answer("undo slow A") { .answered($0, ReactionAnswer(), failure: "no answer") }
                == ["again in 1s: leave slow A"])
        #expect(timeline.engine.owed.map(\.holds) == [Self.holds])
        #expect(timeline.wait(1) == ["undo slow A"])
    }

    @Test func anExceptionThatComesUpWhileEnterRunsKeepsItEnteredAndThawed() {
        var timeline = EngineTimeline.ofReactions(.ice("ice", [.slow], hasPrograms: true))
        _ = timeline.go("A", .background)
        _ = timeline.end("ask ice A")
        #expect(timeline.end("enter ice A") == ["prepare ice A"])
        #expect(timeline.except("prepare ice A", "fullscreen").isEmpty)
        #expect(timeline.wait(10) == ["prepare ice A"])
        #expect(timeline.answer("prepare ice A", Self.answer(Self.holds)) == ["aim ice A"])
        #expect(timeline.aim("ice A") == ["freeze ice A"])
        #expect(timeline.freeze("ice A") == ["perform ice A"])
        // A reaction in progress is not undone until it ends.
        #expect(timeline.go("A", .active) == ["thaw ice A"])
        #expect(timeline.end("perform ice A").contains("undo ice A"))
    }

    // MARK: Several hooks

    @Test func theSecondHookThatSlowsAUnitKeepsItsFirstWeights() {
        var timeline = EngineTimeline.ofReactions(Self.slow("first"), Self.slow("second"))
        #expect(timeline.go("A", .background) == ["prepare first A"])
        _ = timeline.answer("prepare first A", Self.answer(Self.holds))
        #expect(timeline.end("perform first A") == ["prepare second A"])
        let slowed = Hold.slowed(unit: "A.scope", weights: [1, .max])
        #expect(timeline.answer("prepare second A", Self.answer([slowed])) == ["perform second A"])
        _ = timeline.end("perform second A")
        #expect(timeline.engine.owed.map(\.holds) == [Self.holds, Self.holds])
        // The weights are restored only when the last hook ends.
        #expect(timeline.go("A", .active) == ["undo second A"])
    }

    /// This holds even if another hook also changes its weights.
    @Test func theFirstQuotaOfAUnitComesBackBesideItsWeights() {
        var cap = Self.slow("cap")
        cap.reaction = .pair(Hook.Pair(phases: [.background], builtIns: [.cap]))
        var both = Self.slow("both")
        both.reaction = .pair(Hook.Pair(phases: [.background], builtIns: [.cap, .slow]))
        var timeline = EngineTimeline.ofReactions(cap, both)
        func capped(_ quota: UInt64) -> Hold { .capped(unit: "A.scope", quota: quota) }
        #expect(timeline.go("A", .background) == ["prepare cap A"])
        _ = timeline.answer("prepare cap A", Self.answer([capped(500_000)]))
        #expect(timeline.end("perform cap A") == ["prepare both A"])
        _ = timeline.answer("prepare both A", Self.answer(Self.holds + [capped(200_000)]))
        _ = timeline.end("perform both A")
        #expect(timeline.engine.owed.map(\.holds) == [[capped(500_000)], [capped(500_000)] + Self.holds])
    }

    /// The hook would record the lowered weights as the original ones.
    @Test func noWeightsAreReadWhileAnotherHookGivesThemBack() {
        var timeline = EngineTimeline.ofReactions(
            .ice("ice", [.slow], hasPrograms: true), Self.slow("slow"))
        _ = timeline.go("A", .background)
        _ = timeline.end("ask ice A")
        _ = timeline.end("enter ice A")
        #expect(timeline.except("prepare ice A", "it plays") == ["prepare slow A"])
        _ = timeline.answer("prepare slow A", Self.answer(Self.holds))
        _ = timeline.end("perform slow A")
        #expect(timeline.suspend("slow") == ["undo slow A"])
        #expect(timeline.wait(10).isEmpty)
        #expect(timeline.end("undo slow A").isEmpty)
        #expect(timeline.wait(10) == ["prepare ice A"])
    }

    private static let often = Wake(interval: .seconds(100), duration: .seconds(5))
    private static let rarely = Wake(interval: .seconds(200), duration: .seconds(7))

    @Test func allThatWakeItLetItGoTogetherForTheLongestTime() {
        var timeline = EngineTimeline.ofReactions(
            .ice("often", wake: Self.often), .ice("rarely", wake: Self.rarely))
        timeline.enterFrozen("often", "rarely")
        #expect(timeline.wait(40) == ["thaw often and rarely A quietly"])
        #expect(timeline.wait(5) == ["ask often A", "ask rarely A"])
        _ = timeline.end("ask often A")
        _ = timeline.end("ask rarely A")
        _ = timeline.aim("often A")
        _ = timeline.aim("rarely A")
        // Freezing again after a wake-up is not reported.
        #expect(timeline.freeze("often A").isEmpty && timeline.freeze("rarely A").isEmpty)
        #expect(timeline.wait(95) == ["thaw often and rarely A quietly"])
        #expect(timeline.wait(6).isEmpty)
        #expect(timeline.wait(1) == ["ask often A", "ask rarely A"])
    }

    @Test func oneThatDoesNotWakeItKeepsItFrozen() {
        var timeline = EngineTimeline.ofReactions(.ice("often", wake: Self.often), .ice("ice"))
        timeline.enterFrozen("often", "ice")
        #expect(timeline.wait(1_000).isEmpty)
        #expect(timeline.engine.frozenApplications == ["A"])
    }
}
