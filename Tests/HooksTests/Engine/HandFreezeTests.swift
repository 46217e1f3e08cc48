import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Freezes that the user requests.
@Suite struct HandFreezeTests {
    /// Returns a timeline in which A was frozen by hand while it was active.
    private static func frozen(_ hooks: Hook..., for time: Duration? = nil) -> EngineTimeline {
        var timeline = EngineTimeline()
        _ = timeline.handle(.reload(hooks)) + timeline.go("A", .active)
        #expect(timeline.freezeByHand("A", for: time) == ["ask A: freeze"])
        _ = timeline.wait(5)
        #expect(timeline.settle() == ["freeze A", "by hand: A: A frozen", "by hand A"])
        return timeline
    }

    @Test func aFreezeByHandLastsInEveryPhaseAndIsNotEndedByWhatOnlyShowsTheApplication() {
        var timeline = Self.frozen()
        #expect(timeline.sign("A", .used).isEmpty)
        #expect(timeline.go("A", .inactive, .background, .inactive).isEmpty)
        #expect(timeline.status == ["entered"] && timeline.engine.next == nil)
    }

    @Test(arguments: [
        Cause.return, .unlock, .displayOn, .back, .uncovered, .desktop, .showDesktop, .windowManager, .resync,
    ])
    func theReturnOfTheUserDoesNotEndIt(cause: Cause) {
        var timeline = Self.frozen()
        #expect((timeline.go("A", .inactive) + timeline.go("A", .active, cause: cause)).isEmpty)
        #expect(timeline.engine.frozenApplications == ["A"])
        #expect(timeline.go("A", .inactive).isEmpty && timeline.go("A", .active, cause: .focus) == ["thaw A"])
    }

    @Test func aFreezeByHandEndsWhenTheApplicationIsUsed() {
        let ends: [(inout EngineTimeline) -> [String]] = [
            { $0.sign("A", .spokenTo("a click")) }, { $0.handle(.sessionMayEnd) },
            { $0.go("A", .inactive, .active) }, { $0.go("A", nil, cause: .close) },
            { $0.handle(.thaw(["A"])) }, { $0.handle(.stop) },
        ]
        for end in ends {
            var timeline = Self.frozen()
            #expect(end(&timeline) == ["thaw A"] && timeline.isAtRest && timeline.status.isEmpty)
            #expect(timeline.wait(1_000).isEmpty && timeline.go("A", .background).isEmpty)
        }
    }

    @Test func aNewTimeReplacesTheOldOneOfAFreezeByHand() throws {
        var timeline = Self.frozen(for: .seconds(60))
        _ = timeline.wait(50)
        let job = try #require(timeline.engine.freezeByHand(of: "A"))
        #expect(timeline.handle(.freeze(job.trigger, job.hook, for: .seconds(60))) == ["by hand A"])
        #expect(timeline.wait(59).isEmpty && timeline.status == ["entered"])
        #expect(timeline.wait(1) == ["thaw A"] && timeline.isAsleep)
        #expect(timeline.engine.freezeByHand(of: "A") == nil)
    }

