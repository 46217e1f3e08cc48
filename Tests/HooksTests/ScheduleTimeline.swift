import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// A schedule with a clock. Each call returns the steps to take, as words: `run sync Editor`, `check`, `enter`,
/// `leave`, `stop`, and why something did not run.
struct ScheduleTimeline {
    var schedule: Schedule
    var now = Duration.zero
    private var runs: [String: RunID] = [:]
    private var phases: [String: ScenePhase] = [:]

    init(_ hooks: Hook..., limit: Int = 16, bound: Int = 4096) {
        schedule = Schedule(hooks: hooks, limit: limit, bound: bound)
    }

    /// An application enters phases, one after the other; nil closes it.
    mutating func go(_ application: String, _ phases: ScenePhase?..., cause: Cause = .iconify) -> [String] {
        let triggers = phases.map { trigger(application, to: $0, cause) }
        schedule.react(to: triggers, at: now)
        return steps()
    }

    mutating func react(to triggers: HookTrigger...) -> [String] {
        schedule.react(to: triggers, at: now)
        return steps()
    }

    mutating func wait(_ seconds: Int) -> [String] {
        now += .seconds(seconds)
        schedule.advance(at: now)
        return steps()
    }

    /// Ends a run, which has the words of its start.
    mutating func end(_ run: String, _ outcome: Outcome = .exited(0)) -> [String] {
        guard let id = runs.removeValue(forKey: run) else { return ["\(run) does not run"] }
        schedule.ended(id, outcome, at: now)
        return steps()
    }

    mutating func replace(_ hooks: Hook...) -> [String] {
        schedule.replace(with: hooks, time: .zero)
        return steps()
    }

    /// Suspends the hooks of these names, and no others.
    mutating func suspend(_ names: String...) -> [String] {
        schedule.suspend(Set(names), at: now, time: .zero)
        return steps()
    }

    /// Drops whatever the hooks of these names wait for.
    mutating func giveUp(_ names: String...) -> [String] {
        _ = schedule.giveUpWaiting { names.contains($0.name) }
        return steps()
    }

    mutating func stop() -> [String] {
        schedule.stop(time: .zero)
        return steps()
    }

    mutating func restore(_ job: Job, running part: Job.Part? = nil) -> [String] {
        let parts = part.map { [job.key: $0] } ?? [:]
        schedule.restore([job], running: parts, time: .zero)
        return steps()
    }

    mutating func trigger(_ application: String, to: ScenePhase?, _ cause: Cause = .iconify) -> HookTrigger {
        let from = phases[application]
        phases[application] = to
        return HookTrigger(change: .step(application, from: from, to: to, cause: cause), time: .zero)
    }

    private mutating func steps() -> [String] {
        schedule.takeSteps().compactMap { step in
            switch step {
            case .start(let id, let job, let isCheck):
                let name = isCheck ? "check \(job.hook.name) \(job.subject.application)" : job.text
                runs[name] = id
                return name
            case .follow(let id, let job):
                runs[job.text] = id
                return "follow \(job.text)"
            case .release, .matched, .collapsed: return nil
            case .stop(let id): return "stop \(runs.first { $0.value == id }?.key ?? "?")"
            case .remark(.vetoed(let job)): return "vetoed: \(job.text)"
            case .remark(.excepted(let job, let what)): return "excepted by \(what): \(job.text)"
            case .remark(.leftTooEarly(let job)): return "too early: \(job.text)"
            case .remark(.retry(let job, let delay)): return "again in \(delay.text): \(job.text)"
            case .remark(.overflow(let job, let bound)): return "more than \(bound): \(job.text)"
            }
        }
    }
}

extension Job {
    fileprivate var text: String { "\(part) \(hook.name) \(subject.application)" }
}

extension Timestamp {
    static let zero = Timestamp(seconds: 0, nanoseconds: 0)
}

extension Change {
    static func step(
        _ application: String, from: ScenePhase?, to: ScenePhase?, cause: Cause = .iconify
    ) -> Change {
        Change(
            kind: to == nil ? .closed : from == nil ? .opened : .phase, application: application, group: nil,
            subject: .application(Members(counts: Counts(), pids: [], groups: [])),
            from: from, to: to, cause: cause, held: from.map { _ in .seconds(1) })
    }
}

extension Hook {
    static func run(
        _ name: String, to: Set<ScenePhase> = [.background], after: Int = 0, unless: Bool = false
    ) -> Hook {
        var hook = Hook(name: name, reaction: .run(.arguments(["true"])))
        hook.condition.to = to
        hook.after = .seconds(after)
        hook.unless = unless ? .arguments(["false"]) : nil
        return hook
    }

    static func pair(
        _ name: String, while phases: Set<ScenePhase> = [.background], after: Int = 0, unless: Bool = false
    ) -> Hook {
        var hook = run(name, to: [], after: after, unless: unless)
        hook.reaction = .pair(while: phases, enter: .arguments(["enter"]), leave: .arguments(["leave"]))
        return hook
    }
}
