import Console
import Glibc
import PhaseWatch
import System

/// A line of the log about hooks.
public struct Remark: Sendable {
    public enum Form: Sendable {
        case line
        /// A line that is logged only once.
        case once
        /// A line of the watch, for everybody who reads it.
        case notice
    }

    /// The job that the remark is about.
    public var job: Job?
    public var line: String
    public var form = Form.line
    /// The event that the line reports.
    public var event: HookEvent?
}

/// The words of these lines.
public enum RunWords {
    public static func output(_ job: Job, _ line: String) -> String { about(job, line.escapedForTerminal) }

    public static func dropped(_ job: Job, bytes: Int) -> String {
        about(job, "\(bytes) more bytes of its output were dropped")
    }

    public static func about(_ job: Job, _ text: String) -> String { "\(name(job)): \(text)" }

    /// Returns the description of a failure; nil for a run that ended as it should.
    public static func failure(_ outcome: Outcome, after time: Duration) -> String? {
        let tenths = time.milliseconds / 100
        let end = "after \(tenths / 10).\(tenths % 10) s"
        switch outcome {
        case .exited(0): return nil
        case .exited(let code): return "exit \(code) \(end)"
        case .killed(let number):
            let name = strsignal(number).map { String(cString: $0) } ?? "unknown"
            return "killed by signal \(number) (\(name)) \(end)"
        case .timedOut: return "timed out \(end) and was terminated"
        case .stopped: return "ended with xphase \(end)"
        case .notStarted(let reason), .postponed(let reason): return reason
        }
    }

    /// Returns the description of a failure of a part or a check; nil if it ended as it should. So does a check that
    /// exited or was stopped.
    static func failure(_ job: Job, isCheck: Bool, _ outcome: Outcome, after time: Duration) -> String? {
        if isCheck {
            switch outcome {
            case .exited, .stopped: return nil
            default: break
            }
        }
        let part = isCheck ? "unless: " : job.part == .run ? "" : "\(job.part.rawValue): "
        return failure(outcome, after: time).map { part + $0 }
    }

    static func notRun(_ job: Job) -> String {
        let verbs = job.hook.builtIns.map(\.rawValue).sorted().joined(separator: " or ")
        return "does not \(verbs.isEmpty ? "run for" : verbs) \(job.trigger.change.path)"
    }

    /// The phase was left before it had lasted for `after`. For a hook that follows facts, this may be the title rather
    /// than the phase.
    static func tooEarly(_ job: Job) -> String {
        let phase = job.hook.followsFacts ? "it" : PhaseOrClosed(job.trigger.change.to).rawValue
        return "\(phase) did not last for \(job.hook.after.text)"
    }

    /// The end of a pair or of a reaction is tried again.
    static func again(_ job: Job, in delay: Duration) -> String {
        "leave for \(job.trigger.change.path) is retried in \(delay.text)"
    }

    /// - Parameter unit: nil if processes were stopped by signals.
    public static func frozen(unit: String?, count: Int) -> String {
        "frozen (\(unit.map { "\($0), " } ?? "")\(count == 1 ? "1 process" : "\(count) processes"))"
    }

    /// Returns the text about reactions that were performed or undone, or were not. The words begin with a verb or a
    /// participle.
    static func done(_ job: Job, _ words: String) -> String {
        let words = words.escapedForTerminal
        let colon = words.first?.isNumber ?? false ? ":" : ""
        return "\(job.trigger.change.path)\(colon) \(words)"
    }

    /// - Parameter fault: Begins with a verb.
    public static func notDone(_ job: Job, _ fault: String) -> String { about(job, done(job, fault)) }

    public static func thawed(_ job: Job, because reason: String?) -> String {
        about(job, done(job, thawed(because: reason)))
    }

    static func thawed(because reason: String?) -> String { "thawed" + (reason.map { ": \($0)" } ?? "") }

    static func name(_ job: Job) -> String { "hook '\(job.hook.name.escapedForTerminal)'" }

    static func why(_ job: Job) -> String {
        let change = job.trigger.change
        // No change has ended the phase: xphase ends, or its hook has changed.
        if change.kind == .closed && change.cause == .resync {
            return "\(change.path), still \(change.from?.rawValue ?? "there")"
        }
        if change.keepsPhase {
            let news = change.kind == .title ? "title" : "desktop, monitor, extent, process or role"
            return "\(change.path), \(change.to?.rawValue ?? ""), another \(news)"
        }
        return "\(change.path), \(step(job))"
    }

    /// `active → background, iconify`.
    static func step(_ job: Job) -> String {
        let change = job.trigger.change
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
