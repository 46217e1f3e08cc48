import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Short thaws of frozen applications for calls that only read.
@Suite struct GlanceTests {
    private var timeline = EngineTimeline(.doing("ice", .freeze))

    init() { timeline.freeze() }

    private func call(_ serial: UInt32) -> BusCall { BusCall(sender: ":1.7", serial: serial) }

    private mutating func called(_ serial: UInt32) -> [String] {
        timeline.handle(.application(.called("A", call(serial))))
    }

    private mutating func answered(_ serial: UInt32) -> [String] {
        timeline.handle(.application(.answered("A", call(serial))))
    }

    private mutating func wait(_ milliseconds: Int) -> [String] {
        timeline.wait(.milliseconds(milliseconds))
    }

    @Test mutating func itRunsUntilTheLastAnswerWithoutANewRecord() {
        let writes = timeline.writes
        #expect(called(1) == ["thaw A quietly"])
        #expect(called(2).isEmpty && answered(1).isEmpty)
        #expect(answered(2) == ["freeze A"])
        #expect(timeline.end("freeze A").isEmpty && timeline.engine.frozenApplications == ["A"])
        #expect(timeline.writes == writes && timeline.engine.next == nil)
    }

    @Test mutating func itRunsForATenthOfTheTime() {
        _ = called(1)
        #expect(wait(40).isEmpty)
        _ = answered(1) + timeline.end("freeze A")
        #expect(called(2).isEmpty)
        #expect(wait(359).isEmpty)
        #expect(wait(1) == ["thaw A quietly"])
        _ = answered(2) + timeline.end("freeze A")
        // Thawing and freezing take longer than the answer.
        #expect(called(3).isEmpty)
        #expect(wait(89).isEmpty)
        #expect(wait(1) == ["thaw A quietly"])
    }

    @Test mutating func whatDoesNotAnswerForASecondWasContacted() {
        _ = called(1)
        #expect(wait(999).isEmpty)
        #expect(wait(1).isEmpty)
        #expect(timeline.status == ["entered: it is contacted by a call that it is slow to answer"])
        #expect(timeline.engine.owed.isEmpty)
        #expect(wait(9_999).isEmpty)
        #expect(wait(1) == ["ask A: freeze"])
        // The call that was not answered does not thaw it again, and another one waits for nine tenths.
        _ = timeline.settle()
        #expect(timeline.engine.next == nil)
        #expect(called(2) == ["thaw A quietly"])
    }

    @Test mutating func whatIsThawedAgainDuringAGlanceIsFrozenAnew() {
        timeline.failsToThaw = true
        _ = timeline.go("A", .active) + timeline.go("A", .background)
        timeline.failsToThaw = false
        #expect(wait(500).isEmpty && called(1).isEmpty)
        #expect(wait(500) == ["thaw A quietly"])
        #expect(answered(1) == ["ask A: freeze"])
    }

    @Test mutating func aSignDuringAGlanceCounts() {
        _ = called(1)
        #expect(timeline.sign("A").isEmpty)
        #expect(answered(1).isEmpty)
        #expect(timeline.wait(10) == ["ask A: freeze"])
    }

    @Test mutating func aCallToWhatIsNotFrozenDoesNothing() {
        _ = timeline.sign("A")
        #expect(called(1).isEmpty)
        #expect(timeline.wait(10) + timeline.settle() == ["ask A: freeze", "freeze A", "ice: A frozen"])
        #expect(timeline.engine.next == nil)
    }

    @Test mutating func aFloodOfCallsIsBounded() {
        for serial in 0..<10_000 { _ = called(UInt32(serial)) }
        for serial in 0..<255 { #expect(answered(UInt32(serial)).isEmpty) }
        #expect(answered(255) == ["freeze A"])
    }
}
