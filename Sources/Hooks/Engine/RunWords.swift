import Console
import Glibc
import PhaseWatch
import System

/// The lines of the log about hooks: why each ran, why it did not, and what failed.
public enum RunWords {
    static func start(_ job: Job) -> String {
        "\(name(job)): \(verb(job)) for \(why(job))"
    }

    static func followed(_ job: Job) -> String {
        "\(name(job)): \(verb(job)) for \(path(job)) still runs, started by an earlier xphase: waiting for it"
    }

    /// Returns the lines of a dry run about a job, or about its check.
    public static func planned(_ job: Job, isCheck: Bool) -> [String] {
        let hook = job.hook
        let exceptions =
            hook.except.map(\.rawValue).sorted() + (hook.builtIns.contains(.freeze) ? ["menus"] : [])
        let checks = [
            hook.unless?.words.escapedForTerminal,
            exceptions.isEmpty ? nil : "for \(exceptions.joined(separator: ", "))",
        ].compactMap(\.self)
        let check = "\(name(job)): would ask first: \(checks.joined(separator: ", and "))"
        if isCheck { return [check] }
        let builtIns = hook.builtIns.map(\.rawValue).sorted().joined(separator: ", ")
        let parts = [
            job.program.map { "run \($0.words.escapedForTerminal)" },
            builtIns.isEmpty ? nil : (job.part == .leave ? "undo " : "do ") + builtIns,
        ].compactMap(\.self)
        let act = "\(name(job)): would \(parts.joined(separator: ", and ")) for \(why(job))"
        return hook.unless == nil && !exceptions.isEmpty && job.part == .enter ? [check, act] : [act]
    }

    public static func output(_ job: Job, _ line: String) -> String {
        "\(name(job)): \(line.escapedForTerminal)"
    }

    public static func dropped(_ job: Job, bytes: Int) -> String {
        "\(name(job)): \(bytes) more bytes of its output were dropped"
    }

    public static func about(_ job: Job, _ text: String) -> String { "\(name(job)): \(text)" }

    /// Returns the description of a failure; nil for a run that ended as it should.
    public static func failure(_ outcome: Outcome, after time: Duration) -> String? {
        let end = "after \(tenths(time)) s"
        return switch outcome {
        case .exited(0): nil
        case .exited(let code): "exit \(code) \(end)"
        case .killed(let number): "killed by signal \(number) (\(signalName(number))) \(end)"
        case .timedOut: "timed out \(end) and was terminated"
        case .stopped: "ended with xphase \(end)"
        case .notStarted(let reason), .postponed(let reason): reason
        }
    }

    /// Returns the failure of a run without the name of its hook; nil also for a check that exited or was stopped.
    static func end(_ job: Job, isCheck: Bool, _ outcome: Outcome, after time: Duration) -> String? {
        if isCheck {
            switch outcome {
            case .exited, .stopped: return nil
            default: break
            }
        }
        return failure(outcome, after: time).map { part(job, isCheck) + $0 }
    }

    /// - Parameter unit: nil if processes were stopped by signals.
    public static func frozen(unit: String?, count: Int) -> String {
        "frozen (\(unit.map { "\($0), " } ?? "")\(count == 1 ? "1 process" : "\(count) processes"))"
    }

    /// Returns a line about reactions that were performed or undone.
    static func done(_ job: Job, _ done: [String]) -> String {
        let words = done.joined(separator: ", ").escapedForTerminal
        let colon = words.first?.isNumber ?? false ? ":" : ""
        return "\(name(job)): \(path(job))\(colon) \(words)"
    }

    /// - Parameter fault: Begins with a verb.
    public static func notDone(_ job: Job, _ fault: String) -> String { done(job, [fault]) }

    public static func thawed(_ job: Job, because reason: String?) -> String {
        done(job, ["thawed" + (reason.map { ": \($0)" } ?? "")])
    }

    static func staysFrozen(_ job: Job, for others: [Job]) -> String {
        let names = Set(others.map { name($0) }).sorted().joined(separator: ", ")
        return about(job, "\(path(job)) stays frozen because of \(names)")
    }

