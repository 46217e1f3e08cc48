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

    private static func second(_ number: Int) -> Timestamp { Timestamp(seconds: number, nanoseconds: 0) }

    @Test func theLastOfEachKindIsKeptAndTheOldestComesFirst() {
        var history = HookHistory()
        let events: [(HookEvent.Kind, String, String, String, Int)] = [
            (.ran, "sync", "A", "", 2), (.matched, "sync", "A", "", 2), (.failed, "sync", "A", "", 9),
            (.failed, "sync", "A", "again", 3), (.ran, "sync", "Z", "", 1), (.vetoed, "other", "A", "", 1),
        ]
        for (kind, hook, application, reason, second) in events {
            history.note(kind, of: Self.job(hook, application), reason, at: Self.second(second))
        }
        #expect(
            history["sync"].map { "\($0.application) \($0.kind) \($0.reason)" } == [
                "A matched ", "A ran ", "A failed again", "Z ran ",
            ])
        history.keep(["other"])
        #expect(history["sync"] == [] && history["other"].count == 1)
        #expect(history["none"] == [])
    }

    @Test func manySubjectsDoNotFillTheMemory() {
        var history = HookHistory()
        let most = HookHistory.mostSubjects
        for number in 1...(most + 3) {
            history.note(.ran, of: Self.job("sync", "\(number)"), "", at: Self.second(number))
        }
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

    @Test func aReasonIsShownWhileTheSubjectExists() {
        var timeline = EngineTimeline(.run("sync", unless: true))
        _ = timeline.go("A", .background) + timeline.end("check sync A")
        #expect(timeline.status == ["excepted: 'unless' ended with 0"])
        _ = timeline.go("A", nil)
        #expect(timeline.status == ["ready"])
    }
}
