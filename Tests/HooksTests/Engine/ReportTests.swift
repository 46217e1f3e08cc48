import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// The lines of the log about hooks, and what 'hooks why' and 'hooks status' explain.
@Suite struct ReportTests {
    private static func job(
        _ hook: Hook = .run("sync"), _ part: Job.Part = .run, of application: String = "A"
    ) -> Job {
        let change = Change.step(application, from: .active, to: .background)
        return Job(hook: hook, part: part, trigger: HookTrigger(change: change, time: .zero))
    }

    @Test(
        arguments: [
            (job(), false, .exited(1), "exit 1 after 12.3 s"),
            (job(), false, .killed(signal: 9), "killed by signal 9 (Killed) after 12.3 s"),
            (job(), false, .stopped, "ended with xphase after 12.3 s"),
            (job(), false, .timedOut, "timed out after 12.3 s and was terminated"),
            (job(), false, .notStarted("cannot start x: not found"), "cannot start x: not found"),
            (job(), false, .exited(0), nil),
            (job(.pair("slow"), .leave), false, .exited(2), "leave: exit 2 after 12.3 s"),
            (job(), true, .timedOut, "unless: timed out after 12.3 s and was terminated"),
            (job(), true, .exited(1), nil), (job(), true, .stopped, nil),
        ] as [(Job, Bool, Outcome, String?)])
    func onlyAFailedEndIsReported(job: Job, isCheck: Bool, outcome: Outcome, text: String?) {
        let event = JobEvent.ended(outcome, isCheck: isCheck, after: .milliseconds(12_345))
        #expect(event.report(of: job).line == text)
    }

    @Test func aChangeThatKeepsItsPhaseSaysWhatIsNew() {
        var hook = Hook.pair("quiet", after: 5)
        hook.condition.criteria.desktop = [1]
        let job = Self.job(hook, .leave)
        // With other conditions, it is not necessarily the phase that ended.
        #expect(JobEvent.left.report(of: job).reason == "it did not last for 5s")
        var change = Change.step("A", from: .background, to: .background)
        var trigger: HookTrigger { HookTrigger(change: change, time: .zero) }
        func why(_ trigger: HookTrigger) -> String? {
            JobEvent.started.report(of: Job(hook: hook, part: .leave, trigger: trigger)).line
        }
        change.kind = .facts
        #expect(why(trigger) == "leave for A, background, another desktop, monitor, extent, process or role")
        change.kind = .title
        #expect(why(trigger) == "leave for A, background, another title")
        #expect(why(trigger.abandoned(at: .zero)) == "leave for A, still background")
    }

    // MARK: The history

    @Test func theLastOfEachKindIsKeptAndTheOldestComesFirst() {
        var history = HookHistory()
        let events: [(HookEvent.Kind, String, String, String, Int)] = [
            (.ran, "sync", "A", "", 2), (.matched, "sync", "A", "", 2), (.failed, "sync", "A", "", 9),
            (.failed, "sync", "A", "again", 3), (.ran, "sync", "Z", "", 1), (.vetoed, "other", "A", "", 1),
        ]
        for (kind, hook, application, reason, second) in events {
            history.note(
                kind, of: Self.job(.run(hook), of: application), reason,
                at: Timestamp(seconds: second, nanoseconds: 0))
        }
        let words = history["sync"].map { "\($0.application ?? "") \($0.kind) \($0.reason)" }
        #expect(words == ["A matched ", "A ran ", "A failed again", "Z ran "])
        history.keep(["other"])
        #expect(history["sync"] == [] && history["other"].count == 1 && history["none"] == [])
    }

    @Test func manySubjectsDoNotFillTheMemory() {
        var history = HookHistory()
        let most = HookHistory.mostSubjects
        for number in 1...(most + 3) {
            history.note(
                .ran, of: Self.job(of: "\(number)"), "", at: Timestamp(seconds: number, nanoseconds: 0))
        }
        #expect(Set(history["sync"].map(\.application)) == Set((4...(most + 3)).map(String.init)))
    }
}
