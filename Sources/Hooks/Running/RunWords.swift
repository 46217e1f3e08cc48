import Console
import Glibc
import Loop
import PhaseWatch

/// The lines of the log about hooks: why each ran, why it did not, and what failed.
enum RunWords {
    static func start(_ job: Job) -> String {
        "\(name(job)): \(verb(job)) for \(why(job))"
    }

    static func followed(_ job: Job) -> String {
        "\(name(job)): \(verb(job)) for \(path(job)) still runs, started by an earlier xphase: it is waited for"
    }

    static func wouldRun(_ job: Job, isCheck: Bool) -> String {
        if isCheck {
            return "\(name(job)): would ask first: \(job.hook.unless?.words.escapedForTerminal ?? "")"
        }
        let builtIns = job.hook.builtIns.map(\.rawValue).sorted().joined(separator: ", ")
        let parts = [
            job.program.map { "run \($0.words.escapedForTerminal)" },
            builtIns.isEmpty ? nil : (job.part == .leave ? "undo " : "do ") + builtIns,
        ]
        let words = parts.compactMap(\.self).joined(separator: ", and ")
        return "\(name(job)): would \(words) for \(why(job))"
    }

    static func output(_ job: Job, _ line: String) -> String {
        "\(name(job)): \(line.escapedForTerminal)"
    }

    static func dropped(_ job: Job, bytes: Int) -> String {
        "\(name(job)): \(bytes) bytes more of its output were dropped"
    }

    /// A line about what became of a job.
    static func about(_ job: Job, _ text: String) -> String { "\(name(job)): \(text)" }

    /// What became of a run, without the name of its hook; nil for what ended as it should.
    static func end(_ job: Job, isCheck: Bool, _ outcome: Outcome, after time: Duration) -> String? {
        let start = part(job, isCheck)
        let end = "after \(tenths(time)) s"
        switch outcome {
        case .exited(0): return nil
        case .exited(let code): return isCheck ? nil : "\(start)exit \(code) \(end)"
        case .killed(let number): return "\(start)killed by signal \(number) (\(signalName(number))) \(end)"
        case .timedOut: return "\(start)timed out \(end), and was ended"
        case .stopped: return isCheck ? nil : "\(start)ended with xphase \(end)"
        case .notStarted(let reason), .postponed(let reason): return "\(start)\(reason)"
        }
    }

    /// What an application was frozen by.
    struct Frozen {
        /// nil where its processes were stopped by signals.
        var unit: String?
        var count: Int
    }

    static func done(_ job: Job, _ frozen: Frozen) -> String {
        let count = frozen.count == 1 ? "1 process" : "\(frozen.count) processes"
        let unit = frozen.unit.map { "\($0.escapedForTerminal), " } ?? ""
        return "\(name(job)): \(path(job)) frozen (\(unit)\(count))"
    }

    static func notFrozen(_ job: Job, _ reason: String) -> String {
        "\(name(job)): \(path(job)) is not frozen: \(reason.escapedForTerminal)"
    }

    static func undone(_ job: Job, because reason: String?) -> String {
        "\(name(job)): \(path(job)) thawed" + (reason.map { ": \($0)" } ?? "")
    }

    static func remark(_ remark: Remark) -> String {
        switch remark {
        case .vetoed(let job): "\(name(job)): not run for \(path(job)): 'unless' vetoes it"
        case .leftTooEarly(let job):
            "\(name(job)): not run for \(path(job)): "
                + "\(lasting(job)) for \(job.hook.after.text)"
        case .retry(let job, let delay):
            "\(name(job)): \(verb(job)) for \(path(job)) is tried again in \(delay.text)"
        case .overflow(_, let bound):
            "\(bound) runs of hooks wait already; further ones are given up until there are fewer"
        }
    }

    private static func name(_ job: Job) -> String { "hook '\(job.hook.name.escapedForTerminal)'" }
    private static func path(_ job: Job) -> String { job.trigger.change.path }

    private static func why(_ job: Job) -> String {
        let change = job.trigger.change
        if job.isAbandoned { return "\(change.path), still \(change.from?.rawValue ?? "there")" }
        if change.keepsPhase {
            let news = change.kind == .title ? "title" : "desktop or process"
            return "\(change.path), \(change.to?.rawValue ?? ""), another \(news)"
        }
        let step = "\(change.from.map { "\($0.rawValue) → " } ?? "")\(change.to?.rawValue ?? "closed")"
        return "\(change.path), \(step), \(change.cause.rawValue)"
    }

    /// What did not last may be the title, though the phase began.
    private static func lasting(_ job: Job) -> String {
        if job.hook.followsFacts { return "it did not stay so" }
        return "\(job.trigger.change.to?.rawValue ?? "it") did not last"
    }

    private static func verb(_ job: Job) -> String {
        switch job.part {
        case .run: "run"
        case .enter: "enter"
        case .leave: "leave"
        }
    }

    private static func part(_ job: Job, _ isCheck: Bool) -> String {
        isCheck ? "unless: " : job.part == .run ? "" : verb(job) + ": "
    }

    private static func tenths(_ time: Duration) -> String {
        let tenths = time.milliseconds / 100
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func signalName(_ number: Int32) -> String {
        strsignal(number).map { String(cString: $0) } ?? "unknown"
    }
}

extension Program {
    /// As it was written, for people.
    public var words: String {
        switch self {
        case .arguments(let words): words.map(\.quotedForShell).joined(separator: " ")
        case .shell(let text): text
        }
    }
}
