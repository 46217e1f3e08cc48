import Console
import PhaseWatch
import System

/// What happens to a job. The line of the log and the event of the history, from which the status is made, are its words.
public enum JobEvent: Sendable {
    /// A change matches the hook.
    case matched
    /// A program is started.
    case started
    /// A part that an earlier process has started still runs.
    case followed
    case ended(Outcome, isCheck: Bool, after: Duration)
    case vetoed
    /// The end of a pair or of a reaction is tried again after this time.
    case retried(Duration)
    /// It is not run: it ran less than this time ago.
    case repeated(Duration)
    /// A newer change came before the turn of the job.
    case replaced
    /// The phase was left before it had lasted for `after`.
    case left
    /// The subject has closed before the phase had lasted for `after`.
    case closed

    // Reactions. The words begin with a verb or a participle, unless they are a reason.

    /// An exception holds, and is asked for again.
    case excepted(because: String)
    /// The application has just started a program.
    case postponed(because: String)
    /// Reactions must not be done, or cannot be recorded, which is a failure.
    case withheld(Set<BuiltIn>, because: String, isFailure: Bool = false)
    case failed(String)
    case done(String)
    case isAlready(Set<BuiltIn>)
    /// The jobs of other hooks keep it frozen.
    case staysFrozen(because: [Job])
    /// - Parameter because: nil for the end of the phase.
    case thawed(because: String?)

    /// The kind in the history, which leaves out what has none; the reason there, by default the line; the line of the log.
    typealias Report = (kind: HookEvent.Kind?, reason: String?, line: String?)

    func report(of job: Job) -> Report {
        let path = job.trigger.occasion.path
        let part = job.shownPart.rawValue
        switch self {
        case .matched: return (.matched, job.step, nil)
        case .started: return (.ran, part, "\(part) for \(job.why)")
        case .followed: return (nil, nil, "waiting for \(part) for \(path), which an earlier xphase started")
        case .ended(let outcome, let isCheck, let time):
            guard !isCheck || outcome.isFailureOfCheck, let failure = outcome.failure(after: time)
            else { return (nil, nil, nil) }
            let name = isCheck ? "unless: " : job.shownPart == .run ? "" : "\(part): "
            return (outcome == .timedOut ? .timedOut : .failed, nil, name + failure)
        case .vetoed: return (.vetoed, "'unless' ended with 0", "\(job.notRun): 'unless' vetoes it")
        case .retried(let delay): return (nil, nil, "leave for \(path) is retried in \(delay.text)")
        case .repeated(let every): return (.dropped, "it ran less than \(every.text) ago", nil)
        case .replaced: return (.dropped, "a newer change replaced it", nil)
        case .left:
            // For a hook that follows facts, this may be the title rather than the phase.
            let phase =
                switch job.trigger.occasion {
                case .change(let change): job.hook.followsFacts ? nil : PhaseOrClosed(change.to).rawValue
                case .session(let change): change.limit.rawValue as String?
                }
            let reason = "\(phase ?? "it") did not last for \(job.hook.after.text)"
            return (.leftTooEarly, reason, "\(job.notRun): \(reason)")
        case .closed:
            let reason = "it closed within \(job.hook.after.text)"
            return (.dropped, reason, "\(job.notRun): \(reason)")
        case .excepted(let reason):
            // A freeze by hand ends here.
            let rest = "; checked again after \(job.rest(after: nil).text), then less often"
            let line = "\(job.notRun): \(reason.escapedForTerminal)\(job.isByHand ? "" : rest)"
            return (.excepted, reason, line)
        case .postponed(let reason):
            return (.excepted, reason, "\(job.notRun) yet: \(reason.escapedForTerminal)")
        case .withheld(let builtIns, let reason, let isFailure):
            let line = job.reaction("is not \(builtIns.words(" or ")): \(reason)")
            return (isFailure ? .failed : .excepted, reason, line)
        case .failed(let words): return (.failed, words, job.reaction(words))
        case .done(let words): return (.ran, words, job.reaction(words))
        case .isAlready(let builtIns):
            let words = "already \(builtIns.words(" and "))"
            return (.ran, words, job.reaction("is \(words)"))
        case .staysFrozen(let others):
            let names = Set(others.map(\.name)).sorted().joined(separator: ", ")
            return (nil, nil, "\(path) stays frozen because of \(names)")
        case .thawed(let reason):
            let line = job.reaction("thawed" + (reason.map { ": \($0)" } ?? ""))
            return (.thawed, reason ?? "its phase ended", line)
        }
    }

    /// Returns the line of the log; nil if there is none.
    public func line(of job: Job) -> String? { report(of: job).line.map(job.line) }
}

extension Set<BuiltIn> {
    fileprivate func words(_ separator: String) -> String {
        map(\.participle).sorted().joined(separator: separator)
    }
}

extension Job {
    fileprivate var name: String { "hook '\(hook.name.escapedForTerminal)'" }

    /// Returns a line about the hook.
    public func line(_ text: String) -> String { "\(name): \(text)" }

    fileprivate var notRun: String {
        let verbs = hook.builtIns.map(\.rawValue).sorted().joined(separator: " or ")
        return "does not \(verbs.isEmpty ? "run for" : verbs) \(trigger.occasion.path)"
    }

    /// Returns the text about a reaction that was performed or undone, or was not.
    fileprivate func reaction(_ words: String) -> String {
        let words = words.escapedForTerminal
        let colon = words.first?.isNumber ?? false ? ":" : ""
        return "\(trigger.occasion.path)\(colon) \(words)"
    }

    /// The subject and what has changed.
    fileprivate var why: String {
        guard let change = trigger.change else { return "\(trigger.occasion.path), \(step)" }
        // No change has ended the phase: xphase ends, or its hook has changed.
        if change.kind == .closed && change.cause == .resync {
            return "\(change.path), still \(change.from?.rawValue ?? "there")"
        }
        if change.keepsPhase {
            let news = change.kind == .title ? "title" : "desktop, monitor, extent, process or role"
            return "\(change.path), \(change.to?.rawValue ?? ""), another \(news)"
        }
        return "\(change.path), \(step)"
    }

    /// `active → background, iconify`.
    fileprivate var step: String {
        let change: Change
        switch trigger.occasion {
        case .change(let one): change = one
        case .session(let session):
            let limit = session.limit.rawValue
            return session.cause.map { $0 == .resync ? "still \(limit)" : $0.rawValue }
                ?? "\(limit) is no longer followed"
        }
        let step = "\(change.from.map { "\($0.rawValue) → " } ?? "")\(PhaseOrClosed(change.to).rawValue)"
        return "\(step), \(change.cause.rawValue)"
    }
}

extension Program {
    /// The command as the user would write it.
    public var words: String {
        switch self {
        case .arguments(let words): words.map(\.quotedForShell).joined(separator: " ")
        case .shell(let text): text
        }
    }
}
