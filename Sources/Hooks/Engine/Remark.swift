import Console
import Glibc
import PhaseWatch
import System

/// A report about hooks: a line of the log, and the event that 'hooks why' prints.
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
    /// nil for a remark that is not logged.
    public var line: String?
    public var form = Form.line
    public private(set) var event: (kind: HookEvent.Kind, reason: String)?

    /// - Parameters:
    ///   - job: The job that the remark is about.
    ///   - text: The line without the name of the hook; nil if nothing is logged.
    ///   - kind: The kind of the event, if there is one.
    ///   - reason: The reason of the event; nil for the text.
    private init(
        _ job: Job, _ text: String? = nil, _ kind: HookEvent.Kind? = nil, because reason: String? = nil
    ) {
        (self.job, line) = (job, text.map { RunWords.about(job, $0) })
        event = kind.map { ($0, reason ?? text ?? "") }
    }

    private init(_ form: Form, _ line: String) { (self.form, self.line) = (form, line) }

    /// A change matched the hook of this job.
    static func matched(_ job: Job) -> Remark { Remark(job, nil, .matched, because: RunWords.step(job)) }

    static func started(_ job: Job) -> Remark {
        let part = job.part.rawValue
        return Remark(job, "\(part) for \(RunWords.why(job))", .ran, because: part)
    }

    static func followed(_ job: Job) -> Remark {
        let what = "\(job.part.rawValue) for \(job.trigger.change.path)"
        return Remark(job, "\(what) still runs, started by an earlier xphase: waiting for it")
    }

    /// The job or its check failed.
    ///
    /// - Returns: nil if it ended as it should. So does a check that exited or was stopped.
    static func failed(_ job: Job, isCheck: Bool, _ outcome: Outcome, after time: Duration) -> Remark? {
        if isCheck {
            switch outcome {
            case .exited, .stopped: return nil
            default: break
            }
        }
        let part = isCheck ? "unless: " : job.part == .run ? "" : "\(job.part.rawValue): "
        return RunWords.failure(outcome, after: time).map {
            Remark(job, part + $0, outcome == .timedOut ? .timedOut : .failed)
        }
    }

    static func vetoed(_ job: Job) -> Remark {
        notRun(job, "'unless' vetoes it", .vetoed, because: "'unless' ended with 0")
    }

    /// An exception of the pair holds, which the text describes. It is checked again later.
    static func excepted(_ job: Job, _ what: String) -> Remark {
        let rest = Vote(job: job).rest(after: nil).text
        let text = "\(what.escapedForTerminal); checked again after \(rest), then less often"
        return notRun(job, text, .excepted, because: what)
    }

    /// The phase was left before it had lasted for `after`. For a hook that follows facts, this may be the title rather
    /// than the phase.
    static func leftTooEarly(_ job: Job) -> Remark {
        let phase = job.hook.followsFacts ? nil : job.trigger.change.to?.rawValue
        let text = "\(phase ?? "it") did not last for \(job.hook.after.text)"
        return notRun(job, text, .leftTooEarly, because: text)
    }

    private static func notRun(
        _ job: Job, _ text: String, _ kind: HookEvent.Kind, because reason: String
    ) -> Remark {
        Remark(job, "not run for \(job.trigger.change.path): \(text)", kind, because: reason)
    }

    /// A newer change came before the turn of this job.
    static func collapsed(_ job: Job) -> Remark {
        Remark(job, nil, .collapsed, because: "a newer change replaced it")
    }

    static func tooSoon(_ job: Job, _ every: Duration) -> Remark {
        Remark(job, nil, .collapsed, because: "it ran less than \(every.text) ago")
    }

    /// The end of a pair or of a reaction is tried again.
    static func retry(_ job: Job, in delay: Duration) -> Remark {
        Remark(job, "leave for \(job.trigger.change.path) is retried in \(delay.text)")
    }

    /// Reactions were performed or undone.
    static func done(_ job: Job, _ done: [String]) -> Remark { Remark(job, RunWords.done(job, done)) }

    static func thawed(_ job: Job, because reason: String?) -> Remark {
        done(job, [RunWords.thawed(because: reason)])
    }

    /// A reaction was not performed, or not undone. The text begins with a verb.
    static func notDone(_ job: Job, _ fault: String) -> Remark {
        Remark(job, RunWords.done(job, [fault]), .failed, because: fault)
    }

    /// The application must not be touched, for this reason.
    static func refused(_ job: Job, _ reason: String) -> Remark {
        let text = "is not \(job.participles): \(reason)"
        return Remark(job, RunWords.done(job, [text]), .excepted, because: reason)
    }

    /// The system lacks something for the reactions of the job.
    static func lacks(_ job: Job, _ lack: String) -> Remark {
        var remark = once(lack)
        (remark.job, remark.event) = (job, (.failed, lack))
        return remark
    }

    static func staysFrozen(_ job: Job, for others: [Job]) -> Remark {
        let names = Set(others.map { RunWords.name($0) }).sorted().joined(separator: ", ")
        return Remark(job, "\(job.trigger.change.path) stays frozen because of \(names)")
    }

    /// A remark that is reported only once.
    static func once(_ text: String) -> Remark { Remark(.once, "hooks: \(text)") }

    /// A write of the record failed, and no job depends on it.
    static func unrecorded(_ reason: String) -> Remark { Remark(.line, "hooks: \(reason)") }

    /// Too many jobs wait. Further ones are dropped.
    static func overflow(bound: Int) -> Remark {
        Remark(
            .notice,
            "\(bound) runs of hooks are waiting; further runs are dropped until there are fewer")
    }
}

