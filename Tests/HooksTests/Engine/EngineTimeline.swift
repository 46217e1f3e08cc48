import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// An engine with a clock and a disk. Each call returns the jobs that begin, as words (`run sync Editor`, `check`,
/// `enter`, `leave`, `stop`), and the reasons why others did not run.
struct EngineTimeline {
    var engine: HookEngine
    var now = Duration.zero
    private var runs: [String: (id: RunID, isQuestion: Bool)] = [:]
    private var phases: [String: ScenePhase] = [:]
    private var namesReactions = false
    /// Whether only `answerDisk` answers writes.
    var isDiskBusy = false
    private var lastWrite: WriteID = 0

    init(_ hooks: Hook..., limit: Int = 16, bound: Int = 4096) {
        engine = HookEngine(hooks: hooks, isRecorded: true, limit: limit, bound: bound)
        _ = engine.handle(.restored([]), at: Moment(now: now, time: .zero))
    }

    /// Returns a timeline whose words include the steps of reactions.
    static func ofReactions(_ hooks: Hook..., restored: [RestoredPair]? = []) -> EngineTimeline {
        var timeline = EngineTimeline()
        timeline.engine = HookEngine(hooks: hooks, isRecorded: true)
        timeline.namesReactions = true
        if let restored { _ = timeline.handle(.restored(restored)) }
        return timeline
    }

    /// Moves an application through phases; nil closes it.
    mutating func go(_ application: String, _ phases: ScenePhase?..., cause: Cause = .iconify) -> [String] {
        handle(.changes(phases.map { trigger(application, to: $0, cause) }))
    }

    mutating func react(to triggers: HookTrigger...) -> [String] { handle(.changes(triggers)) }

    mutating func wait(_ seconds: Int) -> [String] {
        now += .seconds(seconds)
        return handle(.timer)
    }

    /// Ends the run that began with these words.
    mutating func end(_ run: String, _ outcome: Outcome = .exited(0)) -> [String] {
        guard let (id, isQuestion) = runs.removeValue(forKey: run) else { return ["\(run) does not run"] }
        return handle(
            isQuestion ? .answered(id, ReactionAnswer()) : .ended(id, outcome, after: .zero))
    }

    /// Answers a question with an exception.
    mutating func except(_ run: String, _ exception: String) -> [String] {
        guard let (id, _) = runs.removeValue(forKey: run) else { return ["\(run) does not run"] }
        var answer = ReactionAnswer()
        answer.exception = exception
        return handle(.answered(id, answer))
    }

    mutating func replace(_ hooks: Hook...) -> [String] { handle(.reload(hooks)) }

    /// Suspends the hooks with these names, and no others.
    mutating func suspend(_ names: String...) -> [String] { handle(.suspend(Set(names))) }

    mutating func stop() -> [String] { handle(.stop) }

    mutating func restore(_ pair: RecordedPair, running part: Job.Part? = nil) -> [String] {
        var pair = pair
        pair.started = part.map {
            RecordedPair.StartedPart(part: $0, process: ProcessIdentity(pid: 7, startTicks: 7))
        }
        return handle(.restored([RestoredPair(pair, isRunning: part != nil)]))
    }

    mutating func trigger(_ application: String, to: ScenePhase?, _ cause: Cause = .iconify) -> HookTrigger {
        let from = phases[application]
        phases[application] = to
        return HookTrigger(change: .step(application, from: from, to: to, cause: cause), time: .zero)
    }

    mutating func handle(_ input: HookInput) -> [String] {
        var (inputs, words) = ([input], [String]())
        while !inputs.isEmpty {
            for effect in engine.handle(inputs.removeFirst(), at: Moment(now: now, time: .zero)) {
                if case .record(let id, _) = effect {
                    lastWrite = id
                    if !isDiskBusy { inputs.append(.recorded(id)) }
                }
                if let word = take(effect) { words.append(word) }
            }
        }
        return words
    }

    /// Reports the success or the failure of the last write.
    mutating func answerDisk(failure: String? = nil) -> [String] {
        handle(.recorded(lastWrite, failure: failure))
    }

    func isRunning(_ run: String) -> Bool { runs[run] != nil }

    /// Answers the run that began with these words.
    mutating func answer(_ run: String, _ input: (RunID) -> HookInput) -> [String] {
        guard let (id, _) = runs.removeValue(forKey: run) else { return ["\(run) does not run"] }
        return handle(input(id))
    }

    private mutating func take(_ effect: HookEffect) -> String? {
        func begin(_ id: RunID, _ name: String, isQuestion: Bool = false) -> String {
            runs[name] = (id, isQuestion)
            return name
        }
        if namesReactions, let (id, words) = effect.reaction {
            return id.map { begin($0, words, isQuestion: true) } ?? words
        }
        switch effect {
        case .run(let id, let job, let isCheck, _):
            return begin(id, isCheck ? "check \(job.hook.name) \(job.subject.application)" : job.text)
        case .ask(let id, let job):
            return begin(id, "check \(job.hook.name) \(job.subject.application)", isQuestion: true)
        case .prepare(let id, let job): return begin(id, job.text, isQuestion: true)
        case .follow(let id, let job, _): return "follow \(begin(id, job.text))"
        case .end(let id): return "stop \(runs.first { $0.value.id == id }?.key ?? "?")"
        case .say(.vetoed(let job)): return "vetoed: \(job.text)"
        case .say(.excepted(let job, let what)): return "excepted by \(what): \(job.text)"
        case .say(.leftTooEarly(let job)): return "too early: \(job.text)"
        case .say(.retry(let job, let delay)): return "again in \(delay.text): \(job.text)"
        case .say(.overflow(let job, let bound)): return "more than \(bound): \(job.text)"
        default: return nil
        }
    }
}

extension HookEffect {
    /// The words for a reaction, with its run if the effect is answered; nil for other effects.
    fileprivate var reaction: (id: RunID?, words: String)? {
        func words(_ verb: String, _ job: Job) -> String {
            "\(verb) \(job.hook.name) \(job.subject.application)"
        }
        switch self {
        case .ask(let id, let job): return (id, words("ask", job))
        case .prepare(let id, let job): return (id, words("prepare", job))
        case .aim(let id, let job): return (id, words("aim", job))
        case .freeze(let id, let job, _): return (id, words("freeze", job))
        case .perform(let id, let job, _): return (id, words("perform", job))
        case .undo(let id, let job, _): return (id, words("undo", job))
        case .thaw(let jobs, _, _, let isQuiet):
            let names = jobs.map(\.hook.name).joined(separator: " and ")
            return (nil, "thaw \(names) \(jobs.first?.subject.application ?? "")\(isQuiet ? " quietly" : "")")
        case .say(.staysFrozen(let job, let others)):
            return (
                nil, "\(words("stays frozen", job)) for \(others.map(\.hook.name).joined(separator: " and "))"
            )
        case .say(.done(let job, let done)):
            return (nil, "\(words("done", job)): \(done.joined(separator: ", "))")
        case .say(.notDone(let job, let fault)): return (nil, "\(words("not done", job)): \(fault)")
        default: return nil
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
        hook.reaction = .pair(
            .init(phases: phases, enter: .arguments(["enter"]), leave: .arguments(["leave"])))
        return hook
    }
}

extension HookEngine {
    /// The jobs whose programs are running.
    var running: [Job] {
        pairs.values.compactMap { pair in
            switch pair.state {
            case .running(_, let job), .leaving(_, _, let job): job
            case .entering(_, let entry): entry.job
            default: nil
            }
        }
    }
}
