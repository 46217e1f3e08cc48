import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Freezing, as a sequence of questions and answers.
@Suite struct FreezeTimelineTests {
    private static func frozen() -> EngineTimeline {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        timeline.freeze()
        return timeline
    }

    /// Returns a timeline in which a freeze has reached a step: asking, recording, freezing, frozen.
    private static func timeline(at step: Int) -> EngineTimeline {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        timeline.isDiskBusy = true
        _ = timeline.go("A", .background)
        if step > 0 { #expect(timeline.end("ask A").isEmpty) }
        if step > 1 { #expect(timeline.answerDisk() == ["freeze A"]) }
        if step > 2 { _ = timeline.end("freeze A") }
        return timeline
    }

    @Test func aFreezeTakesOneQuestionAndOneRecord() {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        #expect(timeline.go("A", .active, .background) == ["ask A: freeze"])
        #expect(timeline.writes == 0)
        #expect(timeline.end("ask A") == ["freeze A"])
        #expect(timeline.end("freeze A") == ["ice: A frozen"])
        #expect(timeline.writes == 1 && timeline.engine.owed.map(\.holds) == [[.stopped(1)]])
        #expect(timeline.go("A", .active) == ["thaw A"])
        #expect(timeline.writes == 2 && timeline.isAtRest && timeline.engine.next == nil)
    }

    @Test func nothingIsStoppedBeforeItsRecordIsOnDisk() {
        var timeline = Self.timeline(at: 1)
        #expect(timeline.engine.frozenApplications.isEmpty)
        #expect(timeline.wait(1_000).isEmpty)
        #expect(timeline.answerDisk() == ["freeze A"])
    }

    @Test func whatTheDiskRefusesIsNotFrozenUntilThePhaseBeginsAnew() {
        var timeline = Self.timeline(at: 1)
        #expect(timeline.answerDisk(failure: "full") == ["ice: A is not frozen: full"])
        #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest && timeline.writes == 1)
        #expect(timeline.status == ["excepted: full"])
        _ = timeline.go("A", .active)
        #expect(timeline.go("A", .background) == ["ask A: freeze"])
    }

    @Test func whatMustNotBeTouchedIsRefusedOnce() {
        var timeline = Self.timeline(at: 0)
        var findings = Findings()
        findings.refusal = "a terminal"
        #expect(timeline.answer("ask A") { .asked($0, findings) } == ["excepted ice A: a terminal"])
        #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest && timeline.writes == 0)
    }

    @Test func whatTwoHooksWantIsOneFreeze() {
        var timeline = EngineTimeline(.doing("first", .freeze), .doing("second", .freeze))
        #expect(timeline.go("A", .background) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "second: A frozen"])
        #expect(timeline.suspend("first") == ["first: A stays frozen because of hook 'second'"])
        #expect(timeline.suspend("first", "second") == ["thaw A"])
    }

    // MARK: Signs

    @Test(arguments: 0...2) func aSignInEachStepCancels(step: Int) {
        var timeline = Self.timeline(at: step)
        #expect(timeline.sign("A") == (step == 2 ? ["thaw A quietly"] : []))
        timeline.isDiskBusy = false
        _ = timeline.answerDisk()
        // The answer comes too late.
        #expect(timeline.settle().isEmpty && timeline.isAtRest)
        #expect(timeline.writes == [0, 2, 2][step])
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen"])
    }

    @Test(arguments: 0...2) func whatBecomesActiveInEachStepIsNotFrozen(step: Int) {
        var timeline = Self.timeline(at: step)
        #expect(timeline.go("A", .active) == (step == 2 ? ["thaw A quietly"] : []))
        timeline.isDiskBusy = false
        _ = timeline.answerDisk()
        #expect(timeline.settle().isEmpty && timeline.isAtRest && timeline.engine.next == nil)
    }

    /// Job control of a shell and a silent X server count as signs.
    @Test(arguments: [ThawReason.wanted, .spokenTo("a call"), .stopped, .deaf, .silentServer])
    func aSignThawsForTenSeconds(reason: ThawReason) {
        var timeline = Self.frozen()
        #expect(timeline.sign("A", reason) == ["thaw A"])
        #expect(timeline.status == ["entered: \(reason.words)"])
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
    }

    @Test func aSignThawsForTheTimeThatThePhaseMustLast() {
        var timeline = EngineTimeline(.doing("ice", .freeze, after: 30))
        _ = timeline.go("A", .background)
        _ = timeline.wait(30) + timeline.settle()
        #expect(timeline.sign("A") == ["thaw A"])
        #expect(timeline.wait(29).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
    }

    /// A window manager may pass the focus through another window on its way to the target.
    @Test func whatIsFrozenWithoutTheFocusIsFrozenAgainSoonerAfterAMomentWithIt() {
        var timeline = EngineTimeline(.doing("ice", .freeze, while: [.inactive, .background]))
        timeline.freeze()
        #expect(timeline.sign("A") == ["thaw A"])
        #expect(timeline.wait(1) == ["ask A: freeze"])
        _ = timeline.settle()
        #expect(timeline.sign("A", .spokenTo("a call")) == ["thaw A"])
        #expect(timeline.wait(9).isEmpty)
    }

    @Test func whatWasShownAfterASignIsFrozenAtOnceInTheBackground() {
        // The other hook still wants something of it meanwhile.
        var timeline = EngineTimeline(
            .doing("ice", .freeze), .doing("slow", .slow, while: [.active, .inactive, .background]))
        timeline.freeze()
        #expect(timeline.sign("A") == ["thaw A"])
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.go("A", .background) == ["ask A: freeze"])
        _ = timeline.settle()
        #expect(timeline.sign("A") == ["thaw A"])
        #expect(timeline.go("A", nil) == ["undo A: slow"])
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

    @Test func aSessionThatMayEndThawsAllForAMinute() {
        var timeline = Self.frozen()
        #expect(timeline.handle(.application(.sessionMayEnd)) == ["thaw A"])
        #expect(timeline.go("B", .background).isEmpty)
        #expect(timeline.wait(59).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze with B", "ask B: freeze with A"])
    }

    // MARK: Processes and the X server

    @Test func furtherProcessesAreRecordedBeforeTheyAreStopped() {
        var timeline = Self.timeline(at: 2)
        #expect(timeline.froze("A", .more(.stopped(1, 2))).isEmpty)
        #expect(timeline.engine.owed.map(\.holds) == [[.stopped(1, 2)]])
        #expect(timeline.answerDisk() == ["freeze A"])
        #expect(timeline.end("freeze A") == ["ice: A frozen"])
    }

    @Test func aSignWhileFurtherProcessesAreRecordedThawsTheOthers() {
        var timeline = Self.timeline(at: 2)
        _ = timeline.froze("A", .more(.stopped(1, 2)))
        #expect(timeline.sign("A") == ["thaw A"])
        #expect(timeline.answerDisk().isEmpty)
        #expect(timeline.answerDisk().isEmpty && timeline.isAtRest)
    }

    @Test func aWriteThatFailsForFurtherProcessesThawsTheOthers() {
        var timeline = Self.timeline(at: 2)
        _ = timeline.froze("A", .more(.stopped(1, 2)))
        let words = timeline.answerDisk(failure: "full")
        #expect(words == ["ice: A is not frozen: full", "thaw A"])
        #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest)
    }

    @Test func whatStartsProcessesFasterThanTheyStopIsThawedAfter64Rounds() {
        var timeline = Self.timeline(at: 2)
        timeline.isDiskBusy = false
        for pid in 2...65 as ClosedRange<Int32> {
            #expect(timeline.froze("A", .more(.stopped(1, pid))) == ["freeze A"])
        }
        let words = timeline.froze("A", .more(.stopped(1, 66)))
        #expect(words.count == 2 && words.first?.contains("it starts processes faster") == true)
        #expect(words.last == "thaw A" && timeline.isAtRest)
        #expect(timeline.wait(1_000).isEmpty)
    }

    @Test func aServerThatIsSilentAfterAFreezeThawsAllAndFreezesThemAgain() {
        var timeline = Self.frozen()
        _ = timeline.go("B", .background)
        _ = timeline.end("ask B")
        #expect(timeline.froze("B", .silentServer) == ["thaw A", "thaw B"])
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze with B", "ask B: freeze with A"])
    }

    @Test func whatCannotBeStoppedYetIsTriedAgainAndReported() {
        var timeline = Self.timeline(at: 2)
        timeline.isDiskBusy = false
        #expect(timeline.froze("A", .later("its unit has changed")).isEmpty)
        #expect(timeline.status == ["entered: its unit has changed"])
        #expect(timeline.wait(10) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen"])
    }

    // MARK: Thaws by the user

    @Test(arguments: 0...3) func aThawByTheUserLastsUntilThePhaseBeginsAnew(step: Int) {
        var timeline = Self.timeline(at: step)
        #expect(timeline.handle(.thaw(nil)) == [[], [], ["thaw A quietly"], ["thaw A"]][step])
        timeline.isDiskBusy = false
        _ = timeline.answerDisk()
        #expect(timeline.settle().isEmpty && timeline.isAtRest)
        #expect(timeline.sign("A").isEmpty && timeline.wait(1_000).isEmpty)
        #expect(timeline.status == ["entered: thawed by the user"])
        _ = timeline.go("A", .active)
        #expect(timeline.go("A", .background) == ["ask A: freeze"])
    }

    @Test func aThawByTheUserEndsTheWaitForAnExceptionAndForTheDelay() {
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("late", .freeze, after: 20))
        _ = timeline.go("A", .background)
        _ = timeline.except("A", [.audio: "it plays"])
        #expect(timeline.handle(.thaw(["A"])).isEmpty)
        #expect(timeline.wait(1_000).isEmpty && timeline.engine.next == nil)
    }

    @Test func aThawByTheUserOfOthersChangesNothing() {
        var timeline = Self.frozen()
        #expect(timeline.handle(.thaw(["B"])).isEmpty)
        #expect(timeline.engine.frozenApplications == ["A"])
    }
}
