import Console
import Glibc
import PhaseWatch
import System

/// The lines of the log about hooks: why each ran, why it did not, and what failed.
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

    /// Returns the text about reactions that were performed or undone.
    static func done(_ job: Job, _ done: [String]) -> String {
        let words = done.joined(separator: ", ").escapedForTerminal
        let colon = words.first?.isNumber ?? false ? ":" : ""
        return "\(job.trigger.change.path)\(colon) \(words)"
    }

    /// - Parameter fault: Begins with a verb.
    public static func notDone(_ job: Job, _ fault: String) -> String { about(job, done(job, [fault])) }

    public static func thawed(_ job: Job, because reason: String?) -> String {
        about(job, done(job, ["thawed" + (reason.map { ": \($0)" } ?? "")]))
    }

    static func name(_ job: Job) -> String { "hook '\(job.hook.name.escapedForTerminal)'" }

    static func why(_ job: Job) -> String {
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

extension Job {
    /// Returns the participles of the reactions: `frozen or muted`.
    ///
    /// - Parameter left: A reaction to leave out.
    func participles(without left: BuiltIn? = nil) -> String {
        Set(hook.builtIns.filter { $0 != left }.map(\.participle)).sorted().joined(separator: " or ")
    }
}
