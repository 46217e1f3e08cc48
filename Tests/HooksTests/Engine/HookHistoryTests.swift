import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct HookHistoryTests {
    static func job(_ hook: String, _ application: String) -> Job {
        let change = Change.step(application, from: .active, to: .background)
        return Job(hook: .run(hook), part: .run, trigger: HookTrigger(change: change, time: .zero))
    }

    private static func event(
        _ kind: HookEvent.Kind, _ hook: String = "sync", _ application: String = "A", _ reason: String = "",
        at seconds: Int
    ) -> HookEvent {
        HookEvent(kind, of: job(hook, application), reason, at: Timestamp(seconds: seconds, nanoseconds: 0))
    }

    @Test func theLastOfEachKindIsKeptAndTheOldestComesFirst() {
        var history = HookHistory()
        for event in [
            Self.event(.ran, at: 2), Self.event(.matched, at: 2), Self.event(.failed, at: 9),
            Self.event(.failed, "sync", "A", "again", at: 3), Self.event(.ran, "sync", "Z", at: 1),
            Self.event(.vetoed, "other", at: 1),
        ] { history.note(event) }
        #expect(
            history["sync"].map { "\($0.application) \($0.kind) \($0.reason)" } == [
                "A matched ", "A ran ", "A failed again", "Z ran ",
            ])
        history.keep(["other"])
        #expect(history["sync"] == [] && history["other"].count == 1)
        #expect(history["none"] == [])
    }

    @Test func manyApplicationsDoNotFillTheMemory() {
        var history = HookHistory()
        let most = HookHistory.mostApplications
        for number in 1...(most + 3) { history.note(Self.event(.ran, "sync", "\(number)", at: number)) }
        #expect(Set(history["sync"].map(\.application)) == Set((4...(most + 3)).map(String.init)))
    }

    @Test func theEngineReportsMatchedAndCollapsedJobs() {
        var timeline = EngineTimeline(.run("sync", to: []))
        _ = timeline.go("A", .background)
        #expect(timeline.engine.history["sync"].map(\.kind) == [.matched, .ran])
        _ = timeline.go("A", .active)
        _ = timeline.go("A", .inactive)
        let reasons = timeline.engine.history["sync"].map { "\($0.kind): \($0.reason)" }
        #expect(reasons.contains("matched: active → inactive, iconify"))
        #expect(reasons.contains("collapsed: a newer change replaced it"))
    }

    @Test func theEngineKeepsTheReasonsForThe256LastApplications() {
        var timeline = EngineTimeline(.pair("slow", unless: true))
        for number in 1...300 {
            _ = timeline.go("\(number)", .background) + timeline.end("check slow \(number)")
        }
        #expect(timeline.engine.pairs.values.count { $0.note != nil } == 256)
    }
}
