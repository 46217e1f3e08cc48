import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Freezing, as a sequence of questions and answers.
@Suite struct FreezeTimelineTests {
    /// Returns a timeline in which a freeze has reached a step: asking, recording, freezing, frozen.
    private static func timeline(at step: Int) -> EngineTimeline {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        timeline.isDiskBusy = true
        #expect(timeline.go("A", .active, .background) == ["ask A: freeze"])
        if step > 0 { #expect(timeline.end("ask A").isEmpty) }
        if step > 1 { #expect(timeline.answerDisk() == ["freeze A"]) }
        if step > 2 { #expect(timeline.end("freeze A") == ["ice: A frozen"]) }
        return timeline
    }

    @Test func aFreezeTakesOneQuestionAndOneRecord() {
        var timeline = Self.timeline(at: 1)
        // Nothing is stopped before its record is on disk.
        #expect(timeline.engine.frozenApplications.isEmpty && timeline.wait(1_000).isEmpty)
        #expect(timeline.answerDisk() == ["freeze A"])
        // It may be stopped before the X server has answered.
        #expect(timeline.engine.frozenApplications == ["A"])
        #expect(timeline.end("freeze A") == ["ice: A frozen"])
        #expect(timeline.writes == 1 && timeline.engine.owed.map(\.holds) == [[.stopped(1)]])
        #expect(timeline.go("A", .active) == ["thaw A"])
        #expect(timeline.writes == 2 && timeline.isAsleep)
        let events = timeline.engine.history["ice"].map { "\($0.kind) \($0.reason)" }
        #expect(Set(events.dropFirst()) == ["ran frozen", "thawed its phase ended"])
    }

    @Test func theHistorySaysWhatHasEndedTheFreeze() {
        let ends: [(end: (inout EngineTimeline) -> [String], reason: String)] = [
            ({ $0.go("A", .active) }, "its phase ended"),
            ({ $0.replace(.doing("ice", .freeze, after: 1)) }, "its hook has changed"),
            ({ $0.suspend("ice") }, "its hook no longer reacts"),
            ({ $0.handle(.thaw(["A"])) }, "the user requested it"),
            ({ $0.sign("A", .deaf) }, ThawReason.deaf.words),
            ({ $0.handle(.stop) }, ThawReason.stopped.words),
        ]
        for (end, reason) in ends {
            var timeline = EngineTimeline.frozen
            #expect(end(&timeline).first == "thaw A")
            let thaw = timeline.engine.history["ice"].first { $0.kind == .thawed }
            #expect(thaw?.reason == reason)
        }
        // Of a former xphase.
        var timeline = EngineTimeline(.doing("ice", .freeze), restored: nil)
        _ = timeline.restore(EngineTimeline.frozen.engine.owed)
        #expect(timeline.engine.history["ice"].map(\.reason) == ["an earlier xphase has frozen it"])
    }

    @Test func anApplicationWhoseRecordTheDiskRefusesIsNotFrozenUntilThePhaseBeginsAnew() {
        var timeline = Self.timeline(at: 1)
        #expect(timeline.answerDisk(failure: "full") == ["ice: A is not frozen: full"])
        #expect(timeline.isAsleep && timeline.writes == 1)
        #expect(timeline.status == ["excepted: full"])
        _ = timeline.go("A", .active)
        #expect(timeline.go("A", .background) == ["ask A: freeze"])
        // What must not be touched is refused once.
        #expect(timeline.refuse("A", because: "a terminal") == ["excepted ice A: a terminal"])
        #expect(timeline.isAsleep && timeline.writes == 1)
        // An answer that comes too late is not reported.
        _ = timeline.go("A", .active) + timeline.go("A", .background) + timeline.go("A", .active)
        #expect(timeline.refuse("A", because: "a terminal").isEmpty)
    }

    @Test func theVotesOfTwoHooksAreOneFreeze() {
        var timeline = EngineTimeline(.doing("first", .freeze), .doing("second", .freeze))
        #expect(timeline.go("A", .background) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "second: A frozen"])
        #expect(timeline.suspend("first") == ["first: A stays frozen because of hook 'second'"])
        #expect(timeline.suspend("first", "second") == ["thaw A"])
    }

    // MARK: Signs

    @Test(arguments: 0...3) func aSignInEachStepCancels(step: Int) {
        var timeline = Self.timeline(at: step)
        #expect(timeline.sign("A") == [[], [], ["thaw A quietly"], ["thaw A"]][step])
        timeline.isDiskBusy = false
        _ = timeline.answerDisk()
        // The answer comes too late.
        #expect(timeline.settle().isEmpty && timeline.isAtRest && timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
    }

    /// Job control of a shell and a silent X server count as signs. A window manager may pass the focus through another
    /// window on its way to the target: what is frozen without the focus is frozen again sooner after a moment with it.
    @Test(arguments: [ThawReason.used, .spokenTo("a call"), .stopped, .deaf, .silentServer])
    func aSignThawsForTenSecondsOrForTheTimeThatThePhaseMustLast(reason: ThawReason) {
        let whileSeen = Hook.doing("ice", .freeze, while: [.inactive, .background])
        let hooks = [
            (Hook.doing("ice", .freeze), 10), (.doing("ice", .freeze, after: 30), 30),
            (whileSeen, reason == .used ? 1 : 10),
        ]
        for (hook, time) in hooks {
            var timeline = EngineTimeline(hook, isPrompt: true)
            _ = timeline.go("A", .background) + timeline.wait(30)
            #expect(timeline.sign("A", reason) == ["thaw A"])
            #expect(timeline.status == ["entered: \(reason.words)"])
            #expect(timeline.wait(.seconds(time) - .milliseconds(1)).isEmpty)
            #expect(timeline.wait(.milliseconds(1)) == ["ask A: freeze", "freeze A", "ice: A frozen"])
        }
    }

    @Test(arguments: [[0, 30], [30, 0]]) func theLongestOfTheTimesOfItsHooksCounts(after: [Int]) {
        var timeline = EngineTimeline(
            .doing("first", .freeze, after: after[0]), .doing("second", .freeze, after: after[1]),
            isPrompt: true)
        _ = timeline.go("A", .background) + timeline.wait(30)
        #expect(timeline.sign("A", .spokenTo("a call")) == ["thaw A"])
        #expect(timeline.wait(29).isEmpty)
        #expect(timeline.wait(1).first == "ask A: freeze")
    }

    @Test func aSignForWhatIsNeitherFrozenNorAboutToBeDoesNothing() {
        var timeline = EngineTimeline(.doing("ice", .freeze, after: 5))
        _ = timeline.go("A", .active, .background)
        #expect(timeline.sign("A").isEmpty)
        #expect(timeline.wait(5) == ["ask A: freeze"])
        #expect(timeline.except("A", [.audio: "it plays"]) == ["excepted ice A: it plays"])
        #expect(timeline.sign("A").isEmpty)
        #expect(timeline.status == ["excepted: it plays"])
    }

    /// What another hook wants of the application goes on.
    @Test func aSignEndsWithThePhaseInWhichItCame() {
        var timeline = EngineTimeline(
            .doing("ice", .freeze), .doing("slow", .slow, while: [.inactive, .background]), isPrompt: true)
        _ = timeline.go("A", .active, .background)
        #expect(timeline.sign("A") == ["thaw A"])
        #expect(timeline.go("A", .inactive).isEmpty)
        #expect(timeline.go("A", .background) == ["ask A: freeze", "freeze A", "ice: A frozen"])
    }

    @Test func aSessionThatMayEndThawsAllForAMinute() {
        var timeline = EngineTimeline.frozen
        #expect(timeline.handle(.sessionMayEnd) == ["thaw A"])
        #expect(timeline.go("B", .background).isEmpty && timeline.wait(59).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze with B", "ask B: freeze with A"])
    }

    // MARK: Processes and the X server

    @Test func aProgramThatStartsProcessesFasterThanTheyStopIsThawedAfter64Rounds() {
        var timeline = Self.timeline(at: 2)
        timeline.isDiskBusy = false
        for pid in 2...65 as ClosedRange<Int32> {
            #expect(timeline.froze("A", .more(.stopped(1, pid))) == ["freeze A"])
        }
        let words = timeline.froze("A", .more(.stopped(1, 66)))
        #expect(words.count == 2 && words.first?.contains("it starts processes faster") == true)
        #expect(words.last == "thaw A quietly" && timeline.isAsleep)
    }

    @Test func aServerThatIsSilentAfterAFreezeThawsAllAndFreezesThemAgain() {
        var timeline = EngineTimeline.frozen
        _ = timeline.go("B", .background) + timeline.end("ask B")
        #expect(timeline.froze("B", .silentServer) == ["thaw A", "thaw B"])
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze with B", "ask B: freeze with A"])
    }

    // MARK: Programs that were just started

    private static let excepted = "excepted ice A: it has just started mpv"

    @Test func aProgramThatWasJustStartedPostponesAFreezeByThirtySecondsAtMost() {
        var timeline = Self.timeline(at: 0)
        #expect(timeline.postpone("A", for: "mpv") == [Self.excepted])
        #expect(timeline.status == ["excepted: it has just started mpv"])
        for _ in 1...2 {
            #expect(timeline.wait(.milliseconds(9_999)).isEmpty)
            #expect(timeline.wait(.milliseconds(1)) == ["ask A: freeze"])
            #expect(timeline.engine.mayPostpone("A"))
            // It is reported once.
            #expect(timeline.postpone("A", for: "another").isEmpty)
        }
        #expect(timeline.wait(10) == ["ask A: freeze"] && !timeline.engine.mayPostpone("A"))
        timeline.isDiskBusy = false
        #expect(timeline.end("ask A") == ["freeze A"] && !timeline.engine.mayPostpone("A"))
        #expect(timeline.end("freeze A") == ["ice: A frozen"] && timeline.engine.mayPostpone("A"))
    }

    @Test func aNewPhaseMayBePostponedAnew() {
        var timeline = Self.timeline(at: 0)
        _ = timeline.postpone("A", for: "mpv") + timeline.wait(10) + timeline.postpone("A", for: "mpv")
        _ = timeline.go("A", .active)
        #expect(timeline.isAsleep)
        #expect(timeline.go("A", .background) == ["ask A: freeze"])
        #expect(timeline.postpone("A", for: "mpv") == [Self.excepted])
        // So may one that nothing has postponed since, or that something else has prevented.
        _ = timeline.wait(10) + timeline.except("A", [nil: "a menu"]) + timeline.wait(30)
        #expect(timeline.postpone("A", for: "mpv") == [Self.excepted])
    }

    @Test func aThawByTheUserLastsAlthoughAFreezeIsPostponedThen() {
        var timeline = Self.timeline(at: 0)
        _ = timeline.handle(.thaw(["A"]))
        #expect(timeline.postpone("A", for: "mpv").isEmpty && timeline.isAsleep)
        #expect(timeline.status == ["entered: thawed by the user"])
    }

    /// It was started while the freeze was recorded.
    @Test func aProgramThatIsStartedDuringAFreezeEndsIt() {
        var timeline = Self.timeline(at: 2)
        #expect(timeline.froze("A", .postponed(by: "mpv")) == [Self.excepted, "thaw A quietly"])
        timeline.isDiskBusy = false
        _ = timeline.answerDisk()
        #expect(timeline.isAtRest && timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
    }

    @Test(arguments: [(nil, true), ([], false)] as [(Set<Hooks.Exception>?, Bool)])
    func onlyAFreezeByHandWithoutExceptionsIsNotPostponed(except: Set<Hooks.Exception>?, mayBePostponed: Bool)
    {
        var timeline = EngineTimeline()
        let job = Job(hook: .byHand("A", except: except), part: .enter, trigger: timeline.found("A"))
        #expect(job.mayBePostponed == mayBePostponed)
    }

    // MARK: Thaws by the user

    @Test(arguments: 0...3) func aThawByTheUserLastsUntilThePhaseBeginsAnew(step: Int) {
        var timeline = Self.timeline(at: step)
        #expect(timeline.handle(.thaw(["B"])).isEmpty)
        #expect(timeline.handle(.thaw(nil)) == [[], [], ["thaw A quietly"], ["thaw A"]][step])
        timeline.isDiskBusy = false
        _ = timeline.answerDisk()
        #expect(timeline.settle().isEmpty && timeline.sign("A").isEmpty && timeline.isAsleep)
        #expect(timeline.status == ["entered: thawed by the user"])
        _ = timeline.go("A", .active)
        #expect(timeline.go("A", .background) == ["ask A: freeze"])
    }
}
