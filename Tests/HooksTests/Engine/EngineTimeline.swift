import Console
import PhaseWatch
import System
import TestDesktop

@testable import Hooks
@testable import Scenes

/// An engine with a clock, a disk and a machine that its effects act on.
///
/// What the engine begins ends when a test says so, or at random: with failures, and with a process that may be killed
/// between two effects.
struct EngineTimeline {
    /// A program, a question or an action in progress.
    struct Task {
        let id: RunID
        let effect: HookEffect
        let job: Job
        /// Whether it was asked to end.
        var isStopping = false
        /// The process of a part of a pair.
        var process: ProcessIdentity?
        /// What a question found when it began, or what an action is about.
        var holds: [Hold] = []
        var isDone = false
        /// The answer to `freeze`.
        var result = FreezeResult.frozen("frozen")

        /// The words for the effect before the colon: `ask A`.
        var name: String { String((effect.told ?? "").prefix { $0 != ":" }) }
        var application: String { job.subject.application }

        var isProgram: Bool {
            switch effect {
            case .run, .follow: true
            default: false
            }
        }

        /// Whether an earlier process started it.
        var isFollowed: Bool { if case .follow = effect { true } else { false } }
        var isCheck: Bool { if case .run(_, _, isCheck: true, _) = effect { true } else { false } }
    }

    var engine: HookEngine
    var machine = SimulatedMachine()
    private(set) var tasks: [Task] = []
    private var inbox: [HookInput] = []
    /// The last write that the engine has requested.
    private(set) var wanted: WriteID = 0
    private(set) var writes = 0
    var phases: [SubjectID: ScenePhase] = [:]

    // What a test chooses.

    /// Whether programs, questions and actions end at once with success. Otherwise, `end` and its like end them.
    var isPrompt = false
    /// Whether only `answerDisk` answers writes.
    var isDiskBusy = false
    /// Whether nothing can be thawed.
    var failsToThaw = false

    // What happens at random.

    var random = SeededGenerator(seed: 0)
    let isRandom: Bool
    /// Whether steps may fail and the process may be killed.
    var isHostile = true
    /// Whether the process was killed between the effects of one input.
    private(set) var isKilled = false
    /// Parts of pairs that continue after their xphase was killed.
    private var orphans: [Task] = []
    private var submitted: WriteID = 0
    private var writing: [UndoRecordEntry]?
    /// They count only if things happen at random: the steps of a test write nothing to the disk.
    var checks = SequenceChecks()
    /// nil if nothing is logged.
    var log: [String]?

    /// - Parameter restored: What an earlier process has left; nil if its record is not read yet.
    init(
        _ hooks: Hook..., limit: Int = 16, bound: Int = 4096, isPrompt: Bool = false,
        sharing: [String: Set<String>] = [:], restored: [UndoRecordEntry]? = []
    ) {
        engine = HookEngine(hooks: hooks, limit: limit, bound: bound)
        (self.isPrompt, machine.sharing, isRandom) = (isPrompt, sharing, false)
        if let restored { _ = handle(.restored(restored)) }
        writes = 0
    }

    init(random: SeededGenerator, hooks: [Hook], limit: Int, isLogging: Bool) {
        engine = HookEngine(hooks: hooks, limit: limit)
        (self.random, isRandom, log) = (random, true, isLogging ? [] : nil)
    }

    /// Returns true with this probability if things happen at random.
    mutating func chance(_ percent: Int) -> Bool { isRandom && Int(random.next() % 100) < percent }

    /// Returns true with this probability if failures are enabled.
    private mutating func mayFail(_ percent: Int) -> Bool { isHostile && chance(percent) }

    mutating func note(_ words: String) { log?.append(words) }

