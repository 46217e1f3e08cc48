import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// The programs of hooks, and the tools that reactions use. What becomes of the former is an input of the engine.
final class HookPrograms {
    /// The time limit of a tool, and of `unless`.
    private static let toolPatience = Duration.seconds(5)

    private let context: HookContext
    private var runs: Runs
    private var lastTool: RunID = 0

    init(_ context: HookContext, _ loop: EventLoop) { (self.context, runs) = (context, Runs(loop)) }

    var isEmpty: Bool { runs.isEmpty }
    /// When to call `expire`; nil for never.
    var next: Duration? { runs.next }

    /// The names of the hooks whose programs run, for messages.
    var names: String {
        Set(runs.all.map { "'\($0.job.hook.name.escapedForTerminal)'" }).sorted().joined(separator: ", ")
    }

    // MARK: Starting

    /// Runs a part of a hook, or its `unless`.
    func start(
        _ id: RunID, _ job: Job, isCheck: Bool, _ processes: HookVariables.Processes
    ) -> [HookInput] {
        do throws(SystemError) {
            let program = try RunningProgram(
                (isCheck ? job.hook.unless : job.program)?.arguments ?? [],
                environment: context.variables(for: job, processes),
                input: Event.change(job.trigger.change.naming(processes.pids))
                    .json(sequence: job.trigger.sequence, time: job.trigger.time) + [UInt8(ascii: "\n")],
                directory: context.home, timeout: isCheck ? Self.toolPatience : job.hook.timeout,
                at: Clock.now())
            runs.add(Run(id: id, job: job, isCheck ? .check : .part, program: program))
            if isCheck || job.part == .run { return [] }
            return program.identity.map { [.started(id, $0)] } ?? []
        } catch {
            return [.ended(id, outcome(of: error, job, isCheck), after: .zero)]
        }
    }

    private func outcome(of failure: SystemError, _ job: Job, _ isCheck: Bool) -> Outcome {
        let text = "\(failure)".escapedForTerminal
        if failure.hasRun && job.part == .enter && !isCheck {
            // The program may have done some of its work, so `leave` is owed.
            context.say(RunWords.about(job, text))
            return .killed(signal: SIGKILL)
        }
        return failure.isTemporary ? .postponed(text) : .notStarted(text)
    }

    /// Runs a tool for its output.
    ///
    /// - Returns: nil if it cannot be started.
    func run(
        _ words: [String], for job: Job, then: @escaping (Result<[UInt8], SystemError>) -> Void
    ) -> RunningProgram? {
        do throws(SystemError) {
            let program = try RunningProgram(
                words.map { SystemString($0) }, environment: context.inherited + ["LC_ALL=C"], input: [],
                directory: context.home, timeout: Self.toolPatience, at: Clock.now())
            // The engine numbers its own runs from 1 on.
            lastTool -= 1
            runs.add(Run(id: lastTool, job: job, .tool(words[0], then: then), program: program))
            return program
        } catch {
            let lack = words[0] == "pactl" && error.code == ENOENT
            then(.failure(lack ? .refused(AudioStream.lack) : error))
            return nil
        }
    }

    /// Waits for a part that an earlier process has started.
    func follow(_ id: RunID, _ job: Job, _ process: ProcessIdentity) -> [HookInput] {
        let now = Clock.now()
        guard let program = RunningProgram(following: process, timeout: job.hook.timeout, at: now) else {
            return [.ended(id, .exited(0), after: .zero)]
        }
        runs.add(Run(id: id, job: job, .part, program: program))
        return []
    }

    // MARK: Ending

    func end(_ id: RunID) {
        // The result is nil: the first signal never ends a run immediately.
        if let run = runs[id], run.program.stage == .running {
            _ = runs.signal(run, at: Clock.now(), isTimeout: false)
        }
    }

    /// Sends every program its next signal.
    func signalAll() -> [HookInput] { runs.signalAll(at: Clock.now()).flatMap(input) }

    /// Forwards a signal to the process groups of all programs.
    func passOn(_ signal: Int32) {
        for run in runs.all { run.program.passOn(signal) }
    }

    func expire(at now: Duration) -> [HookInput] { runs.expire(at: now).flatMap(input) }

    /// Handles a ready descriptor, which may be that of a program.
    func ready(_ descriptor: Int32) -> [HookInput] {
        runs.news(of: descriptor, at: Clock.now()).map(input) ?? []
    }

    private func input(_ news: Runs.News) -> [HookInput] {
        switch news {
        case .printed(let run, let lines):
            for line in lines { context.show(line, of: run.job) }
        case .ended(let run, let ending, let last, let dropped):
            for line in last { context.show(line, of: run.job) }
            if dropped > 0 { context.say(RunWords.dropped(run.job, bytes: dropped)) }
            let (outcome, time) = (Outcome(ending), Clock.now() - run.program.started)
            guard case .tool(let name, let then) = run.purpose else {
                return [.ended(run.id, outcome, after: time)]
            }
            if let failure = RunWords.failure(outcome, after: time) {
                let said = String(decoding: run.answer, as: UTF8.self).split(separator: "\n").last
                let reason = outcome == .timedOut ? " does not answer" : ": \(said ?? failure[...])"
                then(.failure(.refused(name + reason)))
            } else {
                then(.success(run.answer))
            }
        }
        return []
    }
}

extension Outcome {
    fileprivate init(_ ending: RunningProgram.Ending) {
        self =
            switch ending {
            case .exited(let code): .exited(code)
            case .killed(let signal): .killed(signal: signal)
            case .timedOut: .timedOut
            case .stopped: .stopped
            }
    }
}
