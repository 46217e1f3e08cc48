import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Since when the status says that an application is frozen.
@Suite struct FreezeTimeTests {
    /// An exception, or a program that was just started, may have delayed it.
    @Test func theStatusHasTheTimeOfTheFreezeRatherThanThatOfThePhase() throws {
        var timeline = EngineTimeline(.doing("ice", .freeze))
        _ = timeline.go("A", .background)
        let began = timeline.machine.time
        #expect(timeline.postpone("A", for: "mpv").last?.contains("mpv") == true)
        _ = timeline.wait(10) + timeline.settle()
        #expect(timeline.engine.frozenApplications == ["A"])
        let row = try #require(timeline.engine.status { _, _ in }.first { $0.application == "A" })
        #expect(row.state == .entered && row.since?.time == began + .seconds(10), "\(row)")
        _ = timeline.wait(5)
        #expect(timeline.engine.status { _, _ in }.first { $0.application == "A" }?.since == row.since)
    }
}