    /// Passes an input and all immediate answers to the engine, and returns what it begins and reports in words.
    @discardableResult
    mutating func handle(_ input: HookInput) -> [String] {
        var words: [String] = []
        inbox.append(input)
        while !inbox.isEmpty && !isKilled && !(isRandom && checks.fault != nil) {
            let input = inbox.removeFirst()
            if log != nil { note("\(machine.now): \("\(input)".prefix(300))") }
            // The time of day is arbitrary.
            let time =
                isRandom ? Timestamp(seconds: Int(random.next() % 1_000), nanoseconds: 0) : machine.time
            checks.note(input, machine, engine)
            for effect in engine.handle(input, at: Moment(now: machine.now, time: time)) {
                if log != nil { note("    \(effect.told ?? "\(effect)")") }
                if let told = perform(effect) { words.append(told) }
                if let unowed = machine.unowed { checks.fail(unowed) }
                isKilled = mayFail(1) && chance(20)
                if isKilled { return words }
            }
            checks.check(engine, tasks, machine)
            if inbox.isEmpty && chance(60) { submit() }
            if inbox.isEmpty && chance(50) { finishWrite() }
        }
        return words
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
    mutating func finishDisk() {
        finishWrite()
        if let input = inbox.popLast() { handle(input) }
    }

    // MARK: Effects

    private mutating func perform(_ effect: HookEffect) -> String? {
        switch effect {
        case .record(let id, let jobs):
            (wanted, writes) = (id, writes + 1)
            if !isRandom && !isDiskBusy { inbox.append(.recorded(id)) }
            for job in jobs where isRandom {
                inbox.append(.identified(job, [ProcessIdentity(pid: 1, startTicks: 1)]))
            }
        case .run(let id, let job, let isCheck, _): run(id, job, isCheck, effect)
        case .follow(let id, let job, let process):
            orphans.removeAll { $0.process == process }
            begin(Task(id: id, effect: effect, job: job, process: process))
            return "follow \(job.words)"
        case .end(let id):
            guard let index = tasks.firstIndex(where: { $0.id == id }) else { return "stop ?" }
            tasks[index].isStopping = true
            return "stop \(tasks[index].name)"
        case .ask(let id, let job, let builtIns, _, _):
            let holds = machine.holds(of: job.subject.application, builtIns)
            begin(Task(id: id, effect: effect, job: job, holds: holds))
        case .freeze(let id, let job, let holds, _):
            checks.freeze(job, holds, machine, engine)
            let result = freeze(holds, job.subject.application)
            let task = Task(id: id, effect: effect, job: job, result: result)
            if isRandom && !chance(30) { inbox.append(.froze(id, result)) } else { begin(task) }
        case .apply(let id, let job, let holds, _):
            checks.perform(job, holds, machine)
            machine.attempt(holds, of: job.subject.application)
            begin(Task(id: id, effect: effect, job: job, holds: holds))
        case .undo(let id, let job, let holds):
            checks.undo(job, holds, machine)
            begin(Task(id: id, effect: effect, job: job, holds: holds))
        case .thaw(let job, let holds, _, let isQuiet):
            checks.thaw(job, holds, isQuiet, machine)
            if failsToThaw || mayFail(10) {
                // The failure directly follows the thaw.
                inbox.insert(.notThawed(job, holds), at: 0)
            } else {
                machine.thaw(holds, of: job.subject.application)
            }
        case .log, .say, .byHand: break
        }
        return effect.told
    }

    private mutating func begin(_ task: Task) {
        var task = task
        if isPrompt { return inbox.append(answer(of: task, .exited(0))) }
        switch task.effect {
        case .apply, .undo: if chance(30) { carryOut(&task) }
        default: break
        }
        tasks.append(task)
    }

    private mutating func run(_ id: RunID, _ job: Job, _ isCheck: Bool, _ effect: HookEffect) {
        if mayFail(6) {
            let outcome: Outcome = chance(50) ? .notStarted("missing") : .postponed("full")
            if case .notStarted = outcome, job.part == .leave, !isCheck {
                machine.entered.remove(job.key)
                machine.mayLeave.remove(job.key)
            }
            return inbox.append(.ended(id, outcome, after: .zero))
        }
        var task = Task(id: id, effect: effect, job: job)
        if isCheck || job.part != .leave { checks.start(job, machine) }
        if isRandom && !isCheck && job.part != .run {
            checks.begin(job, &machine)
            let process = machine.newProcess()
            task.process = process
            // The engine receives `started` before any other input.
            inbox.insert(.started(id, process), at: 0)
        }
        begin(task)
    }

    /// Applies a reaction or its undo to the machine.
    private mutating func carryOut(_ task: inout Task) {
        if task.isDone { return }
        task.isDone = true
        switch task.effect {
        case .apply: machine.perform(task.holds, of: task.application)
        case .undo: machine.undo(task.holds)
        default: break
        }
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
            if mayFail(5) { return .postponed(by: "game") }
            guard case .stopped = hold, chance(15) else { continue }
            machine.fork(application)
            return .more(machine.target(application))
        }
        return .frozen("frozen")
    }

    // MARK: Answers

    /// Removes a task with this name.
    mutating func take(_ name: String) -> Task? {
        tasks.firstIndex { $0.name == name }.map { tasks.remove(at: $0) }
    }

    /// Ends a random task, if there is one.
    mutating func finishTask() {
        if tasks.isEmpty { return }
        let task = tasks.remove(at: Int(random.next() % UInt64(tasks.count)))
        handle(answer(of: task, outcome(of: task)))
    }

    mutating func answer(of task: Task, _ outcome: Outcome) -> HookInput {
        var task = task
        switch task.effect {
        case .ask(_, _, _, _, let fellows): return .asked(task.id, findings(of: task, fellows))
        case .freeze: return .froze(task.id, task.result)
        case .apply:
            var answer = ReactionAnswer()
            if mayFail(10) {
                answer.faults = [ReactionWords(.slow, "is not slowed")]
            } else {
                carryOut(&task)
            }
            return .applied(task.id, answer)
        case .undo:
            let hasFailed = mayFail(15)
            if !hasFailed || chance(50) { carryOut(&task) }
            if !hasFailed { machine.forgetAttempts(task.holds, of: task.application) }
            return .undone(task.id, left: hasFailed ? task.holds : [], ReactionAnswer())
        default: return .ended(task.id, outcome, after: .zero)
        }
    }

