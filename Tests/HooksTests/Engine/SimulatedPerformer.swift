import Console
import PhaseWatch
import System
import TestDesktop

@testable import Hooks
@testable import Scenes

/// A performer of an engine's effects on a simulated machine. Each answer comes at once or later, at random.
struct SimulatedPerformer {
    /// A program, a question or an action in progress.
    struct Task {
        enum Kind { case check, part, ask, freeze, apply, undo }

        let id: RunID
        let kind: Kind
        let job: Job
        /// Whether an earlier process started it.
        var isFollowed = false
        /// Whether it was asked to end.
        var isStopping = false
        /// The process of a part of a pair.
        var process: ProcessIdentity?
        /// The holds that the question found when it began, or that the task applies or undoes.
        var holds: [Hold] = []
        /// The applications that may be frozen together with that of the job.
        var fellows: Set<String> = []
        var isDone = false
        /// The answer to `freeze`.
        var result = FreezeResult.frozen("frozen")

        var application: String { job.subject.application }
        var isProgram: Bool { kind == .check || kind == .part }
    }

    var random: SeededGenerator
    var machine = SimulatedMachine()
    var engine: HookEngine
    private(set) var tasks: [Task] = []
    /// Parts of pairs that continue after their xphase was killed.
    private var orphans: [Task] = []
    private var inbox: [HookInput] = []
    private var wanted: WriteID = 0
    private var submitted: WriteID = 0
    private var writing: [RecordedPair]?
    /// Whether steps may fail and the process may be killed.
    var isHostile = true
    /// Whether the process was killed between the effects of one input.
    private(set) var isKilled = false
    let limit: Int
    var checks = SequenceChecks()
    /// nil if the sequence is not logged.
    var log: [String]?

    init(random: SeededGenerator, hooks: [Hook], limit: Int, isLogging: Bool) {
        (self.random, self.limit, log) = (random, limit, isLogging ? [] : nil)
        engine = HookEngine(hooks: hooks, limit: limit)
    }

    mutating func chance(_ percent: Int) -> Bool { Int(random.next() % 100) < percent }

    /// Returns true with this probability if failures are enabled.
    private mutating func mayFail(_ percent: Int) -> Bool { isHostile && chance(percent) }

    mutating func note(_ words: String) { log?.append(words) }

    /// Passes an input and all immediate answers to the engine.
    mutating func handle(_ input: HookInput) {
        inbox.append(input)
        while !inbox.isEmpty && !isKilled && checks.fault == nil {
            let input = inbox.removeFirst()
            if log != nil { note("\(machine.now): \(input.logged)") }
            // The time of day is arbitrary.
            let time = Timestamp(seconds: Int(random.next() % 1_000), nanoseconds: 0)
            checks.note(input, machine, engine)
            for effect in engine.handle(input, at: Moment(now: machine.now, time: time)) {
                if log != nil { note("    \(effect.logged)") }
                perform(effect)
                if let unowed = machine.unowed { checks.fail(unowed) }
                isKilled = mayFail(1) && chance(20)
                if isKilled { return }
            }
            checks.check(engine, tasks, limit: limit)
            if inbox.isEmpty && chance(60) { submit() }
            if inbox.isEmpty && chance(50) { finishWrite() }
        }
    }

    /// Delivers the timer if it is due.
    mutating func wake() { if let next = engine.next, next <= machine.now { handle(.timer) } }

    // MARK: The disk

    mutating func submit() {
        guard writing == nil, submitted < wanted else { return }
        submitted = wanted
        writing = engine.owed
    }

    private mutating func finishWrite() {
        guard let pairs = writing else { return }
        writing = nil
        let hasFailed = mayFail(15)
        // A write may report a failure after the data has reached the disk.
        if !hasFailed || chance(20) { machine.disk = pairs }
        inbox.append(.recorded(submitted, failure: hasFailed ? "disk full" : nil))
    }

    /// Ends the write that is under way and passes its answer to the engine.
    mutating func answerDisk() {
        finishWrite()
        if let input = inbox.popLast() { handle(input) }
    }

    // MARK: Effects

    private mutating func perform(_ effect: HookEffect) {
        switch effect {
        case .record(let id, let jobs):
            wanted = id
            for job in jobs { inbox.append(.identified(job, [ProcessIdentity(pid: 1, startTicks: 1)])) }
        case .run(let id, let job, let isCheck, _): run(id, job, isCheck)
        case .follow(let id, let job, let process):
            orphans.removeAll { $0.process == process }
            tasks.append(Task(id: id, kind: .part, job: job, isFollowed: true, process: process))
        case .ask(let id, let job, let builtIns, _, let fellows):
            let holds = machine.holds(of: job.subject.application, builtIns)
            tasks.append(Task(id: id, kind: .ask, job: job, holds: holds, fellows: fellows))
        case .freeze(let id, let job, let holds, _):
            checks.freeze(job, holds, machine)
            let result = freeze(holds, job.subject.application)
            if !chance(30) { return inbox.append(.froze(id, result)) }
            tasks.append(Task(id: id, kind: .freeze, job: job, result: result))
        case .apply(let id, let job, let holds, _):
            checks.perform(job, holds, machine)
            machine.attempt(holds, of: job.subject.application)
            begin(Task(id: id, kind: .apply, job: job, holds: holds))
        case .undo(let id, let job, let holds):
            checks.undo(job, holds, machine)
            begin(Task(id: id, kind: .undo, job: job, holds: holds))
        case .thaw(let job, let holds, _, let isQuiet):
            checks.thaw(job, holds, isQuiet, machine)
            if mayFail(10) {
                // The failure directly follows the thaw.
                inbox.insert(.notThawed(job, holds), at: 0)
            } else {
                machine.thaw(holds, of: job.subject.application)
            }
        case .end(let id):
            for index in tasks.indices where tasks[index].id == id && tasks[index].kind == .check {
                tasks[index].isStopping = true
            }
        case .say, .byHand: break
        }
    }

