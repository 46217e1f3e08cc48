import Console
import System

@testable import Hooks

extension HookEffect {
    /// The run that the effect begins.
    var run: RunID? {
        switch self {
        case .run(let id, _, _, _), .follow(let id, _, _), .ask(let id, _, _, _, _),
            .freeze(let id, _, _, _), .apply(let id, _, _, _),
            .undo(let id, _, _):
            id
        case .record, .end, .thaw, .byHand, .say: nil
        }
    }

    /// What a timeline tells of the effect.
    var told: String? {
        switch self {
        case .run(_, let job, let isCheck, _): return isCheck ? "check \(job.about)" : job.words
        case .follow(_, let job, _): return job.words
        case .byHand(let name, let failure): return "by hand \(name)\(failure.map { ": \($0)" } ?? "")"
        case .say(let remark): return remark.told
        case .ask(_, let job, let builtIns, _, let fellows):
            let others = fellows.isEmpty ? "" : " with \(fellows.sorted().joined(separator: ", "))"
            return "ask \(job.subject.application): \(builtIns.words)\(others)"
        case .freeze(_, let job, _, _): return "freeze \(job.subject.application)"
        case .thaw(let job, _, _, let isQuiet):
            return "thaw \(job.subject.application)\(isQuiet ? " quietly" : "")"
        case .apply(_, let job, _, let wanted):
            let cap = wanted.cap.map { " \($0.rawValue)" } ?? ""
            return "apply \(job.subject.application): \(wanted.builtIns.words)\(cap)"
        case .undo(_, let job, let holds):
            return "undo \(job.subject.application): \(Set(holds.map(\.builtIn)).words)"
        case .record, .end: return nil
        }
    }

    /// The effect in the log of a sequence.
    var logged: String {
        switch self {
        case .record(let id, _): "record \(id)"
        case .end(let id): "end \(id)"
        case .say(let remark): "say \(remark.line)"
        case .thaw(_, let holds, let reason, _): "\(told ?? ""): \(holds), \(reason ?? "")"
        default: "\(run.map { "(\($0)) " } ?? "")\(told ?? "")"
        }
    }
}

extension Remark {
    /// `excepted freeze A: it plays`, or the line: `freeze: A frozen`.
    fileprivate var told: String? {
        guard let job else { return form == .notice ? line : nil }
        switch event?.kind {
        case .vetoed: return "vetoed: \(job.words)"
        case .excepted: return "excepted \(job.about): \(event?.reason ?? "")"
        case .leftTooEarly: return "too early: \(job.words)"
        case .failed where !job.hook.builtIns.isEmpty, nil:
            let told = line.replacing("hook '\(job.hook.name)':", with: "\(job.hook.name):")
            let isOfProgram = ["still runs", "enter: not run"].contains { told.contains($0) }
            return isOfProgram ? nil : told
        case .matched, .ran, .collapsed, .failed, .timedOut: return nil
        }
    }
}

extension HookInput {
    /// The input in the log of a sequence.
    var logged: String {
        switch self {
        case .changes(let triggers, let names):
            triggers.map { trigger in
                let change = trigger.change
                return "\(change.application) \(change.kind) → \(change.to?.rawValue ?? "closed")"
            }.joined(separator: ", ") + (names.map { " for \($0.sorted())" } ?? "")
        case .reload(let hooks): "reload \(hooks.map(\.name))"
        default: String("\(self)".prefix(200))
        }
    }
}

extension Job {
    fileprivate var about: String { "\(hook.name) \(trigger.change.application)" }
    var words: String { "\(part) \(about)" }
}

extension Set<BuiltIn> {
    fileprivate var words: String { map(\.rawValue).sorted().joined(separator: " ") }
}