    private mutating func findings(of task: Task, _ fellows: Set<String>) -> Findings {
        var findings = Findings()
        if mayFail(6) {
            findings.refusal = "a terminal"
            return findings
        }
        if mayFail(20) { findings.found = chance(50) ? [.audio: "it plays"] : [nil: "it shows a menu"] }
        if mayFail(6) { findings.newcomer = "game" }
        findings.limits = task.holds
        machine.attempt(task.holds, of: task.application)
        let companions = (machine.sharing[task.application] ?? []).filter { machine.phases[$0] != nil }
        // The first of them that is not to be frozen is the only one that is found.
        let other = companions.subtracting(fellows).min()
        findings.companions = other.map { [$0] } ?? companions
        if findings.found.isEmpty, findings.newcomer == nil, other == nil, !mayFail(5) {
            findings.freeze = machine.target(task.application)
        }
        return findings
    }

    private mutating func outcome(of task: Task) -> Outcome {
        if task.isStopping && chance(70) { return .stopped }
        if task.isCheck { return mayFail(20) ? .exited(0) : .exited(1) }
        let failures: [Outcome] = [.exited(1), .timedOut, .killed(signal: 15)]
        return mayFail(20) ? failures.randomElement(using: &random) ?? .timedOut : .exited(0)
    }

    /// Answers everything while the clock stands still and nothing fails.
    mutating func answerAll() {
        for _ in 0..<1_000 where checks.fault == nil {
            submit()
            finishDisk()
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
            switch task.effect {
            case .run, .follow: if task.process != nil && chance(50) { orphans.append(task) }
            case .apply, .undo: if chance(50) { carryOut(&task) }
            default: break
            }
        }
        if chance(50), let pairs = writing { machine.disk = pairs }
        if chance(30) { orphans = [] }
        (tasks, inbox, writing, wanted, submitted, isKilled) = ([], [], nil, 0, 0, false)
        machine.crash()
        // Nobody follows their processes any longer.
        machine.survivors = [:]
        checks = SequenceChecks()
        engine = HookEngine(hooks: hooks, limit: engine.commands.limit)
    }

    /// Passes the record of an earlier process to the engine.
    mutating func restore() {
        handle(.restored(machine.disk, running: Set(orphans.compactMap(\.process))))
    }
}

// MARK: Words

extension HookEffect {
    /// The effect in words: `run sync Editor`, `check …`, `enter …` and `leave …` for programs, and `ask A: freeze`,
    /// `freeze A`, `thaw A`, `apply A: slow` and `undo A: slow` for applications.
    var told: String? {
        switch self {
        case .run(_, let job, let isCheck, _): return isCheck ? "check \(job.about)" : job.words
        case .follow(_, let job, _): return job.words
        case .byHand(let name, .frozen): return "by hand \(name)"
        case .byHand(let name, .failed(let reason)): return "by hand \(name): \(reason)"
        case .byHand(let name, .postponed(let reason, _)): return "by hand \(name) later: \(reason)"
        case .log(let event, let job): return event.told(of: job)
        case .say(let line, let remark): return remark == .notice ? line : nil
        case .ask(_, let job, let builtIns, _, let fellows):
            let others = fellows.isEmpty ? "" : " with \(fellows.sorted().joined(separator: ", "))"
            return "ask \(job.subject.application): \(builtIns.words)\(others)"
        case .freeze(_, let job, _, _): return "freeze \(job.subject.application)"
        case .thaw(let job, _, _, let isQuiet):
            return "thaw \(job.subject.application)\(isQuiet ? " quietly" : "")"
        case .apply(_, let job, _, let wanted):
            let cap = wanted.cap.map { " \($0.rawValue)" } ?? ""
            return "apply \(job.subject.application): \(wanted.builtIns.words)\(cap)"
        case .undo(_, let job, let holds):
            return "undo \(job.subject.application): \(holds.builtIns.words)"
        case .record, .end: return nil
        }
    }
}

extension JobEvent {
    /// `excepted freeze A: it plays`, or the line: `freeze: A frozen`.
    fileprivate func told(of job: Job) -> String? {
        let report = report(of: job)
        switch self {
        case .done, .isAlready: return report.line.map { "\(job.hook.name): \($0)" }
        default: break
        }
        switch report.kind {
        case .vetoed: return "vetoed: \(job.words)"
        case .excepted: return "excepted \(job.about): \(report.reason ?? "")"
        case .leftTooEarly: return "too early: \(job.words)"
        case .failed where !job.hook.builtIns.isEmpty, .thawed, nil:
            if case .followed = self { return nil }
            guard let line = report.line, !line.contains("enter: not run") else { return nil }
            return "\(job.hook.name): \(line)"
        case .matched, .ran, .dropped, .failed, .timedOut: return nil
        }
    }
}

extension Job {
    fileprivate var about: String { "\(hook.name) \(trigger.change?.application ?? "session")" }
    var words: String { "\(part) \(about)" }
}

extension Set<BuiltIn> {
    fileprivate var words: String { map(\.rawValue).sorted().joined(separator: " ") }
}