    private mutating func run(_ id: RunID, _ job: Job, _ isCheck: Bool) {
        if mayFail(6) {
            let outcome: Outcome = chance(50) ? .notStarted("missing") : .postponed("full")
            if case .notStarted = outcome, job.part == .leave, !isCheck {
                machine.entered.remove(job.key)
                machine.mayLeave.remove(job.key)
            }
            return inbox.append(.ended(id, outcome, after: .zero))
        }
        var task = Task(id: id, kind: isCheck ? .check : .part, job: job)
        if isCheck || job.part != .leave { checks.start(job, machine) }
        if !isCheck && job.part != .run {
            checks.begin(job, &machine)
            let process = machine.newProcess()
            task.process = process
            // The engine receives `started` before any other input.
            inbox.insert(.started(id, process), at: 0)
        }
        tasks.append(task)
    }

    private mutating func begin(_ task: Task) {
        var task = task
        if chance(30) { carryOut(&task) }
        tasks.append(task)
    }

    /// Applies a reaction or its undo to the machine.
    private mutating func carryOut(_ task: inout Task) {
        if task.isDone { return }
        task.isDone = true
        if task.kind == .apply { machine.perform(task.holds, of: task.application) }
        if task.kind == .undo { machine.undo(task.holds) }
    }

    private mutating func freeze(_ holds: [Hold], _ application: String) -> FreezeResult {
        machine.attempt(holds, of: application)
        if mayFail(8) { return .later("no messages") }
        for hold in holds {
            if mayFail(8) {
                machine.perform([hold], of: application, count: chance(50) ? 1 : 0)
                return .failed("not permitted")
            }
            if mayFail(5) {
                if chance(50) { machine.perform([hold], of: application) }
                return .silentServer
            }
            machine.perform([hold], of: application)
            guard case .stopped = hold, chance(15) else { continue }
            machine.fork(application)
            return .more(machine.target(application))
        }
        return .frozen("frozen")
    }

    // MARK: Answers

    /// Ends a random task, if there is one.
    mutating func finishTask() {
        if tasks.isEmpty { return }
        var task = tasks.remove(at: Int(random.next() % UInt64(tasks.count)))
        switch task.kind {
        case .check, .part: handle(.ended(task.id, outcome(of: task), after: .zero))
        case .freeze: handle(.froze(task.id, task.result))
        case .ask: handle(.asked(task.id, findings(of: task)))
        case .apply:
            var answer = ReactionAnswer()
            if mayFail(10) { answer.faults = ["is not slowed"] } else { carryOut(&task) }
            handle(.applied(task.id, answer))
        case .undo:
            let hasFailed = mayFail(15)
            if !hasFailed || chance(50) { carryOut(&task) }
            if !hasFailed { machine.forgetAttempts(task.holds, of: task.application) }
            handle(.undone(task.id, left: hasFailed ? task.holds : [], ReactionAnswer()))
        }
    }

    private mutating func findings(of task: Task) -> Findings {
        var findings = Findings()
        if mayFail(6) {
            findings.refusal = "a terminal"
            return findings
        }
        if mayFail(20) { findings.found = chance(50) ? [.audio: "it plays"] : [nil: "it shows a menu"] }
        findings.limits = task.holds
        machine.attempt(task.holds, of: task.application)
        if machine.sharing.contains(task.application) {
            findings.companions = machine.sharing.filter {
                $0 != task.application && machine.phases[$0] != nil
            }
        }
        if findings.found.isEmpty, findings.companions.isSubset(of: task.fellows), !mayFail(5) {
            findings.freeze = machine.target(task.application)
        }
        return findings
    }

    private mutating func outcome(of task: Task) -> Outcome {
        if task.isStopping && chance(70) { return .stopped }
        if task.kind == .check { return mayFail(20) ? .exited(0) : .exited(1) }
        let failures: [Outcome] = [.exited(1), .timedOut, .killed(signal: 15)]
        return mayFail(20) ? failures.randomElement(using: &random) ?? .timedOut : .exited(0)
    }

    /// Answers everything while the clock stands still and nothing fails.
    mutating func answerAll() {
        for _ in 0..<1_000 where checks.fault == nil {
            submit()
            answerDisk()
            if tasks.isEmpty && writing == nil && submitted == wanted { return }
            finishTask()
        }
        checks.fail("it comes to no rest")
    }

    // MARK: Crashes

    /// Kills the process and starts a new one with these hooks.
    mutating func kill(andStart hooks: [Hook]) {
        note("crash")
        for var task in tasks {
            switch task.kind {
            case .part where task.process != nil && chance(50): orphans.append(task)
            case .apply, .undo: if chance(50) { carryOut(&task) }
            default: break
            }
        }
        if chance(50), let pairs = writing { machine.disk = pairs }
        if chance(30) { orphans = [] }
        (tasks, inbox, writing, wanted, submitted, isKilled) = ([], [], nil, 0, 0, false)
        machine.crash()
        checks = SequenceChecks()
        engine = HookEngine(hooks: hooks, limit: limit)
    }

    /// Passes the record of an earlier process to the engine.
    mutating func restore() {
        handle(.restored(machine.disk, running: Set(orphans.compactMap(\.process))))
    }
}
