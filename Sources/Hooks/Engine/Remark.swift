import Console
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

    private init(
        _ job: Job, _ text: String? = nil, _ kind: HookEvent.Kind? = nil, because reason: String = ""
    ) {
        (self.job, line) = (job, text.map { RunWords.about(job, $0) })
        event = kind.map { ($0, reason) }
    }

    private init(_ form: Form, _ line: String) { (self.form, self.line) = (form, line) }

    /// A change matched the hook of this job.
    static func matched(_ job: Job) -> Remark { Remark(job, nil, .matched, because: RunWords.step(job)) }

    static func started(_ job: Job) -> Remark {
        Remark(
            job, "\(RunWords.verb(job)) for \(RunWords.why(job))", .ran, because: RunWords.verb(job))
    }

    static func followed(_ job: Job) -> Remark {
        let path = job.trigger.change.path
        return Remark(
            job,
            "\(RunWords.verb(job)) for \(path) still runs, started by an earlier xphase: waiting for it")
    }

    /// The job or its check failed.
    ///
    /// - Returns: nil if it ended as it should.
    static func failed(_ job: Job, isCheck: Bool, _ outcome: Outcome, after time: Duration) -> Remark? {
        RunWords.end(job, isCheck: isCheck, outcome, after: time).map {
            Remark(job, $0, outcome == .timedOut ? .timedOut : .failed, because: $0)
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

    static func retry(_ job: Job, in delay: Duration) -> Remark {
        Remark(job, "\(RunWords.verb(job)) for \(job.trigger.change.path) is retried in \(delay.text)")
    }

    /// Reactions were performed or undone.
    static func done(_ job: Job, _ done: [String]) -> Remark { Remark(job, RunWords.done(job, done)) }

    /// A reaction was not performed, or not undone. The text begins with a verb.
    static func notDone(_ job: Job, _ fault: String) -> Remark {
        Remark(job, RunWords.done(job, [fault]), .failed, because: fault)
    }

    /// The application must not be touched, for this reason.
    static func refused(_ job: Job, _ reason: String) -> Remark {
        let text = "is not \(job.participles()): \(reason)"
        return Remark(job, RunWords.done(job, [text]), .excepted, because: reason)
    }

    static func staysFrozen(_ job: Job, for others: [Job]) -> Remark {
        let names = Set(others.map { RunWords.name($0) }).sorted().joined(separator: ", ")
        return Remark(job, "\(job.trigger.change.path) stays frozen because of \(names)")
    }

    /// A remark that is reported only once.
    public static func once(_ text: String) -> Remark { Remark(.once, "hooks: \(text)") }

    /// A write of the record failed, and no job depends on it.
    static func unrecorded(_ reason: String) -> Remark { Remark(.line, "hooks: \(reason)") }

    /// Too many jobs wait. Further ones are dropped.
    static func overflow(bound: Int) -> Remark {
        Remark(
            .notice,
            "\(bound) runs of hooks are waiting; further runs are dropped until there are fewer")
    }
}
