import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// The programs of hooks, and tools such as pactl(1). What becomes of the former is an input of the engine.
final class HookPrograms {
    /// The time limit of a tool, and of `unless`.
    private static let toolPatience = Duration.seconds(5)
    /// The time limit of a start while xphase ends.
    private static let lastPatience = Duration.seconds(1)
    /// The maximum number of outputs that are kept open for background processes of ended programs.
    private static let mostOutputs = 64
    /// The maximum number of bytes read from such an output. A process that writes more is ended by SIGPIPE.
    static let mostLeftover = 16 << 20

    private let context: HookContext
    private let loop: EventLoop
    /// Receives the inputs of the engine.
    var report: (HookInput) -> Void = { _ in }
    /// Those that run, and those whose output is still open.
    private(set) var all: [RunningProgram] = []
    private let threads = SeparateThreads()
    private var isEnding = false
    /// Whether the disk of a program has not answered since `hurry`.
    private(set) var waitsInVain = false

    init(_ context: HookContext, _ loop: EventLoop) { (self.context, self.loop) = (context, loop) }

    private var running: [RunningProgram] { all.filter { !$0.isOver } }
    var isEmpty: Bool { running.isEmpty }
    /// When to call `expire`; nil for never.
    var next: Duration? { running.compactMap(deadline).min() }

    private func deadline(of program: RunningProgram) -> Duration? {
        let isHurried = isEnding && program.start != nil
        return program.deadline.map { isHurried ? min($0, program.started + Self.lastPatience) : $0 }
    }

    /// The names of the hooks whose programs run, for messages.
    var names: String {
        let names = running.compactMap(\.run?.job.hook.name)
        return Set(names.map { "'\($0.escapedForTerminal)'" }).sorted().joined(separator: ", ")
    }

    // MARK: Starting

    /// Runs a part of a hook, or its `unless`.
    func start(_ id: RunID, _ job: Job, isCheck: Bool, _ processes: HookVariables.Processes) {
        let (inherited, variables) = (context.inherited, HookVariables.variables(for: job, processes))
        let arguments = (isCheck ? job.hook.unless : job.program)?.arguments ?? []
        begin(arguments) { () throws(SystemError) in
            try RunningProgram(
                on: threads, (id, job), arguments, environment: { inherited() + variables },
                input: job.trigger.event(naming: processes.pids)
                    .json(sequence: job.trigger.sequence, time: job.trigger.time) + [UInt8(ascii: "\n")],
                directory: context.directory, timeout: isCheck ? Self.toolPatience : job.hook.timeout,
                then: end(of: id))
        } started: { [unowned self] program in
            if !isCheck, job.part != .run, let process = program.identity { report(.started(id, process)) }
        } failed: { [unowned self] error in
            report(.ended(id, outcome(of: error, job), after: .zero))
        }
    }

    private func outcome(of failure: SystemError, _ job: Job) -> Outcome {
        let text = "\(failure)".escapedForTerminal
        if failure.hasRun {
            // The program may have done some of its work: `leave` is owed after `enter`, and nothing runs again.
            context.say(job.line(text))
            return .killed(signal: SIGKILL)
        }
        return failure.isTemporary ? .postponed(text) : .notStarted(text)
    }

    /// Waits for a part that an earlier process has started.
    func follow(_ id: RunID, _ job: Job, _ process: ProcessIdentity) {
        guard let program = RunningProgram((id, job), following: process, then: end(of: id)) else {
            return report(.ended(id, .exited(0), after: .zero))
        }
        all.append(program)
        follow(program)
    }

    private func end(of id: RunID) -> RunningProgram.End {
        { [unowned self] outcome, time, _ in report(.ended(id, outcome, after: time)) }
    }

    /// Runs a tool for its output.
    ///
    /// - Parameter check: Throws on another thread if the tool is not to run, which is then the result.
    /// - Returns: nil if it cannot be started.
    func run(
        _ words: [String], if check: (@Sendable () throws(SystemError) -> Void)? = nil,
        then: @escaping (Result<[UInt8], SystemError>) -> Void
    ) -> RunningProgram? {
        let (inherited, arguments) = (context.inherited, words.map { SystemString($0) })
        return begin(arguments) { () throws(SystemError) in
            try RunningProgram(
                on: threads, nil, arguments,
                environment: { () throws(SystemError) in
                    try check?()
                    return inherited() + ["LC_ALL=C"]
                }, directory: context.directory, timeout: Self.toolPatience
            ) { outcome, time, output in
                guard let failure = outcome.failure(after: time) else {
                    return then(.success(output))
                }
                let said = String(decoding: output, as: UTF8.self).split(separator: "\n").last
                let reason = outcome == .timedOut ? " does not answer" : ": \(said ?? failure[...])"
                then(.failure(.refused(words[0] + reason)))
            }
        } failed: { error in
            if case .start(_, let refusal) = error, case .refused = refusal { return then(.failure(refusal)) }
            let lack = words[0] == "pactl" && error.code == ENOENT
            then(.failure(lack ? .refused(AudioServer.clientLack) : error))
        }
    }

