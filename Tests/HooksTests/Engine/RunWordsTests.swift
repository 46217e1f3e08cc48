import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct RunWordsTests {
    private func job(_ hook: Hook = .run("sync"), _ part: Job.Part = .run, to: ScenePhase? = .background)
        -> Job
    {
        Job(
            hook: hook, part: part,
            trigger: HookTrigger(change: .step("A", from: .active, to: to), time: .zero))
    }

    @Test func aLeaveThatNoChangeBroughtSaysSo() {
        var leave = job(.pair("slow"), .leave)
        leave.trigger = leave.trigger.abandoned(at: .zero)
        #expect(Remark.started(leave).line == "hook 'slow': leave for A, still background")
    }

    @Test(
        arguments: [
            (Outcome.exited(1), "exit 1 after 0.2 s"),
            (.killed(signal: 9), "killed by signal 9 (Killed) after 0.2 s"),
            (.stopped, "ended with xphase after 0.2 s"),
            (.timedOut, "timed out after 0.2 s and was terminated"),
            (
                .notStarted("cannot start x: No such file or directory"),
                "cannot start x: No such file or directory"
            ),
            (.exited(0), nil),
        ] as [(Outcome, String?)])
    func onlyAFailedEndIsReported(outcome: Outcome, text: String?) {
        #expect(RunWords.end(job(), isCheck: false, outcome, after: .milliseconds(250)) == text)
    }

    @Test func partsAreNamed() {
        #expect(
            RunWords.end(job(.pair("slow"), .leave), isCheck: false, .exited(2), after: .seconds(12))
                == "leave: exit 2 after 12.0 s")
        #expect(
            RunWords.end(job(), isCheck: true, .timedOut, after: .seconds(5))
                == "unless: timed out after 5.0 s and was terminated")
        #expect(RunWords.end(job(), isCheck: true, .exited(1), after: .seconds(5)) == nil)
        #expect(RunWords.end(job(), isCheck: true, .stopped, after: .seconds(5)) == nil)
    }

    @Test func whatKeepsItsPhaseSaysWhatIsNew() {
        var hook = Hook.pair("quiet", after: 5)
        hook.condition.criteria.desktop = [1]
        var reported = job(hook, .leave)
        (reported.trigger.change.kind, reported.trigger.change.from) = (.facts, .background)
        #expect(
            Remark.started(reported).line
                == "hook 'quiet': leave for A, background, another desktop, monitor, extent, process or role")
        reported.trigger.change.kind = .title
        #expect(Remark.started(reported).line == "hook 'quiet': leave for A, background, another title")
        // With other conditions, it is not necessarily the phase that ended.
        #expect(
            Remark.leftTooEarly(job(hook)).line
                == "hook 'quiet': not run for A: it did not last for 5s")
    }
}
