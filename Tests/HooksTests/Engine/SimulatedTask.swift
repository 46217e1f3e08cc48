import System

@testable import Hooks

/// A program or a question in progress.
struct SimulatedTask {
    enum Kind: Equatable {
        case check, part, ask, prepare, aim, freeze, perform, undo
    }

    let id: RunID
    let kind: Kind
    let job: Job
    /// Whether it runs beside the lane of its job.
    var isBeside = false
    /// Whether an earlier process started it.
    var isFollowed = false
    /// Whether it was asked to end.
    var isStopping = false
    /// The process of a part of a pair.
    var process: ProcessIdentity?
    /// The holds that the question found when it began, or that the task applies or undoes.
    var holds: [Hold] = []
    var isDone = false
    /// The answer to `aim` or `freeze`.
    var input: HookInput?

    var words: String { "\(kind) \(job.part) \(job.hook.name) \(job.subject.application) (\(id))" }
}

extension HookInput {
    var words: String {
        switch self {
        case .changes(let triggers, let names):
            triggers.map { trigger in
                let change = trigger.change
                return "\(change.application) \(change.kind) → \(change.to?.rawValue ?? "closed")"
            }.joined(separator: ", ") + (names.map { " for \($0.sorted())" } ?? "")
        case .wanted(let applications, let reason): "wanted \(applications.sorted()), \(reason)"
        case .sessionMayEnd: "session may end"
        case .timer: "timer"
        case .started(let id, _): "started \(id)"
        case .ended(let id, let outcome, _): "ended \(id) \(outcome)"
        case .answered(let id, let answer, let failure):
            "answered \(id)" + (answer.exception.map { ", excepted: \($0)" } ?? "")
                + (failure.map { ", failed: \($0)" } ?? "") + (answer.holds.isEmpty ? "" : " \(answer.holds)")
        case .refused(let id, _, _): "refused \(id)"
        case .aimed(let id, let aim, _): "aimed \(id) \(aim)"
        case .froze(let id, let result): "froze \(id) \(result)"
        case .notThawed(let application, _): "not thawed \(application)"
        case .identified(let job, _): "identified \(job.hook.name) \(job.subject.application)"
        case .lacks(let job, let lack): "\(job.hook.name) lacks \(lack)"
        case .recorded(let id, let failure): "recorded \(id)" + (failure == nil ? "" : " failed")
        case .restored(let pairs):
            "restored "
                + pairs.map {
                    "\($0.pair.entry.hook) \($0.pair.application)\($0.isRunning ? " runs" : "")"
                        + ($0.pair.started.map { " (\($0.part))" } ?? "")
                }.joined(separator: ", ")
        case .notRestored: "not restored"
        case .reload(let hooks): "reload \(hooks.map(\.name))"
        case .suspend(let names): "suspend \(names.sorted())"
        case .thaw: "thaw"
        case .stop: "stop"
        case .close: "close"
        }
    }
}

extension HookEffect {
    var words: String {
        switch self {
        case .record(let id, _): "record \(id)"
        case .run(let id, let job, let isCheck, _): "run \(isCheck ? "check " : "")\(job.words) (\(id))"
        case .follow(let id, let job, _): "follow \(job.words) (\(id))"
        case .ask(let id, let job): "ask \(job.words) (\(id))"
        case .prepare(let id, let job): "prepare \(job.words) (\(id))"
        case .aim(let id, let job): "aim \(job.words) (\(id))"
        case .freeze(let id, let job, _): "freeze \(job.words) (\(id))"
        case .perform(let id, let job, let holds): "perform \(job.words) (\(id)) \(holds)"
        case .undo(let id, let job, let holds): "undo \(job.words) (\(id)) \(holds)"
        case .thaw(let jobs, let holds, _, let isQuiet):
            "thaw \(jobs.map(\.words))\(isQuiet ? " quietly" : "") \(holds)"
        case .end(let id): "end \(id)"
        case .say(let remark): "say \(String("\(remark)".prefix { $0 != "(" }))"
        }
    }
}

extension Job {
    var words: String { "\(part) \(hook.name) \(subject.application)" }
}
