import System

@testable import Hooks

/// A program or a question in progress.
struct SimulatedTask {
    enum Kind: Equatable { case check, part, ask, freeze, apply, undo }

    let id: RunID
    let kind: Kind
    let job: Job
    /// Whether an earlier process started it.
    var isFollowed = false
    /// Whether it was asked to end.
    var isStopping = false
    /// The process of a part of a pair.
    var process: ProcessIdentity?
    /// The holds that the question found when it began, or that the task applies or undoes.
    var holds: [Hold] = []
    /// The applications that may be frozen together with that of the job.
    var fellows: Set<String> = []
    var isDone = false
    /// The answer to `freeze`.
    var result: FreezeResult?

    var application: String { job.subject.application }
    var words: String { "\(kind) \(job.words) (\(id))" }
}

extension HookInput {
    var words: String {
        switch self {
        case .changes(let triggers, let names):
            triggers.map { trigger in
                let change = trigger.change
                return "\(change.application) \(change.kind) → \(change.to?.rawValue ?? "closed")"
            }.joined(separator: ", ") + (names.map { " for \($0.sorted())" } ?? "")
        case .restored(let pairs): "restored \(pairs.map { "\($0.pair.entry.hook) \($0.pair.application)" })"
        case .reload(let hooks): "reload \(hooks.map(\.name))"
        case .application(.votes): "votes"
        default: String("\(self)".prefix(200))
        }
    }
}

extension HookEffect {
    var words: String {
        switch self {
        case .record(let id, _): "record \(id)"
        case .run(let id, let job, let isCheck, _): "run \(isCheck ? "check " : "")\(job.words) (\(id))"
        case .follow(let id, let job, _): "follow \(job.words) (\(id))"
        case .application(.ask(let id, let job, let builtIns, _, let fellows)):
            "ask \(job.words) (\(id)) \(builtIns.map(\.rawValue).sorted()) with \(fellows.sorted())"
        case .application(.freeze(let id, let job, let holds, _)): "freeze \(job.words) (\(id)) \(holds)"
        case .application(.apply(let id, let job, let holds, _)): "apply \(job.words) (\(id)) \(holds)"
        case .application(.undo(let id, let job, let holds)): "undo \(job.words) (\(id)) \(holds)"
        case .application(.thaw(let job, let holds, let reason, let isQuiet)):
            "thaw \(job.words)\(isQuiet ? " quietly" : "") \(holds): \(reason ?? "")"
        case .application(.say(let remark)), .say(let remark):
            "say \(remark.line ?? "\(remark.event?.kind.rawValue ?? "")")"
        case .end(let id): "end \(id)"
        case .byHand(let name, let failure): "by hand \(name): \(failure ?? "done")"
        }
    }
}

extension Job {
    var words: String { "\(part) \(hook.name) \(subject.application)" }
}
