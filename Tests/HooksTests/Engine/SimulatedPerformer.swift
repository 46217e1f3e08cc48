import Console
import PhaseWatch
import System
import TestDesktop

@testable import Hooks
@testable import Scenes

/// A performer of an engine's effects on a simulated machine. Each answer comes at once or later, at random.
struct SimulatedPerformer {
    var random: SeededGenerator
    var machine = SimulatedMachine()
    var engine: HookEngine
    var tasks: [SimulatedTask] = []
    /// Parts of pairs that continue after their xphase was killed.
    var orphans: [SimulatedTask] = []
    var inbox: [HookInput] = []
    var wanted: WriteID = 0
    var submitted: WriteID = 0
    var writing: [RecordedPair]?
    /// Whether steps may fail and the process may be killed.
    var isHostile = true
    /// Whether the process was killed between the effects of one input.
    var isKilled = false
    let limit: Int
    var checks = SequenceChecks()
    let isLogging: Bool
    var log: [String] = []

    mutating func chance(_ percent: Int) -> Bool { Int(random.next() % 100) < percent }

    /// Returns true with this probability if failures are enabled.
    mutating func mayFail(_ percent: Int) -> Bool { isHostile && chance(percent) }

    mutating func note(_ words: String) { if isLogging { log.append(words) } }

    /// Passes an input and all immediate answers to the engine.
    mutating func handle(_ input: HookInput) {
        inbox.append(input)
        while !inbox.isEmpty && !isKilled && checks.fault == nil {
            let input = inbox.removeFirst()
            if isLogging { note("\(machine.now): \(input.words)") }
            // The time of day is arbitrary.
            let time = Timestamp(seconds: Int(random.next() % 1_000), nanoseconds: 0)
            checks.note(input, machine, engine)
            for effect in engine.handle(input, at: Moment(now: machine.now, time: time)) {
                if isLogging { note("    \(effect.words)") }
                perform(effect)
                if let unowed = machine.unowed { checks.fail(unowed) }
                if mayFail(1) && chance(20) { isKilled = true }
                if isKilled { break }
            }
            checks.check(engine, tasks, limit: limit)
            if isKilled { return }
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

    mutating func finishWrite() {
        guard let pairs = writing else { return }
        writing = nil
        let hasFailed = mayFail(15)
        // A write may report a failure after the data has reached the disk.
        if !hasFailed || chance(20) { machine.disk = pairs }
        inbox.append(.recorded(submitted, failure: hasFailed ? "disk full" : nil))
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
            tasks.append(SimulatedTask(id: id, kind: .part, job: job, isFollowed: true, process: process))
        case .application(let effect): perform(effect)
        case .end(let id):
            for index in tasks.indices where tasks[index].id == id && tasks[index].kind == .check {
                tasks[index].isStopping = true
            }
        case .say, .byHand: break
        }
    }

    private mutating func perform(_ effect: ApplicationEffect) {
        switch effect {
        case .ask(let id, let job, let builtIns, _, let fellows):
            let holds = machine.holds(of: job.subject.application, builtIns)
            tasks.append(SimulatedTask(id: id, kind: .ask, job: job, holds: holds, fellows: fellows))
        case .freeze(let id, let job, let holds, _):
            for hold in holds { checks.freeze(job, hold, machine) }
            let result = freeze(holds, job.subject.application)
            if !chance(30) { return inbox.append(.application(.froze(id, result))) }
            tasks.append(SimulatedTask(id: id, kind: .freeze, job: job, result: result))
        case .apply(let id, let job, let holds, _):
            checks.apply(job, holds, machine)
            machine.attempt(holds)
            begin(SimulatedTask(id: id, kind: .apply, job: job, holds: holds))
        case .undo(let id, let job, let holds):
            checks.undo(job, holds, machine)
            begin(SimulatedTask(id: id, kind: .undo, job: job, holds: holds))
        case .thaw(let job, let holds, _, let isQuiet):
            let application = job.subject.application
            checks.thaw(application, holds, isQuiet, machine)
            if mayFail(10) {
                machine.failToThaw(application)
                // The failure directly follows the thaw.
                inbox.insert(.application(.notThawed(job, holds)), at: 0)
            } else {
                machine.thaw(holds, of: application)
            }
        case .say: break
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
        var task = SimulatedTask(id: id, kind: isCheck ? .check : .part, job: job)
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

    private mutating func begin(_ task: SimulatedTask) {
        var task = task
        if chance(30) { carryOut(&task) }
        tasks.append(task)
    }

    /// Applies a reaction or its undo to the machine.
    private mutating func carryOut(_ task: inout SimulatedTask) {
        if task.isDone { return }
        task.isDone = true
        if task.kind == .apply { machine.perform(task.holds) }
        if task.kind == .undo { machine.undo(task.holds) }
    }

    private mutating func freeze(_ holds: [Hold], _ application: String) -> FreezeResult {
        for hold in holds { machine.freeze(hold, of: application, count: 0) }
        if mayFail(8) { return .later("no messages") }
        for hold in holds {
            machine.freeze(hold, of: application, count: 0)
            if mayFail(8) {
                machine.freeze(hold, of: application, count: chance(50) ? 1 : 0)
                return .failed("not permitted")
            }
            if mayFail(5) {
                if chance(50) { machine.freeze(hold, of: application) }
                return .silentServer
            }
            machine.freeze(hold, of: application)
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
        case .freeze: if let result = task.result { handle(.application(.froze(task.id, result))) }
        case .ask: handle(.application(.asked(task.id, findings(of: task))))
        case .apply:
            var answer = ReactionAnswer()
            if mayFail(10) { answer.faults = ["is not slowed"] } else { carryOut(&task) }
            handle(.application(.applied(task.id, answer)))
        case .undo:
            var left: [Hold] = []
            if mayFail(15) {
                if chance(50) { carryOut(&task) }
                left = task.holds
            } else {
                carryOut(&task)
                machine.forgetAttempts(task.holds)
            }
            handle(.application(.undone(task.id, left: left, ReactionAnswer())))
        }
    }

    private mutating func findings(of task: SimulatedTask) -> Findings {
        var findings = Findings()
        if mayFail(6) {
            findings.refusal = "a terminal"
            return findings
        }
        if mayFail(20) { findings.found = chance(50) ? [.audio: "it plays"] : [nil: "it shows a menu"] }
        findings.limits = task.holds
        machine.attempt(task.holds)
        if machine.sharing.contains(task.application) {
            findings.companions = machine.sharing.filter {
                $0 != task.application && machine.phases[$0] != nil
            }
        }
        guard findings.found.isEmpty, findings.companions.isSubset(of: task.fellows), !mayFail(5) else {
            return findings
        }
        findings.freeze = machine.target(task.application)
        return findings
    }

    private mutating func outcome(of task: SimulatedTask) -> Outcome {
        if task.isStopping && chance(70) { return .stopped }
        if task.kind == .check { return mayFail(20) ? .exited(0) : .exited(1) }
        if mayFail(20) { return chance(50) ? .exited(1) : chance(50) ? .timedOut : .killed(signal: 15) }
        return .exited(0)
    }

    // MARK: Crashes

    /// Kills the process and starts a new one with these hooks.
    mutating func crash(hooks: [Hook]) {
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
        checks.restart()
        engine = HookEngine(hooks: hooks, limit: limit)
    }

    /// Passes the record of an earlier process to the engine.
    mutating func restore() {
        handle(
            .restored(
                machine.disk.map { pair in
                    RestoredPair(
                        pair, isRunning: orphans.contains { $0.process == pair.started?.process })
                }))
    }
}