/// The words of lines about hooks.
public enum RunWords {
    /// Returns the lines of a dry run about a job, or about its check.
    public static func planned(_ job: Job, isCheck: Bool) -> [String] {
        let hook = job.hook
        let exceptions =
            hook.except.map(\.rawValue).sorted() + (hook.builtIns.contains(.freeze) ? ["menus"] : [])
        let checks = [
            hook.unless?.words.escapedForTerminal,
            exceptions.isEmpty ? nil : "for \(exceptions.joined(separator: ", "))",
        ].compactMap(\.self)
        let check = about(job, "would ask first: \(checks.joined(separator: ", and "))")
        if isCheck { return [check] }
        let builtIns = hook.builtIns.map(\.rawValue).sorted().joined(separator: ", ")
        let parts = [
            job.program.map { "run \($0.words.escapedForTerminal)" },
            builtIns.isEmpty ? nil : (job.part == .leave ? "undo " : "do ") + builtIns,
        ].compactMap(\.self)
        let act = about(job, "would \(parts.joined(separator: ", and ")) for \(why(job))")
        return hook.unless == nil && !exceptions.isEmpty && job.part == .enter ? [check, act] : [act]
    }

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

    /// - Parameter unit: nil if processes were stopped by signals.
    public static func frozen(unit: String?, count: Int) -> String {
        "frozen (\(unit.map { "\($0), " } ?? "")\(count == 1 ? "1 process" : "\(count) processes"))"
    }

    /// Returns the text about reactions that were performed or undone.
    static func done(_ job: Job, _ done: [String]) -> String {
        let words = done.joined(separator: ", ").escapedForTerminal
        let colon = words.first?.isNumber ?? false ? ":" : ""
        return "\(job.trigger.change.path)\(colon) \(words)"
    }

    /// - Parameter fault: Begins with a verb.
    public static func notDone(_ job: Job, _ fault: String) -> String { about(job, done(job, [fault])) }

    public static func thawed(_ job: Job, because reason: String?) -> String {
        notDone(job, thawed(because: reason))
    }

    fileprivate static func thawed(because reason: String?) -> String {
        "thawed" + (reason.map { ": \($0)" } ?? "")
    }

    static func name(_ job: Job) -> String { "hook '\(job.hook.name.escapedForTerminal)'" }

    fileprivate static func why(_ job: Job) -> String {
        let change = job.trigger.change
        if job.isAbandoned { return "\(change.path), still \(change.from?.rawValue ?? "there")" }
        if change.keepsPhase {
            let news = change.kind == .title ? "title" : "desktop, monitor, extent, process or role"
            return "\(change.path), \(change.to?.rawValue ?? ""), another \(news)"
        }
        return "\(change.path), \(step(job))"
    }

    /// `active → background, iconify`.
    fileprivate static func step(_ job: Job) -> String {
        let change = job.trigger.change
        let step = "\(change.from.map { "\($0.rawValue) → " } ?? "")\(change.to?.rawValue ?? "closed")"
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

extension Job {
    /// The participles of the reactions: `frozen or muted`.
    var participles: String {
        Set(hook.builtIns.map(\.participle)).sorted().joined(separator: " or ")
    }
}
