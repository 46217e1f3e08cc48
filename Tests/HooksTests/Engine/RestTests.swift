import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Short thaws of frozen applications: for calls that only read, and for wakes.
@Suite struct RestTests {
    private var timeline = EngineTimeline.frozen

    // MARK: Calls

    private mutating func called(_ serial: UInt32) -> [String] {
        timeline.handle(.called("A", BusCall(sender: ":1.7", serial: serial)))
    }

    private mutating func answered(_ serial: UInt32) -> [String] {
        timeline.handle(.answered("A", BusCall(sender: ":1.7", serial: serial)))
    }

    private mutating func wait(_ milliseconds: Int) -> [String] {
        timeline.wait(.milliseconds(milliseconds))
    }

    @Test mutating func aCalledApplicationRunsUntilTheLastAnswerWithoutANewRecord() {
        let writes = timeline.writes
        #expect(called(1) == ["thaw A quietly"])
        #expect(called(2).isEmpty && answered(1).isEmpty)
        #expect(answered(2) == ["freeze A"])
        #expect(timeline.end("freeze A").isEmpty && timeline.engine.frozenApplications == ["A"])
        #expect(timeline.writes == writes && timeline.engine.next == nil)
    }

    /// A call that arrives while the record of a freeze is written, or while the processes are being stopped.
    @Test(arguments: [false, true]) func aCallDuringAFreezeIsAnsweredOnceItIsFrozen(isStopping: Bool) {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        timeline.isDiskBusy = true
        _ = timeline.go("A", .active, .background) + timeline.end("ask A")
        if isStopping { #expect(timeline.answerDisk() == ["freeze A"]) }
        #expect(timeline.handle(.called("A", BusCall(sender: ":1.7", serial: 1))).isEmpty)
        if !isStopping { #expect(timeline.answerDisk() == ["freeze A"]) }
        #expect(timeline.end("freeze A") == ["ice: A frozen", "thaw A quietly"])
    }

    @Test func theLaterOfTwoSignsBeforeAFreezeCounts() {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        _ = timeline.go("A", .active, .background) + timeline.sign("A") + timeline.wait(5)
        _ = timeline.sign("A") + timeline.settle()
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
    }

    /// The user knows it as frozen during a glance, so its thaw is reported.
    @Test func aHookThatBeginsDuringAGlanceKeepsTheReportOfTheThaw() {
        var timeline = EngineTimeline(.doing("ice", .freeze), .doing("frost", .freeze, after: 5)).frozen
        _ = timeline.wait(.milliseconds(4900))
        #expect(
            timeline.handle(.called("A", BusCall(sender: ":1.7", serial: 1))) == ["thaw A quietly"])
        _ = timeline.wait(.milliseconds(100))
        #expect(timeline.engine.votes.count == 2)
        #expect(timeline.go("A", .active).contains { $0.hasSuffix(": A thawed") })
    }

    @Test func aCallBeforeTheFreezeBeginsIsForgotten() {
        var timeline = EngineTimeline(.doing("ice", .freeze, after: 5))
        _ = timeline.go("A", .active, .background)
        #expect(timeline.handle(.called("A", BusCall(sender: ":1.7", serial: 1))).isEmpty)
        #expect(timeline.wait(5) + timeline.settle() == ["ask A: freeze", "freeze A", "ice: A frozen"])
    }

    /// What the user sees is thawed for good, and that is reported.
    @Test mutating func aCallThatWaitsForItsGlanceGetsNoneOnceTheApplicationIsUsed() {
        timeline.isPrompt = true
        _ = called(1) + answered(1) + called(2)
        timeline.machine.now += .milliseconds(91)
        #expect(timeline.go("A", .active) == ["thaw A"])
    }

    /// The program may be stopped before it answers.
    @Test mutating func aCallThatArrivesDuringAFreezeIsAnsweredAfterIt() {
        _ = called(1)
        #expect(answered(1) == ["freeze A"])
        #expect(called(2).isEmpty)
        #expect(timeline.end("freeze A").isEmpty)
        #expect(wait(90) == ["thaw A quietly"])
    }

    @Test mutating func aCalledApplicationRunsForATenthOfTheTime() {
        timeline.isPrompt = true
        _ = called(1)
        #expect(wait(40).isEmpty)
        #expect(answered(1) == ["freeze A"])
        #expect(called(2).isEmpty)
        #expect(wait(359).isEmpty)
        #expect(wait(1) == ["thaw A quietly"])
        // Thawing and freezing take longer than the answer.
        _ = answered(2)
        #expect(called(3).isEmpty)
        #expect(wait(89).isEmpty)
        #expect(wait(1) == ["thaw A quietly"])
    }

    @Test mutating func anApplicationThatDoesNotAnswerForASecondWasContacted() {
        _ = called(1)
        let reason = "a call that it is slow to answer"
        #expect(wait(1_000) == ["ice: A thawed: \(reason)"])
        #expect(timeline.status == ["entered: \(reason)"])
        #expect(timeline.engine.owed.isEmpty)
        #expect(wait(9_999).isEmpty)
        #expect(wait(1) == ["ask A: freeze"])
        // The call that was not answered does not thaw it again, and another one waits for nine tenths.
        _ = timeline.settle()
        #expect(timeline.engine.next == nil)
        #expect(called(2) == ["thaw A quietly"])
    }

    @Test mutating func aSignDuringAGlanceCountsAndACallToWhatIsNotFrozenDoesNot() {
        _ = called(1)
        #expect(timeline.sign("A") == ["ice: A thawed: it is shown, focused or activated"])
        #expect(answered(1).isEmpty && called(2).isEmpty)
        #expect(timeline.wait(10) == ["ask A: freeze"])
        #expect(timeline.settle() == ["freeze A", "ice: A frozen"])
        #expect(timeline.engine.next == nil)
    }

    @Test mutating func aFloodOfCallsIsBounded() {
        for serial in 0..<10_000 { _ = called(UInt32(serial)) }
        for serial in 0..<255 { #expect(answered(UInt32(serial)).isEmpty) }
        #expect(answered(255) == ["freeze A"])
    }

    // MARK: Wakes

    private static let often = Hook.doing(
        "often", .freeze, wake: Wake(interval: .seconds(100), duration: .seconds(5)))
    private static let rarely = Hook.doing(
        "rarely", .freeze, wake: Wake(interval: .seconds(200), duration: .seconds(7)))

    @Test func allThatWakeItLetItGoTogetherForTheLongestTime() {
        var timeline = EngineTimeline(Self.often, Self.rarely).frozen
        #expect(timeline.wait(99).isEmpty)
        #expect(timeline.wait(1) == ["thaw A quietly"])
        #expect(timeline.status == ["entered: awake for 7s", "entered: awake for 7s"])
        #expect(timeline.wait(6).isEmpty)
        #expect(timeline.wait(1) == ["ask A: freeze"])
        // Freezing again after a wake-up is not reported.
        #expect(timeline.settle() == ["freeze A"])
        #expect(timeline.engine.next == .seconds(200))
    }

    @Test(arguments: [0, 50]) func oneThatDoesNotWakeItKeepsItFrozen(after: Int) {
        var timeline = EngineTimeline(Self.often, .doing("ice", .freeze, after: after)).frozen
        #expect(timeline.wait(1_000) == (after == 0 ? [] : ["ice: A is already frozen"]))
        #expect(timeline.engine.next == nil && timeline.engine.frozenApplications == ["A"])
        #expect(timeline.suspend("ice") == ["ice: A stays frozen because of hook 'often'"])
        #expect(timeline.wait(100) == ["thaw A quietly"])
    }

    @Test func aSignWhileItIsAwakeDoesNothingAndAThawByTheUserLasts() {
        var timeline = EngineTimeline(Self.often).frozen
        _ = timeline.wait(100)
        #expect(timeline.sign("A").isEmpty)
        #expect(timeline.wait(5) == ["ask A: freeze"])
        _ = timeline.settle() + timeline.wait(95)
        #expect(timeline.handle(.thaw(nil)) == ["often: A thawed: the user requested it"])
        #expect(timeline.wait(1_000).isEmpty && timeline.isAtRest)
    }
}
