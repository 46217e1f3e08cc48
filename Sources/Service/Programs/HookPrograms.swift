import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// The programs of hooks, and the tools that reactions use. What becomes of the former is an input of the engine.
final class HookPrograms {
    /// The time limit of a tool, and of `unless`.
    private static let toolPatience = Duration.seconds(5)

    /// The maximum number of outputs that are kept open for background processes of ended programs.
    private static let mostOutputs = 64
    /// The maximum number of bytes read from such an output. A process that writes more is ended by SIGPIPE.
    static let mostLeftover = 16 << 20

    private let context: HookContext
    private let loop: EventLoop
    /// Those whose programs run, and those whose output is still open.
    private(set) var runs: [Run] = []
    private var lastTool: RunID = 0

    init(_ context: HookContext, _ loop: EventLoop) { (self.context, self.loop) = (context, loop) }

    /// Those whose programs run.
    private var running: [Run] { runs.filter { !$0.isOver } }
    var isEmpty: Bool { running.isEmpty }
    /// When to call `expire`; nil for never.
    var next: Duration? { running.compactMap(\.program.deadline).min() }

    /// The names of the hooks whose programs run, for messages.
    var names: String {
        Set(running.map { "'\($0.job.hook.name.escapedForTerminal)'" }).sorted().joined(separator: ", ")
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
            add(Run(id: id, job: job, .hook, program: program))
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
            add(Run(id: lastTool, job: job, .tool(words[0], then: then), program: program))
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
        add(Run(id: id, job: job, .hook, program: program))
        return []
    }

    private func add(_ run: Run) {
        runs.append(run)
        if let output = run.program.output { loop.watch(output.number) }
        loop.watch(run.program.exit.number)
    }

    // MARK: Ending

    func end(_ id: RunID) {
        // The result is empty: the first signal never ends a run immediately.
        if let run = running.first(where: { $0.id == id }), run.program.stage == .running {
            _ = signal(run, at: Clock.now(), isTimeout: false)
        }
    }

    /// Sends every program its next signal.
    func signalAll() -> [HookInput] {
        let now = Clock.now()
        return running.flatMap { signal($0, at: now, isTimeout: false) }
    }

    /// Forwards a signal to the process groups of all programs.
    func passOn(_ signal: Int32) { for run in running { run.program.passOn(signal) } }

    /// Sends the next signal to programs whose time limit has expired.
    func expire(at now: Duration) -> [HookInput] {
        running.filter { $0.program.deadline.map { $0 <= now } ?? false }
            .flatMap { signal($0, at: now, isTimeout: true) }
    }

    private func signal(_ run: Run, at now: Duration, isTimeout: Bool) -> [HookInput] {
        run.program.signal(at: now, isTimeout: isTimeout)
        guard run.program.stage == .killed, run.program.hasEnded else { return [] }
        // The rest of its process group has received KILL.
        loop.forget(run.program.exit.number)
        return end(run)
    }

    /// Handles a ready descriptor, which may be that of a program.
    func ready(_ descriptor: Int32) -> [HookInput] {
        if let run = runs.first(where: { $0.isPrinting && $0.program.output?.number == descriptor }) {
            if let lines = run.read(), run.leftover < Self.mostLeftover {
                for line in lines { context.show(line, of: run.job) }
            } else {
                closeOutput(of: run)
            }
        } else if let run = running.first(where: { $0.program.exit.number == descriptor }) {
            loop.forget(descriptor)
            if run.program.isOver(at: Clock.now()) { return end(run) }
            loop.watch(descriptor)
        }
        return []
    }

    /// Reports what has become of a run. Its output stays open while a background process has it.
    private func end(_ run: Run) -> [HookInput] {
        let (outcome, time) = (Outcome(run.program.reap()), Clock.now() - run.program.started)
        let (last, dropped) = run.end()
        if !run.isPrinting { runs.removeAll { $0 === run } }
        let left = runs.filter(\.isOver)
        if left.count > Self.mostOutputs { closeOutput(of: left[0]) }
        for line in last { context.show(line, of: run.job) }
        if dropped > 0 { context.say(RunWords.dropped(run.job, bytes: dropped)) }
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
        return []
    }

    private func closeOutput(of run: Run) {
        guard let output = run.program.output else { return }
        loop.forget(output.number)
        run.isPrinting = false
        // Releasing it closes the output.
        if run.isOver { runs.removeAll { $0 === run } }
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