    /// Begins to start a program.
    @discardableResult
    private func begin(
        _ arguments: [SystemString], _ make: () throws(SystemError) -> RunningProgram,
        started: @escaping (RunningProgram) -> Void = { _ in }, failed: @escaping (SystemError) -> Void
    ) -> RunningProgram? {
        let name = arguments.first ?? ""
        do throws(SystemError) {
            let program = try make()
            all.append(program)
            guard let end = program.start?.end.number else { return program }
            program.afterStart = { [unowned self, unowned program] in
                loop.forget(end)
                do throws(SystemError) {
                    try program.finishStart()
                    follow(program)
                    started(program)
                } catch {
                    all.removeAll { $0 === program }
                    failed(.start(name, error))
                }
            }
            loop.watch(end) { [unowned program] in program.afterStart() }
            return program
        } catch {
            failed(.start(name, error))
            return nil
        }
    }

    private func follow(_ program: RunningProgram) {
        if let output = program.output {
            loop.watch(output.number) { [unowned self, unowned program] in read(program) }
        }
        awaitEnd(of: program)
    }

    private func awaitEnd(of program: RunningProgram) {
        guard let exit = program.exit?.number else { return }
        loop.watch(exit) { [unowned self, unowned program] in
            loop.forget(exit)
            if program.isGroupOver() { end(program) } else { awaitEnd(of: program) }
        }
    }

    private func read(_ program: RunningProgram) {
        guard let lines = program.read(), program.leftover < Self.mostLeftover else {
            return closeOutput(of: program)
        }
        show(lines, of: program)
    }

    /// A tool has no lines.
    private func show(_ lines: [String], of program: RunningProgram) {
        guard let job = program.run?.job else { return }
        for line in lines { context.show(line, of: job) }
    }

    // MARK: Ending

    /// Ends a run whose answer is no longer needed.
    func end(_ id: RunID) {
        guard let program = running.first(where: { $0.run?.id == id }), program.reason == nil else { return }
        if !abandon(program, as: .stopped) { signal(program, because: .stopped) }
    }

    /// Shortens the time limit of starts, because xphase ends.
    func hurry() { isEnding = true }

    /// Sends the next signal to all programs, because they must not outlive xphase.
    func signalAll() { for program in running { signal(program, because: .stopped) } }

    /// Forwards a signal to the process groups of all programs.
    func passOn(_ signal: Int32) { for program in running { program.passOn(signal) } }

    /// Sends the next signal to programs whose time limit has expired.
    func expire(at now: Duration) {
        for program in running {
            if let end = deadline(of: program), end <= now { signal(program, because: .timedOut) }
        }
    }

    func signal(_ program: RunningProgram, because reason: Outcome) {
        // Nothing of a program that has not started has run.
        let failure = program.run.map { outcome(of: .start(program.name, .noAnswer), $0.job) }
        if abandon(program, as: failure ?? reason) { return }
        if program.start != nil {
            // Its start is over, which the loop has not noticed yet.
            program.afterStart()
            guard all.contains(where: { $0 === program }) else { return }
        }
        program.signal(because: reason)
        guard program.deadline == nil, program.hasEnded, let exit = program.exit else { return }
        // The rest of its process group has received KILL.
        loop.forget(exit.number)
        end(program)
    }

    /// Ends a program that has not started; returns false if it has.
    private func abandon(_ program: RunningProgram, as outcome: Outcome) -> Bool {
        guard let end = program.start?.end, program.abandonStart() else { return false }
        loop.forget(end.number)
        all.removeAll { $0 === program }
        waitsInVain = isEnding
        program.then(outcome, Clock.now() - program.started, [])
        return true
    }

    /// Reports the end of a program. Its output stays open while a background process has it.
    private func end(_ program: RunningProgram) {
        let (outcome, last, dropped) = program.end()
        show(last, of: program)
        if dropped > 0, let job = program.run?.job {
            context.say(job.line("\(dropped) more bytes of its output were dropped"))
        }
        if program.output == nil { all.removeAll { $0 === program } }
        let left = all.filter(\.isOver)
        if left.count > Self.mostOutputs { closeOutput(of: left[0]) }
        program.then(outcome, Clock.now() - program.started, program.answer)
    }

    private func closeOutput(of program: RunningProgram) {
        guard let output = program.output else { return }
        loop.forget(output.number)
        program.output = nil
        if program.isOver { all.removeAll { $0 === program } }
    }
}