    /// Returns the line about a remark; nil for a remark that only 'hooks why' prints.
    public static func line(_ remark: Remark) -> String? {
        switch remark {
        case .matched, .collapsed: nil
        case .started(let job): start(job)
        case .followed(let job): followed(job)
        case .failed(let job, let isCheck, let outcome, let time):
            end(job, isCheck: isCheck, outcome, after: time).map { about(job, $0) }
        case .vetoed(let job): "\(name(job)): not run for \(path(job)): 'unless' vetoes it"
        case .excepted(let job, let what):
            "\(name(job)): not run for \(path(job)): \(what.escapedForTerminal); checked again after "
                + "\(Vote(job: job).rest(after: nil).text), then less often"
        case .leftTooEarly(let job): "\(name(job)): not run for \(path(job)): \(lasting(job))"
        case .retry(let job, let delay):
            "\(name(job)): \(verb(job)) for \(path(job)) is retried in \(delay.text)"
        case .done(let job, let words): done(job, words)
        case .notDone(let job, let fault): notDone(job, fault)
        case .refused(let job, let reason): notDone(job, "is not \(job.participles()): \(reason)")
        case .staysFrozen(let job, let others): staysFrozen(job, for: others)
        case .once(let text), .unrecorded(let text): "hooks: \(text)"
        case .overflow(_, let bound):
            "\(bound) runs of hooks are waiting; further runs are dropped until there are fewer"
        }
    }

    private static func name(_ job: Job) -> String { "hook '\(job.hook.name.escapedForTerminal)'" }
    private static func path(_ job: Job) -> String { job.trigger.change.path }

    private static func why(_ job: Job) -> String {
        let change = job.trigger.change
        if job.isAbandoned { return "\(change.path), still \(change.from?.rawValue ?? "there")" }
        if change.keepsPhase {
            let news = change.kind == .title ? "title" : "desktop, monitor, extent, process or role"
            return "\(change.path), \(change.to?.rawValue ?? ""), another \(news)"
        }
        return "\(change.path), \(step(job))"
    }

    /// `active → background, iconify`.
    static func step(_ job: Job) -> String {
        let change = job.trigger.change
        let step = "\(change.from.map { "\($0.rawValue) → " } ?? "")\(change.to?.rawValue ?? "closed")"
        return "\(step), \(change.cause.rawValue)"
    }

    /// Returns which state did not last. For a hook that follows facts, this may be the title rather than the phase.
    static func lasting(_ job: Job) -> String {
        let time = job.hook.after.text
        if job.hook.followsFacts { return "it did not last for \(time)" }
        return "\(job.trigger.change.to?.rawValue ?? "it") did not last for \(time)"
    }

    static func verb(_ job: Job) -> String {
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
    /// The command as the user would write it.
    public var words: String {
        switch self {
        case .arguments(let words): words.map(\.quotedForShell).joined(separator: " ")
        case .shell(let text): text
        }
    }
}

extension Remark {
    /// The event that 'hooks why' prints; nil if it prints nothing.
    var event: (kind: HookEvent.Kind, job: Job, reason: String)? {
        switch self {
        case .matched(let job): (.matched, job, RunWords.step(job))
        case .started(let job): (.ran, job, RunWords.verb(job))
        case .failed(let job, let isCheck, let outcome, let time):
            RunWords.end(job, isCheck: isCheck, outcome, after: time).map {
                (outcome == .timedOut ? .timedOut : .failed, job, $0)
            }
        case .vetoed(let job): (.vetoed, job, "'unless' ended with 0")
        case .excepted(let job, let what), .refused(let job, let what): (.excepted, job, what)
        case .leftTooEarly(let job): (.leftTooEarly, job, RunWords.lasting(job))
        case .collapsed(let job): (.collapsed, job, "a newer change replaced it")
        case .notDone(let job, let fault): (.failed, job, fault)
        case .followed, .retry, .done, .staysFrozen, .once, .unrecorded, .overflow: nil
        }
    }
}

extension Job {
    /// Returns the participles of the reactions: `frozen or muted`.
    ///
    /// - Parameter left: A reaction to leave out.
    func participles(without left: BuiltIn? = nil) -> String {
        Set(hook.builtIns.filter { $0 != left }.map(\.participle)).sorted().joined(separator: " or ")
    }
}