    private static var postponed: EngineTimeline {
        var timeline = EngineTimeline()
        _ = timeline.go("A", .active) + timeline.freezeByHand("A", for: .seconds(60))
        let reason = "it has just started mpv"
        #expect(
            timeline.postpone("A", for: "mpv") == [
                "excepted by hand: A A: \(reason)", "by hand A later: \(reason)",
            ])
        #expect(timeline.status == ["excepted: \(reason)"] && timeline.engine.awakeApplications == ["A"])
        return timeline
    }

    @Test func aProgramThatWasJustStartedPostponesAFreezeByHand() {
        var timeline = Self.postponed
        #expect(timeline.wait(10) == ["ask A: freeze"])
        // It is reported once.
        #expect(timeline.postpone("A", for: "another").isEmpty)
        #expect(timeline.wait(10) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "by hand: A: A frozen", "by hand A"])
        // Its time counts from the freeze on.
        #expect(timeline.wait(59).isEmpty && timeline.wait(1) == ["thaw A"] && timeline.isAsleep)
    }

    @Test(arguments: [false, true])
    func aFreezeByHandWithoutExceptionsReplacesAPostponedOne(isAskedAgain: Bool) {
        var timeline = Self.postponed
        // The answer to the question of the former one no longer counts.
        if isAskedAgain { #expect(timeline.wait(10) == ["ask A: freeze"]) }
        #expect(timeline.freezeByHand("A", except: []) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "by hand: A: A frozen", "by hand A"])
    }

    /// What the user requests is asked with its own exceptions, whatever hooks want meanwhile.
    @Test func aFreezeByHandReplacesAPostponedOneAlthoughAHookWantsOneMeanwhile() {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        _ = timeline.go("A", .active) + timeline.freezeByHand("A") + timeline.postpone("A", for: "mpv")
        _ = timeline.go("A", .background)
        #expect(timeline.engine.applications["A"]?.votes.last?.isByHand == true)
        #expect(timeline.freezeByHand("A", except: []) == ["ask A: freeze"])
        #expect(timeline.settle().last == "by hand A")
    }

    @Test func aPostponedFreezeByHandThatCannotBeMadeIsReported() {
        var timeline = Self.postponed
        _ = timeline.wait(10) + timeline.end("ask A")
        #expect(timeline.froze("A", .later("no bus")).contains("excepted by hand: A A: no bus"))
        #expect(timeline.wait(1_000).isEmpty && timeline.status.isEmpty)
    }

    @Test func aFreezeByHandThatIsNotAnsweredYetCanBeThawed() {
        var timeline = EngineTimeline()
        _ = timeline.go("A", .active) + timeline.freezeByHand("A")
        #expect(timeline.engine.awakeApplications == ["A"] && timeline.engine.applicationsByHand == ["A"])
        #expect(timeline.handle(.thaw(["A"])) == ["by hand A: thawed by the user"])
        #expect(timeline.settle().isEmpty && timeline.engine.applicationsByHand.isEmpty)
    }

    @Test func aPostponedFreezeByHandEndsAsAnyOther() {
        let ends: [(inout EngineTimeline) -> [String]] = [
            { $0.handle(.sessionMayEnd) }, { $0.go("A", .inactive, .active) },
            { $0.go("A", nil, cause: .close) },
            { $0.handle(.thaw(["A"])) }, { $0.handle(.stop) },
        ]
        for end in ends {
            var timeline = Self.postponed
            let words = end(&timeline)
            #expect(words.count == 1 && words[0].hasPrefix("excepted by hand: A A: "), "\(words)")
            #expect(timeline.wait(1_000).isEmpty && timeline.status.isEmpty)
        }
        // What prevents it later is reported once.
        var timeline = Self.postponed
        _ = timeline.wait(10)
        #expect(timeline.except("A", [.audio: "it plays"]) == ["excepted by hand: A A: it plays"])
        #expect(timeline.wait(1_000).isEmpty && timeline.status.isEmpty)
    }

    @Test func theTimeOfAFreezeByHandCountsFromTheFreezeOn() {
        var timeline = Self.frozen(for: .seconds(60))
        #expect(timeline.wait(59).isEmpty)
        #expect(timeline.wait(1) == ["thaw A"] && timeline.isAsleep)
    }

    @Test func theEndOfTheSessionRefusesIt() {
        var timeline = EngineTimeline()
        _ = timeline.go("A", .active) + timeline.handle(.sessionMayEnd)
        #expect(timeline.freezeByHand("A") == ["by hand A: \(ThawReason.sessionMayEnd.words)"])
    }

    @Test func aFreezeByHandMayIgnoreTheExceptionsOfHooks() {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        _ = timeline.go("A", .background)
        #expect(timeline.except("A", [.audio: "it plays"]) == ["excepted ice A: it plays"])
        #expect(timeline.freezeByHand("A", except: []) == ["ask A: freeze"])
        // The hook is still prevented, and what prevents it is not asked for again.
        #expect(timeline.settle() == ["freeze A", "by hand: A: A frozen", "by hand A"])
    }

    @Test func theTimeThatTheMachineSleepsCountsForAFreezeByHand() {
        let timeline = Self.frozen(for: .seconds(60))
        let now = timeline.machine.now
        for (asleep, left) in [(0, 60), (20, 40), (90, -30)] {
            let next = timeline.engine.next(at: now, sinceBoot: now + .seconds(asleep))
            #expect(next == now + .seconds(left))
        }
    }

    @Test func aFreezeByHandAndAHookKeepFrozenWhatTheOtherLetsGo() {
        var timeline = Self.frozen(.doing("ice", .freeze), for: .seconds(60))
        #expect(timeline.go("A", .background) == ["ice: A is already frozen"])
        #expect(timeline.wait(60) == ["by hand: A: A stays frozen because of hook 'ice'"])
        #expect(timeline.engine.frozenApplications == ["A"])
        #expect(timeline.freezeByHand("A") == ["by hand A"])
        #expect(timeline.go("A", .inactive) == ["ice: A stays frozen because of hook 'by hand: A'"])
    }

    /// Neither a rest nor a thaw by the user refuses a freeze that the user requests afterwards.
    @Test func aFreezeByHandFreezesAnAwakeOrThawedApplication() {
        for thaw in [HookInput.sign(["A"], because: .spokenTo("a call")), .thaw(["A"])] {
            var timeline = EngineTimeline.frozen
            #expect(timeline.handle(thaw) == ["thaw A"])
            #expect(timeline.freezeByHand("A") == ["ask A: freeze"])
            #expect(timeline.settle() == ["freeze A", "by hand: A: A frozen", "by hand A"])
        }
    }

    /// Another reaction has a vote all the time.
    @Test(arguments: [false, true]) func aThawByTheUserForbidsNoPhaseThatBeginsLater(isAwake: Bool) {
        var timeline = EngineTimeline(
            .doing("quiet", .mute, while: Set(ScenePhase.allCases)), .doing("ice", .freeze, except: []),
            isPrompt: true)
        _ = timeline.go("A", .active) + timeline.freezeByHand("A")
        if isAwake { #expect(timeline.sign("A", .spokenTo("a call")) == ["thaw A"]) }
        #expect(timeline.handle(.thaw(["A"])) == (isAwake ? [] : ["thaw A"]))
        #expect(timeline.go("A", .background).suffix(3) == ["ask A: freeze", "freeze A", "ice: A frozen"])
        // Of this phase, it does.
        #expect(timeline.handle(.thaw(["A"])) == ["thaw A"] && timeline.wait(1_000).isEmpty)
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.go("A", .background) == ["ask A: freeze", "freeze A", "ice: A frozen"])
    }

    // MARK: Failures

    @Test func anExceptionARefusalOrAFailureIsTheAnswer() {
        let failures: [(answer: (inout EngineTimeline) -> [String], reason: String)] = [
            ({ $0.except("A", [.audio: "it plays"]) }, "it plays (--except none freezes it anyway)"),
            ({ $0.refuse("A", because: "a terminal") }, "a terminal"),
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
            ({ $0.sign("A", .spokenTo("a click")) }, "a click"),
            ({ $0.handle(.sessionMayEnd) }, ThawReason.sessionMayEnd.words),
            ({ $0.handle(.stop) }, ThawReason.stopped.words),
        ]
        for (answer, reason) in failures {
            var timeline = EngineTimeline()
            _ = timeline.go("A", .active) + timeline.freezeByHand("A")
            #expect(answer(&timeline).contains("by hand A: \(reason)"), "\(reason)")
            _ = timeline.settle()
            #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest, "\(reason)")
        }
    }

    @Test func anApplicationThatSharesAProcessWithAnActiveOneIsRefused() {
        var timeline = EngineTimeline(sharing: ["A": ["B"], "B": ["A"]])
        _ = timeline.go("A", .active) + timeline.go("B", .active) + timeline.freezeByHand("A")
        let reason = "it shares a process with 'B'"
        #expect(timeline.settle() == ["excepted by hand: A A: \(reason)", "by hand A: \(reason)"])
        #expect(timeline.isAtRest)
    }
}
