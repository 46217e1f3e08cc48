import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Freezes that the user requests.
@Suite struct HandFreezeTests {
    private static func frozen(_ hooks: Hook? = nil, for time: Duration? = nil) -> EngineTimeline {
        var timeline = EngineTimeline()
        if let hooks { _ = timeline.replace(hooks) }
        _ = timeline.go("A", .active)
        #expect(timeline.freezeByHand("A", for: time) == ["ask A: freeze"])
        let words = timeline.settle()
        #expect(words == ["freeze A", "by hand: A: A frozen", "by hand A"])
        return timeline
    }

    @Test func itFreezesInEveryPhaseAndIsNotEndedByWhatOnlyShowsTheApplication() {
        var timeline = Self.frozen()
        #expect(timeline.sign("A", .wanted).isEmpty)
        #expect(timeline.go("A", .inactive, .background, .inactive).isEmpty)
        #expect(timeline.status == ["entered"] && timeline.engine.next == nil)
    }

    @Test func anotherSignEndsIt() {
        var timeline = Self.frozen()
        #expect(timeline.sign("A", .spokenTo("a click")) == ["thaw A"])
        #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest)
    }

    @Test func theEndOfTheSessionEndsItAndRefusesAnotherOne() {
        var timeline = Self.frozen()
        #expect(timeline.handle(.application(.sessionMayEnd)) == ["thaw A"])
        #expect(timeline.freezeByHand("A") == ["by hand A: \(ThawReason.sessionMayEnd.words)"])
        #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest)
    }

    @Test func becomingActiveAgainEndsIt() {
        var timeline = Self.frozen()
        _ = timeline.go("A", .inactive)
        #expect(timeline.go("A", .active) == ["thaw A"])
        #expect(timeline.go("A", .background).isEmpty && timeline.isAtRest)
    }

    @Test func aSwitchToItsDesktopDoesNotEndIt() {
        var timeline = Self.frozen()
        _ = timeline.go("A", .background, cause: .desktop)
        #expect(timeline.go("A", .active, cause: .desktop).isEmpty)
        #expect(timeline.engine.frozenApplications == ["A"])
    }

    @Test func aThawByTheUserEndsIt() {
        var timeline = Self.frozen()
        #expect(timeline.handle(.thaw(["A"])) == ["thaw A"])
        #expect(timeline.isAtRest && timeline.status.isEmpty)
    }

    @Test func itsTimeEndsItFromTheFreezeOn() {
        var timeline = EngineTimeline()
        _ = timeline.go("A", .active) + timeline.freezeByHand("A", for: .seconds(60))
        _ = timeline.wait(5) + timeline.settle()
        #expect(timeline.wait(59).isEmpty)
        #expect(timeline.wait(1) == ["thaw A"] && timeline.isAtRest)
    }

    @Test func closingTheApplicationEndsIt() {
        var timeline = Self.frozen()
        #expect(timeline.go("A", nil, cause: .close) == ["thaw A"])
        #expect(timeline.isAtRest)
    }

    @Test func aHookKeepsItFrozenAfterwards() {
        var timeline = Self.frozen(.doing("ice", .freeze), for: .seconds(60))
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.wait(60) == ["by hand: A: A stays frozen because of hook 'ice'"])
        #expect(timeline.engine.frozenApplications == ["A"])
    }

    @Test func itKeepsFrozenWhatAHookLetsGo() {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        timeline.freeze()
        #expect(timeline.freezeByHand("A") == ["by hand A"])
        #expect(timeline.go("A", .inactive) == ["ice: A stays frozen because of hook 'by hand: A'"])
    }

    @Test func itFreezesWhatTheUserHasThawedOrWhatIsAwake() {
        for wasThawed in [true, false] {
            var timeline = EngineTimeline(.doing("ice", .freeze))
            timeline.freeze()
            _ = wasThawed ? timeline.handle(.thaw(nil)) : timeline.sign("A", .spokenTo("a call"))
            #expect(timeline.freezeByHand("A") == ["ask A: freeze"])
            #expect(timeline.settle().last == "by hand A")
        }
    }

    // MARK: Failures

    @Test func anExceptionARefusalOrAFailureIsTheAnswer() {
        var refused = Findings()
        refused.refusal = "a terminal"
        let failures: [(answer: (inout EngineTimeline) -> [String], reason: String)] = [
            ({ $0.except("A", [.audio: "it plays"]) }, "it plays"),
            ({ [refused] timeline in timeline.answer("ask A") { .asked($0, refused) } }, "a terminal"),
            (
                { timeline in
                    timeline.isDiskBusy = true
                    return timeline.end("ask A") + timeline.answerDisk(failure: "full")
                }, "full"
            ),
            ({ $0.end("ask A") + $0.froze("A", .failed("denied")) }, "denied"),
            ({ $0.end("ask A") + $0.froze("A", .later("not yet")) }, "not yet"),
            ({ $0.end("ask A") + $0.froze("A", .silentServer) }, ThawReason.silentServer.words),
            ({ $0.go("A", nil) }, "it has no window"), ({ $0.handle(.thaw(nil)) }, "thawed by the user"),
            ({ $0.sign("A", .spokenTo("a click")) }, "it is contacted by a click"),
            ({ $0.handle(.application(.sessionMayEnd)) }, ThawReason.sessionMayEnd.words),
            ({ $0.stop() }, ThawReason.stopped.words),
        ]
        for (answer, reason) in failures {
            var timeline = EngineTimeline()
            _ = timeline.go("A", .active) + timeline.freezeByHand("A")
            #expect(answer(&timeline).contains("by hand A: \(reason)"), "\(reason)")
            _ = timeline.settle()
            #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest, "\(reason)")
        }
    }

    @Test func whatSharesAProcessWithAnActiveApplicationIsRefused() {
        var timeline = EngineTimeline(sharing: ["A": ["B"], "B": ["A"]])
        _ = timeline.go("A", .active) + timeline.freezeByHand("A")
        let reason = "it shares a process with 'B'"
        #expect(timeline.settle() == ["excepted by hand: A A: \(reason)", "by hand A: \(reason)"])
        #expect(timeline.isAtRest)
    }
}
